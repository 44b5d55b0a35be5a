-- Reports of experiments: tables that are printed row by row, pictures, and one page of
-- HTML that holds several reports. Numbers may have bounds, which are checked.
--
--     local report = require "report"
--     local r = report.new{name = "figure3", title = "Helmholtz equation", seed = 1}
--     r:section("Noise", "RE(G) against the noise of the outputs.")
--     r:row{what = "20 %", published = .293, ours = .094, reach = "0.105", seconds = .05}
--     r:picture(plot.lines{…, show = false}, {caption = "Errors against noise"})
--     r:close()                                          -- writes out/figure3.lua
--     report.page{title = "All figures", reports = {"out/figure3.lua"}, file = "out/paper.html"}
--
-- `reach` is a bound of `ours`, and `within` one of the seconds. Readers do not see
-- them: a row prints a mark where a bound is exceeded, and report.page{check = true}
-- raises an error after writing the page if a result is above its bound. A result keeps its bound when
-- it, rounded to the decimals that the bound is written with, is not greater. Seconds
-- are only counted: they depend on the computer and on what else it does.
local report = {}

-- Numbers, text

-- show writes a number with three digits and anything else as it is.
local function show(v)
  if v == nil then return "" end
  if type(v) ~= "number" then return tostring(v) end
  if v == math.floor(v) and math.abs(v) < 1e6 then return string.format("%d", v) end
  return (string.format("%.3g", v):gsub("e([+-])0", "e%1"))
end

-- holds compares a number with a bound written as text, to the digits of the text.
local function holds(ours, reach)
  local decimals = #(tostring(reach):match("%.(%d+)") or "")
  local unit = 10 ^ -decimals
  return math.floor(ours / unit + 0.5) <= math.floor(tonumber(reach) / unit + 0.5)
end

-- sentence says how many bounds are kept.
local function sentence(r)
  if r.claims == 0 then return "no bounds" end
  local text = string.format("%d of %d results within their bounds", r.held, r.claims)
  return r.timed > 0 and string.format("%s, %d of %d fit times", text, r.in_time, r.timed) or text
end

-- width counts characters, not bytes.
local function width(s) return select(2, s:gsub("[^\128-\191]", "")) end

local function pad(s, n) return s .. string.rep(" ", n - width(s)) end

-- peak is the largest size of this process so far in MB, where the system tells.
local function peak()
  local f = io.open("/proc/self/status")
  if not f then return nil end
  local kb = f:read("*a"):match("VmHWM:%s*(%d+)")
  f:close()
  return kb and tonumber(kb) / 1024
end

-- A report

local Report = {}
Report.__index = Report

-- new starts a report. name is that of its files, in the directory out ("out"
-- by default); about is a paragraph for the page; seed is what the numbers depend on.
function report.new(t)
  local r = {
    name = assert(t.name, "report.new: name: missing"), title = assert(t.title, "report.new: title: missing"),
    about = t.about, seed = t.seed, out = t.out or "out", started = os.time(), sections = {}, claims = 0, held = 0, timed = 0, in_time = 0, pictures = 0,
  }
  print(r.title)
  if r.seed then print("seed " .. r.seed) end
  return setmetatable(r, Report)
end

-- The columns of a table unless the section names others: {key, heading}.
local standard = {
  {"what", ""}, {"published", "published"}, {"ours", "ours"}, {"seconds", "fit, s"},
}

