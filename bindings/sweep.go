package bindings

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	lua "github.com/yuin/gopher-lua"

	"github.com/greenbench/workbench/bindings/bind"
	"github.com/greenbench/workbench/bindings/sweep"
)

// Sweep is the Lua module sweep.
func Sweep() bind.Module {
	return bind.Module{
		Name: "sweep",
		Doc:  "A computation for every combination of the values of some parameters: on this machine, several at once, or on a cluster. Results are kept, so that an interrupted sweep resumes where it was.",
		Funcs: []bind.Func{
			bind.Fn("run", `Calls run for every combination of the values in grid and returns a table of all results.

run gets one table with a value for each parameter; p.index, the number of the combination; and p.seed, a number of its own for random draws, which stays the same when the grid grows. It returns a number, or a table of named results. Combinations are in the alphabetical order of the parameters' names, of which the last changes fastest.

With out, each result is written to a file of its own in that directory, as a whole or not at all. A later run keeps these results and computes the others. Results of another seed or another version of run are computed again: its code, and the variables and functions that it uses, are compared, but not the files that it reads.

A combination that fails has the field error instead of results, and is tried again next time.

With jobs, several combinations run at once, on copies of run and of what it uses, as they were at the start.

On several machines, each does a part: workbench --part 2/4 script.lua is the second of four. A part needs out, a directory that all machines see, stores its results there and returns nil; the script without --part then does what is missing and returns all rows. So begin with

  local rows = sweep.run{...}
  if not rows then return end

The guide scripts-and-tests has job files for GNU parallel, Slurm, PBS, LSF, Grid Engine and Kubernetes.`, runSweep,
				bind.Example(`rows = sweep.run{grid = {n = {2, 4}, kind = {"sum", "product"}}, run = function(p)
  local v = p.kind == "sum" and 0 or 1
  for i = 1, p.n do if p.kind == "sum" then v = v + i else v = v * i end end
  return {value = v}
end}
for _, r in ipairs(rows) do print(r.kind, r.n, r.value) end
--> sum	2	3
--> sum	4	10
--> product	2	2
--> product	4	24`),
				bind.Example(`all = data.load("scripts/data/helmholtz.npz", {input_mesh = mesh.uniform(0, 1, 100)})
rows = sweep.run{grid = {n = {20, 80}, lambda = {1e-4, 1e-2}}, run = function(p)
  local est = green.fit{data = all:take(1, p.n), kernel = kernel.se{lengthscale = 0.1}, lambda = p.lambda}
  return est:error{data = all:take(501, 600)}.mean
end}
print(#rows, rows[1].lambda, rows[1].n, rows[1].value > rows[2].value)  --> 4	0.0001	20	true`),
				bind.ReturnsAs("table", rowsDoc+"; nil from a part"), bind.Keywords("grid", "parameter study", "parallel", "resume", "cluster", "part", "job array"), bind.See("sweep.load", "sweep.slurm")),
			bind.Fn("load", "All results in a directory, whatever grid they were made for, in the order of their values; it is said if they are of several versions of run or seeds.", func(c *bind.Call, p *struct {
				Out string `arg:"out" pos:"1" doc:"directory that sweep.run was given" allow:"nonempty"`
			},
			) (bind.Any, error) {
				if err := mayRead(c, p.Out); err != nil {
					return bind.Any{}, err
				}
				records, err := sweep.Store(p.Out).All()
				if mixed := sweep.Mixed(records); mixed != "" {
					fmt.Fprintf(c.Out, "sweep: the results in %s are %s: run the sweep again and use what it returns, or keep each in a directory of its own\n", p.Out, mixed)
				}
				return sweepTable(c, records, nil), err
			}, bind.Example(`dir = os.tmpname() .. "-sweep"
sweep.run{grid = {n = {1, 2, 3}}, out = dir, run = function(p) return {square = p.n^2} end}
for _, r in ipairs(sweep.load(dir)) do print(r.n, r.square) end
--> 1	1
--> 2	4
--> 3	9`), bind.ReturnsAs("table", rowsDoc)),
			bind.Fn("slurm", `Runs a sweep as a job array of the Slurm scheduler. The script that calls it is run by each job, which does its part of the combinations and then returns nil from here; so begin with

  local rows = sweep.slurm{...}
  if not rows then return end

The first run writes out/sweep.sh and submits it. Run the script again when the jobs are done: it submits what is missing, and if nothing is, returns all results. What the jobs print is in out/log, in a file for each submission and job. They run the program with the options of this run: --max-memory, --threads and the like.`, slurmSweep,
				bind.Example(`spec = {out = os.tmpname() .. "-sweep", grid = {n = {1, 2, 3}}, run = function(p) return {square = p.n^2} end}
sweep.run(spec)  -- what the jobs do
rows = sweep.slurm(spec)
print(#rows, rows[3].square)  --> 3	9`),
				bind.ReturnsAs("table|nil", "the results, as of sweep.run, or nil when there are not all"), bind.Keywords("cluster", "job array", "sbatch")),
		},
	}
}

