print(1) --> 1
local = 2
