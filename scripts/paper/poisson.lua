-- The Poisson equation: the paper's Figures 1 and 2.
dofile "scripts/paper/figure1.lua"
dofile "scripts/paper/figure2.lua"
