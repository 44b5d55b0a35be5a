package screen_test

import (
	"fmt"
	"log"
	"math"

	"github.com/greenbench/workbench/internal/numeric/plot"
	"github.com/greenbench/workbench/workbench/screen"
)

// The Green's function of the Poisson equation, as text.
func Example() {
	const n = 21
	x := make([]float64, n)
	for i := range x {
		x[i] = float64(i) / (n - 1)
	}
	values := make([][]float64, n)
	for i := range values {
		values[i] = make([]float64, n)
		for j := range values[i] {
			values[i][j] = math.Min(x[i], x[j]) - x[i]*x[j]
		}
	}
	fig := plot.Heatmap{Values: values, X: x, Y: x, Title: "$G(x,y)$", XLabel: "$x$", YLabel: "$y$"}

	text, err := screen.Text(fig, screen.Options{Width: 36, Height: 14})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(text)
	// Output:
	//     G(x, y)
	//  y
	//  +----------------+
	// 1+.........::::::.| @@
	//  |...::---==++*+-.| %% 0.2
	//  |..:--=++*###*=:.| ##
	//  |.:-=+*#%@%#*=-:.| **
	//  |.:=+*%@@%#*+=-:.| ==
	//  |.:=*###**+=--:..| --
	//  |.-+*++==---::...| ::
	// 0+.::::::.........| .. 0.0
	//  ++--------------++
	//   0              1
	//          x
}
