package chunk

import (
	"strconv"

	"github.com/yuin/gopher-lua/ast"
)

// fieldsPerFlush is how many items gopher-lua collects in registers before it puts them into the table
// (lua.FieldsPerFlush, which is a variable but compiled into every program).
const fieldsPerFlush = 50

// MaxItems is how many items without a key a table constructor may have. After 25,550 gopher-lua loses them silently, and
// the time to compile grows with the square of the number of different constants.
const MaxItems = 25000

const dataHint = "keep data in a file and read it with array.load or data.load"

// constructor rewrites a table constructor.
//
//   - A call as the value of a key has one value, also at the end: {1, 2, k = f()} has two items.
//   - With a multiple of fifty items stored, a key that follows makes gopher-lua store the last fifty again, from registers
//     that hold other things by then. At the end of the constructor an item nil keeps them apart; elsewhere the keys move
//     before the fiftieth item.
//   - With a multiple of fifty items stored, a call or ... at the end is stored over the last fifty. A hidden function
//     appends its values instead.
func (r *rewriter) constructor(e *ast.TableExpr) ast.Expr {
	items := 0
	for _, field := range e.Fields {
		if field.Key == nil {
			items++
		} else {
			field.Value = single(field.Value)
		}
	}
	if items > MaxItems {
		panic(&SyntaxError{
			File: r.tree.Name, Line: e.Line(), Hint: dataHint,
			Message: "a table constructor of " + strconv.Itoa(items) + " items: at most " + strconv.Itoa(MaxItems) + " can be written out",
		})
	}
	if items < fieldsPerFlush {
		return e
	}
	last := e.Fields[len(e.Fields)-1]
	appended := last.Key == nil && isMulti(last.Value) && (items-1)%fieldsPerFlush == 0
	if appended {
		e.Fields = e.Fields[:len(e.Fields)-1]
		items--
	}
	e.Fields = separate(e.Fields, items)
	if !appended {
		return e
	}
	line := last.Value.Line()
	return r.hidden.call(hiddenAppend, line, e, on(line, &ast.NumberExpr{Value: strconv.Itoa(items)}), last.Value)
}

// separate moves the keys that directly follow a fiftieth item.
func separate(fields []*ast.Field, items int) []*ast.Field {
	separated := make([]*ast.Field, 0, len(fields)+1)
	count := 0
	for i, field := range fields {
		if field.Key == nil {
			count++
			separated = append(separated, field)
			continue
		}
		if count == 0 || count%fieldsPerFlush != 0 {
			separated = append(separated, field)
			continue
		}
		if count == items { // no item follows
			line := field.Value.Line()
			separated = append(separated, &ast.Field{Value: on(line, &ast.NilExpr{})})
			return append(separated, fields[i:]...)
		}
		fiftieth := len(separated) - 1
		separated = append(separated, separated[fiftieth])
		separated[fiftieth] = field
	}
	return separated
}