-- section starts a table under a heading. columns lists further columns, {key,
-- heading}, that stand after the standard ones; in a table of its own kind, with
-- columns.only = true, there are no others. columns.short is the heading in the table
-- of the main results of all reports.
function Report:section(heading, text, columns)
  columns = columns or {}
  local all = {}
  for i = 1, columns.only and 1 or #standard do all[i] = standard[i] end
  for _, c in ipairs(columns) do all[#all + 1] = c end
  self.current = {heading = heading, short = columns.short, text = text, columns = all, rows = {}, pictures = {}}
  table.insert(self.sections, self.current)
  print("\n" .. heading)
end

-- line writes the cells of one row for the terminal, the first in `first` columns.
local function line(cells, first)
  local padded = {}
  for i, text in ipairs(cells) do padded[i] = pad(text, i == 1 and first or 9) end
  return "  " .. table.concat(padded, " ")
end

local function headings(columns)
  local heads = {}
  for i, c in ipairs(columns) do heads[i] = c[2] end
  return heads
end

-- row adds a line to the table and prints it. Keys are those of the columns; note
-- is a remark of a few words.
function Report:row(t)
  local s = assert(self.current, "row: call section first")
  if #s.rows == 0 then print(line(headings(s.columns), 36)) end
  local row, cells = {note = t.note}, {}
  for i, c in ipairs(s.columns) do
    local text = show(t[c[1]])
    row[c[1]], cells[i] = text, text
  end
  local mark = ""
  if t.ours and t.reach then
    row.holds = holds(t.ours, t.reach)
    self.claims = self.claims + 1
    if row.holds then self.held = self.held + 1 else mark = "ABOVE " .. t.reach .. " " end
  end
  if t.seconds and t.within then
    row.in_time = t.seconds <= t.within
    self.timed, self.in_time = self.timed + 1, self.in_time + (row.in_time and 1 or 0)
  end
  table.insert(s.rows, row)
  print(line(cells, 36) .. " " .. mark .. (t.note or ""))
end

-- note adds a paragraph below the table.
function Report:note(text)
  local s = assert(self.current, "note: call section first")
  s.note = s.note and s.note .. "\n" .. text or text
  print("  " .. text)
end

-- picture saves a figure as PNG and puts it into the report. t.name tells several
-- apart, t.caption stands below; width, height (inches) and dpi as for figure:save.
function Report:picture(figure, t)
  t = t or {}
  local s = assert(self.current, "picture: call section first")
  local path = self.out .. "/" .. self.name .. (t.name and "-" .. t.name or "") .. ".png"
  figure:save(path, {width = t.width, height = t.height, dpi = t.dpi or 130})
  self.pictures = self.pictures + 1
  table.insert(s.pictures, {path = path, caption = t.caption or ""})
  print("  picture: " .. path)
end

-- serialise writes tables, text, numbers and booleans as Lua.
local function serialise(v)
  if type(v) ~= "table" then
    return type(v) == "string" and string.format("%q", v) or tostring(v)
  end
  local keys, parts = {}, {}
  for k in pairs(v) do keys[#keys + 1] = k end
  table.sort(keys, function(a, b)
    if type(a) ~= type(b) then return type(a) == "number" end
    return a < b
  end)
  for i, k in ipairs(keys) do
    parts[i] = (type(k) == "string" and k or "[" .. k .. "]") .. "=" .. serialise(v[k])
  end
  return "{" .. table.concat(parts, ",") .. "}"
end

local function write(path, text)
  local f = assert(io.open(path, "wb"))
  f:write(text)
  f:close()
end

-- close says how many bounds are kept and writes the report for report.page.
function Report:close()
  local result = {
    name = self.name, title = self.title, about = self.about, seed = self.seed, sections = self.sections,
    claims = self.claims, held = self.held, timed = self.timed, in_time = self.in_time, elapsed = os.time() - self.started, peak = peak(),
  }
  write(self.out .. "/" .. self.name .. ".lua", "return " .. serialise(result) .. "\n")
  local size = result.peak and string.format(", at most %.0f MB", result.peak) or ""
  print(string.format("\n%s: %s, %d s%s\n", self.name, sentence(self), result.elapsed, size))
  return result
end

-- Pages

local digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

-- base64 encodes a string of bytes.
function report.base64(s)
  local pairs_of = {} -- twelve bits to two characters
  for i = 0, 4095 do
    local a, b = math.floor(i / 64) + 1, i % 64 + 1
    pairs_of[i] = digits:sub(a, a) .. digits:sub(b, b)
  end
  local out, n = {}, 0
  for i = 1, #s - 2, 3 do
    local a, b, c = s:byte(i, i + 2)
    local v = a * 65536 + b * 256 + c
    local low = v % 4096
    n = n + 1
    out[n] = pairs_of[(v - low) / 4096] .. pairs_of[low]
  end
  local rest = #s % 3
  if rest == 1 then
    local a = s:byte(-1)
    out[n + 1] = pairs_of[a * 16] .. "=="
  elseif rest == 2 then
    local a, b = s:byte(-2, -1)
    local v = a * 256 + b
    local low = v % 16
    out[n + 1] = pairs_of[(v - low) / 16] .. digits:sub(low * 4 + 1, low * 4 + 1) .. "="
  end
  return table.concat(out)
end

local function escape(s)
  return (tostring(s):gsub("[&<>\"]", {["&"] = "&amp;", ["<"] = "&lt;", [">"] = "&gt;", ["\""] = "&quot;"}))
end

local style = [[
:root{--ink:#1b1f24;--soft:#57606a;--line:#d8dee4;--paper:#fff}
*{box-sizing:border-box}
body{margin:0;color:var(--ink);background:var(--paper);font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{max-width:74rem;margin:0 auto;padding:1.5rem 1rem 4rem}
h1{font-size:1.7rem;line-height:1.2;margin:.5rem 0}h2{font-size:1.3rem;margin:3rem 0 .3rem;padding-top:1rem;border-top:1px solid var(--line)}
h3{font-size:1.02rem;margin:1.6rem 0 .2rem}p{margin:.4rem 0;max-width:48rem}
.soft,figcaption,.note{color:var(--soft);font-size:.9rem}
nav{margin:1rem 0;display:flex;flex-wrap:wrap;gap:.3rem 1rem}a{color:#0550ae}
.wide{overflow-x:auto;margin:.6rem 0}
table{border-collapse:collapse;font-size:.9rem;font-variant-numeric:tabular-nums}
th,td{padding:.22rem .7rem .22rem 0;text-align:right;white-space:nowrap;border-bottom:1px solid var(--line)}
th{font-weight:600;color:var(--soft)}th:first-child,td:first-child{text-align:left;white-space:normal;min-width:9rem}
td.remark{text-align:left;color:var(--soft);white-space:normal;min-width:8rem}
td.ours{font-weight:600}
figure{margin:1rem 0}img{display:block;max-width:100%;height:auto;background:#fff}
@media(max-width:40rem){body{font-size:15px}main{padding:1rem .7rem 3rem}table{font-size:.82rem}th,td{padding-right:.5rem}h1{font-size:1.35rem}img.broad{max-width:none;width:48rem}}
]]

-- cells writes one row of a table.
local function cells(columns, row, remarks)
  local out = {}
  for _, c in ipairs(columns) do
    local class = c[1] == "ours" and ' class="ours"' or ""
    out[#out + 1] = "<td" .. class .. ">" .. escape(row[c[1]] or "") .. "</td>"
  end
  if remarks then out[#out + 1] = '<td class="remark">' .. escape(row.note or "") .. "</td>" end
  return "<tr>" .. table.concat(out) .. "</tr>\n"
end

-- grid writes a table without the columns that no row fills.
local function grid(columns, rows)
  local used, heads, remarks = {}, {}, false
  for _, c in ipairs(columns) do
    local any = c[1] == "what"
    for _, row in ipairs(rows) do any = any or (row[c[1]] or "") ~= "" end
    if any then
      used[#used + 1] = c
      heads[#heads + 1] = "<th>" .. escape(c[2]) .. "</th>"
    end
  end
  for _, row in ipairs(rows) do remarks = remarks or row.note ~= nil end
  if remarks then heads[#heads + 1] = "<th></th>" end
  local out = {'<div class="wide"><table><thead><tr>', table.concat(heads), "</tr></thead><tbody>\n"}
  for _, row in ipairs(rows) do out[#out + 1] = cells(used, row, remarks) end
  out[#out + 1] = "</tbody></table></div>\n"
  return table.concat(out)
end

local function paragraphs(text)
  local out = {}
  for line in (text or ""):gmatch("[^\n]+") do out[#out + 1] = "<p>" .. escape(line) .. "</p>\n" end
  return table.concat(out)
end

local function image(p)
  local f = assert(io.open(p.path, "rb"))
  local bytes = f:read("*a")
  f:close()
  local function number(at) -- of the four bytes from there
    local a, b, c, d = bytes:byte(at, at + 3)
    return ((a * 256 + b) * 256 + c) * 256 + d
  end
  local class = number(17) > 1.8 * number(21) and ' class="broad"' or "" -- width and height
  return '<figure><div class="wide"><img' .. class .. ' alt="' .. escape(p.caption) .. '" src="data:image/png;base64,' .. report.base64(bytes) .. '"></div>'
    .. "<figcaption>" .. escape(p.caption) .. "</figcaption></figure>\n"
end

local function section(s)
  local out = {"<h3>", escape(s.heading), "</h3>\n", paragraphs(s.text)}
  if #s.rows > 0 then out[#out + 1] = grid(s.columns, s.rows) end
  if s.note then out[#out + 1] = '<div class="note">' .. paragraphs(s.note) .. "</div>" end
  for _, p in ipairs(s.pictures) do out[#out + 1] = image(p) end
  return table.concat(out)
end

-- main_results lists the rows of all reports that have bounds.
local function main_results(reports)
  local rows = {}
  for _, r in ipairs(reports) do
    for _, s in ipairs(r.sections) do
      for _, row in ipairs(s.rows) do
        if row.holds ~= nil or row.in_time ~= nil then
          rows[#rows + 1] = {
            what = r.title:match("^[^:]+") .. ", " .. (s.short or s.heading) .. ": " .. row.what,
            published = row.published, ours = row.ours, seconds = row.seconds, holds = row.holds,
          }
        end
      end
    end
  end
  return rows
end

-- print_results writes them to the terminal and marks those above their bounds.
local function print_results(rows)
  local first = 0
  for _, row in ipairs(rows) do first = math.max(first, width(row.what)) end
  print(line(headings(standard), first))
  for _, row in ipairs(rows) do
    local cells = {}
    for i, c in ipairs(standard) do cells[i] = row[c[1]] or "" end
    print(line(cells, first) .. (row.holds == false and " ABOVE ITS BOUND" or ""))
  end
end

-- page writes one self-contained HTML file from reports, a list of the files that
-- close wrote, and prints their main results. intro is text, one paragraph a line; with
-- check = true, results above their bounds are an error.
function report.page(t)
  local reports, all, elapsed, largest = {}, {claims = 0, held = 0, timed = 0, in_time = 0}, 0, 0
  for i, path in ipairs(t.reports) do
    local r = dofile(path)
    reports[i] = r
    for key, sum in pairs(all) do all[key] = sum + r[key] end
    elapsed, largest = elapsed + r.elapsed, math.max(largest, r.peak or 0)
  end
  local rows = main_results(reports)
  local out = {
    '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">\n',
    '<meta name="viewport" content="width=device-width,initial-scale=1">\n',
    "<title>", escape(t.title), "</title>\n<style>", style, "</style></head>\n<body><main>\n<h1>", escape(t.title), "</h1>\n", paragraphs(t.intro),
    string.format('<p class="soft">Computed in %d s with at most %.0f MB of memory.</p>\n<nav>', elapsed, largest),
  }
  for _, r in ipairs(reports) do out[#out + 1] = string.format('<a href="#%s">%s</a> ', escape(r.name), escape(r.title:match("^[^:]+"))) end
  out[#out + 1] = "</nav>\n<h2>The main results</h2>\n" .. grid(standard, rows)
  for _, r in ipairs(reports) do
    out[#out + 1] = string.format('<h2 id="%s">%s</h2>\n%s', escape(r.name), escape(r.title), paragraphs(r.about))
    out[#out + 1] = string.format('<p class="soft">%sscripts/paper/%s.lua, %d s</p>\n', r.seed and "seed " .. r.seed .. ", " or "", escape(r.name), r.elapsed)
    for _, s in ipairs(r.sections) do out[#out + 1] = section(s) end
  end
  out[#out + 1] = "</main></body></html>\n"
  write(t.file, table.concat(out))
  print_results(rows)
  print(string.format("\n%s: %s, %d s in all, at most %.0f MB", t.file, sentence(all), elapsed, largest))
  if t.check and all.held < all.claims then error(string.format("%d of the results are above their bounds", all.claims - all.held), 0) end
end

return report
