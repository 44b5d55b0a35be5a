-- A file may end early, also between expectations.
print(1) --> 1
if not missing_data then return end
print(2) --> 2
