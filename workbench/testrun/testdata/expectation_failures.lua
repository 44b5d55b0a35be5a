-- Everything here fails, to show how it is said.

-- another value
print(1.5)  --> 1.6
print("x = 1.5 y")  --> x = 1.5 z
print(10)  --> 11
1/3  --> 0.334...

-- another number of lines
print(1)
print(2)  --> 1
print(1)  --> 1
--> 2
local nothing = 1 --> 1

-- not expected
print(1) --> 1
print(2)

-- no error
local x = 1 --! boom
print(x) --! boom
error("bang") --! boom
              --! usage
error("") --! boom
error({code = 3}) --! boom
x = 1 --!
nil + 1 --> 1

-- an error ends the chunk
print(1) --> 1
error("bang")
print(2) --> 3

-- the next chunk runs
print(1) --> 1.1
