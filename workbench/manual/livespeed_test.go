package manual_test

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// checkCold opens the playground in a browser that has seen nothing of it, and a guide after
// that: the first result of each is there, and how long it took is said.
func checkCold(t *testing.T, b *browser, base string) {
	b.look(t, 1600, 900, "light")
	for _, first := range []struct{ page, run, output string }{
		{"playground.html", `Workbench.submit("1 + 1")`, `#live-log section:last-of-type .live-output`},
		{"getting-started.html", `Workbench.runTo(Workbench.blocks[0])`, `.live-output`},
	} {
		b.open(t, base+first.page)
		var got struct {
			At    float64
			Shown string
		}
		b.eval(t, fmt.Sprintf(`%s.then(() => ({at: performance.now(), shown: document.querySelector(%q).textContent}))`, first.run, first.output), &got)
		if first.page == "playground.html" && got.Shown != "2\n" {
			t.Errorf("1 + 1 shows %q", got.Shown)
		}
		t.Logf("%s: the first result is there %.1f s after the page was asked for", first.page, got.At/1e3)
	}
}

// checkStop ends a loop, after which the session goes on.
func checkStop(t *testing.T, b *browser, base string) {
	b.open(t, base+"playground.html")
	var shown string
	b.eval(t, `(async () => {
		await Workbench.submit("x = 5");
		const run = Workbench.submit("while true do end");
		await new Promise((done) => setTimeout(done, 300));
		document.getElementById("live-stop").click();
		await run;
		await Workbench.submit("x");
		return [...document.querySelectorAll("#live-log .live-output")].map((e) => e.textContent).join("|");
	})()`, &shown)
	if !strings.HasPrefix(shown, "|interrupted at input[2]:1, after") || !strings.HasSuffix(shown, "|5\n") {
		t.Errorf("after Stop: %q", shown)
	}
}

// fit10000 fits 10,000 weights of G, and says how long that took.
const fit10000 = `m = mesh.uniform(0, 1, 100) d = pde.helmholtz{mesh = m}:sample{n = 100, input = {kernel = kernel.se{lengthscale = 0.2}}, seed = 1}
est = green.fit{data = d, kernel = kernel.matern{nu = 1.5, lengthscale = 0.5}} print(est.report.converged)`

// checkSpeed compares a fit with the same in a process of its own, on one processor and without
// vector instructions; machines that do something else beside it decide nothing.
func checkSpeed(t *testing.T, b *browser, base string) {
	b.open(t, base+"playground.html")
	const times = 3
	var took []float64
	b.eval(t, fmt.Sprintf(`(async () => {
		await Workbench.submit("1");
		const took = [];
		for (let i = 0; i < %d; i++) {
			const from = performance.now();
			await Workbench.submit(%q);
			took.push((performance.now() - from) / 1e3);
		}
		return took;
	})()`, times, fit10000), &took)
	var shown string
	b.eval(t, `document.querySelector("#live-log section:last-of-type .live-output").textContent`, &shown)
	if !strings.HasPrefix(shown, "true") {
		t.Errorf("the fit says %q", shown)
	}
	plain := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestFitTimes$", "-test.v")
	plain.Env = append(os.Environ(), "GOMAXPROCS=1", "GODEBUG=cpu.avx2=off,cpu.avx512f=off", "WORKBENCH_FITS="+fmt.Sprint(times))
	out, err := plain.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Logf("a fit of 10,000 weights: %.2f s in the browser; %s", took, out)
}

// TestFitTimes is run by checkSpeed.
func TestFitTimes(t *testing.T) {
	var times int
	if fmt.Sscan(os.Getenv("WORKBENCH_FITS"), &times); times == 0 {
		t.Skip("a part of TestLiveBrowser")
	}
	s, said := newSession(t, false)
	for range times {
		began := time.Now()
		if s.Run(t.Context(), fit10000); !strings.Contains(said.take(), "true") {
			t.Fatal("the fit has not converged")
		}
		t.Logf("plain Go: %.2f s", time.Since(began).Seconds())
	}
}