const rowsDoc = "a row for each combination: {parameter = value, …, result = value, …, seed=, seconds=}, with error= where run failed"

// plan makes the sweep of a specification.
func (s *sweepSpec) plan(c *bind.Call, out string) (sweep.Sweep, error) {
	plan := sweep.Sweep{Store: sweep.Store(out), Code: digest(c, &s.Run)}
	if out != "" {
		if err := mayWriteIn(c, filepath.Join(out, "task.json")); err != nil {
			return plan, err
		}
	}
	var err error
	plan.Tasks, err = sweep.Tasks(s.Grid.list, s.Seed)
	return plan, err
}

func runSweep(c *bind.Call, p *struct {
	sweepSpec
	Out  string `arg:"out" doc:"directory for the results; none keeps them only in memory" default:""`
	Jobs int    `arg:"jobs" doc:"how many run at once" default:"1" allow:"[1,1024]"`
},
) (bind.Any, error) {
	plan, err := p.plan(c, p.Out)
	if err != nil {
		return bind.Any{}, err
	}
	if part, ok := sweep.PartOf(c); ok {
		return bind.Any{}, doPart(c, &p.sweepSpec, plan, part, p.Jobs)
	}
	return doSweep(c, &p.sweepSpec, plan, p.Jobs)
}

// doPart does the part of a plan that is this process's.
func doPart(c *bind.Call, s *sweepSpec, plan sweep.Sweep, part sweep.Part, jobs int) error {
	if plan.Store == "" {
		return fmt.Errorf("out: missing: this is part %d of %d, and all parts store their results in one directory, out = \"results\"", part.I, part.N)
	}
	all := len(plan.Tasks)
	plan.Tasks = part.Of(plan.Tasks)
	fmt.Fprintf(c.Out, "sweep: part %d of %d: %d of %d combinations\n", part.I, part.N, len(plan.Tasks), all)
	_, err := doSweep(c, s, plan, jobs)
	return err
}

// doSweep runs a plan and returns its rows.
func doSweep(c *bind.Call, s *sweepSpec, plan sweep.Sweep, jobs int) (bind.Any, error) {
	workers, err := s.workers(c, max(1, min(jobs, len(plan.Tasks))))
	if err != nil {
		return bind.Any{}, err
	}
	outcome, err := plan.Run(sweep.Whole(c), workers)
	if err != nil {
		return bind.Any{}, err
	}
	if outcome.Outdated > 0 {
		fmt.Fprintf(c.Out, "sweep: %d kept results were those of another version of run, and were computed again\n", outcome.Outdated)
	}
	if outcome.Damaged > 0 {
		fmt.Fprintf(c.Out, "sweep: %d kept results were damaged or of other combinations, as after a failure of the machine, and were computed again\n", outcome.Damaged)
	}
	for i, r := range outcome.Records {
		if r.Err == nil {
			continue
		}
		if outcome.Failed == len(plan.Tasks) {
			return bind.Any{}, r.Err
		}
		fmt.Fprintf(c.Out, "sweep: %d of %d combinations failed, the first with %s: %v\n", outcome.Failed, len(plan.Tasks), plan.Tasks[i], r.Err)
		break
	}
	return sweepTable(c, outcome.Records, s.Grid.objects(plan.Tasks)), nil
}

