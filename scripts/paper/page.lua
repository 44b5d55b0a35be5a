-- Collects the reports that the scripts of this folder wrote into out/ in one HTML
-- page: out/paper.html, a single file with all tables and pictures.
local report = require "report"
local out = out or "out"

local names = {}
for i = 1, 10 do names[i] = "figure" .. i end
names[11], names[12] = "rates", "oscillator"

local reports = {}
for _, name in ipairs(names) do
  local path = out .. "/" .. name .. ".lua"
  local file = io.open(path)
  if file then
    file:close()
    reports[#reports + 1] = path
  end
end
if #reports == 0 then error("no report in " .. out .. "/: run scripts/paper/figure1.lua first", 0) end

report.page{
  title = "The paper's experiments, with the exact estimator",
  intro = "Published numbers are those stored with the paper's public code; the numbers beside them were computed by the scripts named, with the seeds stated. Seconds are those that passed on the computer that made this page, whatever else it had to do.",
  reports = reports,
  file = out .. "/paper.html",
  check = not quick,
}
