-- The Helmholtz equation: the paper's Figure 3.
dofile "scripts/paper/figure3.lua"
