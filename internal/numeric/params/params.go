// Package params writes parameter structs as text.
package params

import (
	"fmt"
	"reflect"
	"strings"
)

// Text is a parameter struct as its name with its parameters: the arg tag of each field,
// then its value. Fields without the tag or with -, and flags that are false, are left out.
func Text(name string, p any) string {
	v := reflect.ValueOf(p)
	var args []string
	for i := range v.NumField() {
		if tag := v.Type().Field(i).Tag.Get("arg"); tag != "" && tag != "-" && v.Field(i).Interface() != false {
			args = append(args, tag+"="+fmt.Sprint(v.Field(i).Interface()))
		}
	}
	return name + "{" + strings.Join(args, ", ") + "}"
}
