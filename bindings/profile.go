package bindings

import (
	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/internal/numeric/progress"
)

// profileType is where the time of a fit went.
func profileType() bind.Type {
	return bind.TypeOf[*progress.Profile]("profile", "Where the time of a fit went. It prints itself as a table, with the stages that took a thousandth of the time or more; those within others are indented.\n\n"+
		"The time of a stage has that of the stages within it. Processor time is that of the whole program and all its threads: twice the time on the clock where two processors were busy. "+
		"Memory is looked at every few milliseconds, and has what is no longer needed and not cleared away yet.",
		bind.ToString((*progress.Profile).String),
		bind.Properties(
			bind.Prop("seconds", "wall time of the fit", func(p *progress.Profile) float64 { return p.Seconds }),
			bind.Prop("processor", "seconds of all processors, of the whole program; 0 where the system does not say", func(p *progress.Profile) float64 { return p.Processor }),
			bind.Prop("bytes", "the most memory at a time, more than before the fit", func(p *progress.Profile) float64 { return p.Bytes }),
			bind.Prop("stages", "a list, each followed by those within it", func(p *progress.Profile) []progress.Stage { return p.Stages }),
		))
}
