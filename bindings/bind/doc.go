// Package bind turns one declaration of a Lua function into everything the
// workbench needs of it: registration, argument checking, error texts, help,
// search, and the data that completion, lint, the manual and editor definitions
// work from. It is the only package that knows both reflection and Lua.
//
// # Declaring
//
// A [Module] is one Lua table. Its functions come from [Fn], whose argument
// struct is the parameter list (the code reads the fields that help prints, so
// they cannot drift apart), or from [Make], whose argument struct is also the
// value that is made:
//
//	bind.Fn("uniform", "Equally spaced points on [a, b].", func(c *bind.Call, p *struct {
//		A    float64 `arg:"a" pos:"1" doc:"left end"`
//		B    float64 `arg:"b" pos:"2" doc:"right end"`
//		N    int     `arg:"n" pos:"3" doc:"number of points" allow:">=2"`
//		Name string  `arg:"name" pos:"4" doc:"name of the axis" default:"x"`
//	}) (mesh.Mesh, error) {
//		return mesh.Uniform(p.A, p.B, p.N, p.Name)
//	}, bind.Example(`mesh.uniform(0, 1, 3).size  --> 3`))
//
// A [Type] is a Go type that Lua sees as a value with methods, properties and
// operators; make it with [TypeOf]. [Members] are names that each value has of its
// own. A method is an Fn whose struct begins with
// the receiver, tagged arg:"self".
//
// # Tags of an argument field
//
//	arg:"name"       name in Lua (otherwise the Go name in lower case with underscores);
//	                 "self" is the receiver, "-" leaves the field alone
//	doc:"…"          what it is, with its unit or shape
//	default:"…"      value when absent: a number, true, false, a word, {} or {1,2};
//	                 "nil" leaves the field at its zero value
//	pos:"1"          given by position; pos:"..." is a slice of all that follow,
//	                 or one list of them; pos:"list" is the array part of the one
//	                 table of named arguments: plot.lines{ {…}, {…}, file = "a.png" }
//	allow:"…"        what is allowed: >0, >=2, (0,1], one|two|three, nan, finite, nonempty
//
// Fields without pos are named. A function without positional fields takes one
// table, f{a=1, b=2}; with them it takes a last, optional table of the named
// ones, and that table may also name positional arguments that were not given.
// A field is required unless it has a default, is positional "..." or "list",
// or points to a plain value (*float64, *int, *string, *bool, *[]T, or a struct
// with arg tags).
//
// # Go types an argument can have
//
// float64 and the integers (integral values only; NaN is refused unless
// allowed), bool, string, []T, map[string]T, structs with arg tags (a table with
// those names), [Function], [Any], the unions [Auto], [OrFalse] and [Either],
// every registered type by Go assignability (interfaces too), types that
// implement [Decoder], and types that an [Adapter] knows. Results may have the
// same types; a struct with arg tags becomes a table that prints itself, and
// [Results] are several values.
//
// # Using
//
// [New] collects modules in a [Registry], [Registry.Open] installs them in a Lua
// state. [Registry.Page] and [Registry.Search] are for people,
// [Registry.Manual] and [Registry.Functions] describe everything as data.
// [Registry.Check] lists what a declaration forgot. A Go program that is not
// called through a bound function gets a [Call] with [At], and with it [Decode]
// and [Call.Lua].
//
// # Design
//
// Reflection happens once per declaration; a malformed tag panics there, so that
// any test finds it. A call costs about one microsecond. Errors are raised as
// text with file:line for Lua, and carry an [*Error] as the Cause of the
// lua.ApiError for the host.
package bind
