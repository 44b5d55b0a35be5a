package main

// A row is one line of the table: work that somebody waits for, with what is asked of it.
type row struct {
	name string
	what string
	// code is Lua, as a user would type it: it returns the function to time, and one that gets its results and returns
	// what is known of them: names with numbers, of which "answer" is compared with the peers'. pick(full, small) are its
	// sizes; share(name, array) gives data to peers.
	code  string
	calls int // of the work in one measurement, 1 if 0: what takes less than some milliseconds is repeated
	// peers do the same: a function of peers/scientific.py or peers/lua.lua, or a kernel of peers/kernels.c
	peers     []string
	peerFirst bool // the peer makes the data, ours reads these

	command []string // instead of code: a program that is run once
	attempt []string // the same for a trial
	reach   reach
	growth  string  // rows of this name make a line of the growth plot
	weights float64 // what that is drawn over
	threads int     // 1 for what is asked of one processor
}

// reach is what is asked; 0 asks nothing.
type reach struct {
	Seconds float64 `json:"seconds,omitempty"`
	Ratio   float64 `json:"ratio,omitempty"` // to the peer's time
	Bytes   float64 `json:"bytes,omitempty"`
	Most    string  `json:"most,omitempty"` // a name of the accuracies, and how large its number may be
	Bound   float64 `json:"bound,omitempty"`
}