func slurmSweep(c *bind.Call, p *struct {
	sweepSpec
	Out     string   `arg:"out" doc:"directory for the results, seen by all machines of the cluster" allow:"nonempty"`
	Jobs    int      `arg:"jobs" doc:"how many run at once; 0 is no limit" default:"0" allow:">=0"`
	Time    string   `arg:"time" doc:"limit of a job, hours:minutes:seconds" default:""`
	Memory  string   `arg:"memory" doc:"of a job, 4G" default:""`
	CPUs    int      `arg:"cpus" doc:"processors of a job; 0 is the cluster's default" default:"0" allow:">=0"`
	Options []string `arg:"options" doc:"further options of sbatch, {\"--partition=short\"}" default:"nil"`
	Array   int      `arg:"max_array" doc:"how many jobs an array may have; each does several combinations if there are more" default:"1000" allow:">=1"`
	Command string   `arg:"command" doc:"what starts this program on the cluster; by default the path of the running one" default:""`
	Submit  bool     `arg:"submit" doc:"false writes the script only" default:"true"`
},
) (bind.Any, error) {
	plan, err := p.plan(c, p.Out)
	if err != nil {
		return bind.Any{}, err
	}
	b := sweep.Batch{
		Store: plan.Store, Jobs: p.Jobs, Time: p.Time, Memory: p.Memory, CPUs: p.CPUs, Options: p.Options, MaxArray: p.Array,
	}
	part, inJob, err := b.Part(plan.Tasks)
	if err != nil {
		return bind.Any{}, err
	}
	if inJob {
		plan.Tasks = part
		_, err := doSweep(c, &p.sweepSpec, plan, 1)
		return bind.Any{}, err
	}
	if part, ok := sweep.PartOf(c); ok { // on another scheduler than Slurm
		return bind.Any{}, doPart(c, &p.sweepSpec, plan, part, 1)
	}
	missing, outcome, err := plan.Missing()
	if err != nil {
		return bind.Any{}, err
	}
	if len(missing) == 0 {
		return sweepTable(c, outcome.Records, p.Grid.objects(plan.Tasks)), nil
	}
	if b.Command, err = thisScript(c, p.Command); err != nil {
		return bind.Any{}, err
	}
	tasks := make([]sweep.Task, len(missing))
	for i, at := range missing {
		tasks[i] = plan.Tasks[at]
	}
	return bind.Any{}, submit(c, b, tasks, p.Submit)
}

// submit writes the job array and gives it to the scheduler, if there is one.
func submit(c *bind.Call, b sweep.Batch, tasks []sweep.Task, wanted bool) error {
	if isSafe(c) {
		return fmt.Errorf("a script that runs by --safe cannot start jobs")
	}
	if job, running := b.Running(c); running {
		fmt.Fprintf(c.Out, "sweep: job %s has not ended; %d combinations to do\n", job, len(tasks))
		return nil
	}
	script, err := b.Write(tasks)
	if err != nil {
		return err
	}
	if !wanted || !sweep.CanSubmit() {
		fmt.Fprintf(c.Out, "sweep: %d combinations to do; submit them with: sbatch %s\n", len(tasks), script)
		return nil
	}
	job, err := b.Submit(c, script)
	if err != nil {
		return err
	}
	fmt.Fprintf(c.Out, "sweep: %d combinations to do, submitted as job %s; run this script again when it is done\n", len(tasks), job)
	return nil
}

// thisScript is the command that runs the running script again.
func thisScript(c *bind.Call, program string) ([]string, error) {
	if program == "" {
		path, err := os.Executable()
		if err != nil {
			return nil, fmt.Errorf("command: missing, and the path of this program is not known: %w", err)
		}
		program = path
	}
	arg, ok := c.L.G.Global.RawGetString("arg").(*lua.LTable)
	if !ok || arg.RawGet(lua.LNumber(0)) == lua.LNil {
		return nil, fmt.Errorf("must be called by a script in a file, which the jobs run again")
	}
	var options []string // what stands between the program and the script
	for i := lua.LNumber(-1); arg.RawGet(i-1) != lua.LNil; i-- {
		options = append(options, arg.RawGet(i).String())
	}
	slices.Reverse(options)
	command := append(append([]string{program}, options...), arg.RawGet(lua.LNumber(0)).String())
	for i := 1; arg.RawGetInt(i) != lua.LNil; i++ {
		command = append(command, arg.RawGetInt(i).String())
	}
	return command, nil
}
