-- Real curves: predicts the curves that were left out, and counts how many of their values lie
-- in their intervals of 95 %, with the standard error that so few curves leave. Nothing is chosen by hand.
--
--     workbench scripts/examples/real_curves.lua
--
-- It reads the files weather_temperature.csv, weather_precipitation.csv, gait_hip.csv and
-- gait_knee.csv in the folder out, a curve in each row: the means of each month at 35 weather
-- stations of Canada, in °C and as the logarithm to base 10 of millimetres a day, and 20 angles of the
-- hip and the knee during a step of each of 39 children, in degrees. R's package fda has them:
--
--     library(fda)
--     rows <- function(m, file) write.table(t(m), file, sep = ",", row.names = FALSE, col.names = FALSE)
--     rows(CanadianWeather$monthlyTemp, "out/weather_temperature.csv")
--     rows(log10(CanadianWeather$monthlyPrecip), "out/weather_precipitation.csv")
--     rows(gait[, , 1], "out/gait_hip.csv")
--     rows(gait[, , 2], "out/gait_knee.csv")
--
-- Without R they are text in the source of that package, which CRAN has, in its folder
-- inst/Matlab/fdaM/examples: weather/monthtemp.dat and weather/monthprec.dat, a station in each row,
-- precipitation in millimetres a month, and gait/hip.dat and gait/knee.dat, 20 numbers for each child
-- wherever the lines end. Put commas between the numbers of a curve, and divide the precipitation by
-- the days of its month before its logarithm is taken.

-- Curve i is left out with those whose number differs from its own by a multiple of folds.
local function leave_out(name, input, output, folds, noise)
  local f, u = array.load("out/" .. input), array.load("out/" .. output)
  local x, y = mesh.uniform(0, 1, f.shape[2]), mesh.uniform(0, 1, u.shape[2])
  local error, spread, inside = 0, 0, {}
  for fold = 1, folds do
    local rest, left = {}, {}
    for i = 1, f.shape[1] do table.insert((i - fold) % folds == 0 and left or rest, i) end
    local d = data.new{input = f[array(rest)], output = u[array(rest)], input_mesh = x, output_mesh = y}
    local est = green.fit{data = d, noise = noise}
    local mean, lower, upper = est:predict(f[array(left)], {interval = 0.95, observation = true})
    for k, i in ipairs(left) do
      inside[i] = 0
      for j = 1, u.shape[2] do
        local value, around = u[i][j], d.output:mean(1)[j]
        error, spread = error + (value - mean[k][j])^2, spread + (value - around)^2
        if value >= lower[k][j] and value <= upper[k][j] then inside[i] = inside[i] + 1 / u.shape[2] end
      end
    end
  end
  local share = array(inside)
  print(("%-8s noise %-6s R² %.3f, RMSE %.4g, %.3f ± %.3f of the values in their intervals"):format(
    name, noise, 1 - error / spread, math.sqrt(error / u.size), share:mean(), share:std() / math.sqrt(share.size - 1)))
end

if not pcall(array.load, "out/gait_hip.csv") then
  print("the files are not there: the first lines of this script say how R writes them")
  return
end
for _, noise in ipairs{"white", "auto"} do
  leave_out("weather", "weather_temperature.csv", "weather_precipitation.csv", 7, noise)
  leave_out("gait", "gait_hip.csv", "gait_knee.csv", 13, noise)
end
