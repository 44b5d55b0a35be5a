package chunk_test
import ("testing";"fmt";"github.com/greenbench/workbench/workbench/chunk/luafuzz";"os";"strconv")
func TestShow(t *testing.T){ n,_:=strconv.ParseUint(os.Getenv("N"),10,64); fmt.Println(luafuzz.Program(n, luafuzz.Features{Goto: os.Getenv("G")!=""})) }
