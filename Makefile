STATICCHECK := go run honnef.co/go/tools/cmd/staticcheck@v0.8.2
GOFUMPT     := go run mvdan.cc/gofumpt@v0.12.0
BENCHSTAT   := go run golang.org/x/perf/cmd/benchstat@v0.0.0-20260908200009-22c9c6c9d4da

export CGO_ENABLED ?= 0

help: ## this list
	@grep -hE '^[a-z-]+:.*## ' Makefile | sed 's/:.*## /\t/' | expand -t 14

build: ## bin/workbench
	go build -o bin/workbench ./workbench

test: ## every test: unit, contract, scripts, examples; under two minutes
	go test ./...

# Packages with tests of more cases than those that tell most.
CASES = $(sort $(dir $(shell grep -rlE 'testmain[.](EveryCase|Long|StopsAnywhere|Stride)' --include='*_test.go' .)))

test-all: ## every case of the tests that try some, and the manual in a browser
	WORKBENCH_TESTS=cases go test -timeout 40m $(CASES)

test-levels: ## the numeric tests without AVX-512, then without AVX2, as on machines that have neither
	GOMAXPROCS=2 go test -timeout 40m -exec '$(CURDIR)/tools/levels.sh' ./numeric/... ./internal/...
	go test -tags poison ./internal/numeric/arrays # memory that is not cleared is filled with what is wrong everywhere

# Packages whose tests say whether another processor computes the same, in a minute or two under emulation.
ARM_TESTS := $(addprefix ./internal/,numeric/simd numeric/fft numeric/linop numeric/solve numeric/sparse numeric/arrays elementary)
ARM_FITS  := TestEveryRouteHasOneTolerance|TestConstrainedFewSamples|TestMissingOutputs$$

test-arm: export GOOS = linux
test-arm: export GOARCH = arm64
test-arm: ## a smoke test for linux/arm64 under qemu (Debian: apt-get install qemu-user-static)
	go test -short -exec qemu-aarch64-static $(ARM_TESTS)
	go test -short -exec qemu-aarch64-static -run '$(ARM_FITS)' ./numeric/fit

race: ## the tests with the race detector (needs a C compiler)
	CGO_ENABLED=1 go test -race ./...

fmt: ## format every file
	$(GOFUMPT) -w .

lint: ## formatting, go vet, staticcheck
	@test -z "$$($(GOFUMPT) -l .)" || { $(GOFUMPT) -l .; echo "run: make fmt"; exit 1; }
	go vet ./...
	$(STATICCHECK) ./...

subjects: ## the last ten commits have subjects of at most 72 characters
	@! git log -10 --format='%<(72,trunc)%s' | grep '\.\.$$' || { echo "these subjects are longer than 72 characters"; exit 1; }

bench: build ## what people wait for, beside NumPy, OpenBLAS, C and Lua: a table, out/bench.json, a growth plot; BENCH='-rows eigh'
	go run ./tools/bench $(BENCH)

bench-diff: build ## the same beside the program of another commit, in turn: AGAINST=v0.1.0 BENCH='-rows lines'
	go run ./tools/bench -against $(or $(AGAINST),HEAD~1) -out out/bench-diff.json $(BENCH)

bench-go: ## Go's benchmarks, with accuracy beside time, into out/bench.txt
	@mkdir -p out
	go test -run '^$$' -bench . -count 3 ./... | tee out/bench.txt

bench-growth: ## how the seconds of fifteen kinds of fits grow with their weights, as powers
	GOMAXPROCS=1 go test -run '^$$' -bench Growth -benchtime 1x ./bindings

bench-scripts: ## what a scripted kernel costs: pairs a second, against Lua, definition, scattered data
	go test -run '^$$' -bench 'Product|Transcendental' -benchtime 1s ./internal/numeric/kernels ./internal/numeric/simd
	go test -run '^$$' -bench 'Define|AgainstLua|Scattered' -benchtime 1s ./bindings

live: build ## the manual whose code runs in the browser, into out/manual
	go run ./tools/live
	bin/workbench doc --html out/manual --live

# Studies of many small fits, and figures that hold nothing to a time, leave half of two processors idle, so two run at once,
# the longest first. Those alone have large fits, which use both and are held to a time or shown with it.
PAPER_STUDIES := figure7 figure3 rates figure8 figure10 figure9 figure1 oscillator
PAPER_ALONE   := figure2 figure4 figure5 figure6

paper: build ## the figures of the paper, and out/paper.html with all of them
	@printf '%s\n' $(PAPER_STUDIES) | xargs -P 2 -I{} sh -c 'text=$$(bin/workbench scripts/paper/{}.lua 2>&1); failed=$$?; echo "$$text"; exit $$failed'
	@for f in $(PAPER_ALONE); do bin/workbench scripts/paper/$$f.lua || exit 1; done
	bin/workbench scripts/paper/page.lua

fuzz: ## every fuzz target, ten seconds each
	@for p in $$(grep -rl 'func Fuzz' --include='*_test.go' . | xargs -n1 dirname | sort -u); do \
	  for f in $$(go test -list '^Fuzz' $$p | grep '^Fuzz'); do \
	    echo "== $$p $$f"; go test -run '^$$' -fuzz "^$$f$$" -fuzztime 10s $$p || exit 1; \
	  done; \
	done

fuzz-lua: ## 20,000 generated programs against lua5.1 or luajit, where one is installed
	go test ./workbench/chunk -run 'TestDifferential|TestPowersLikeC' -fuzzlua 20000 -v -timeout 60m

mutate: ## whether tests would see a mistake: 60 small changes, the tests that run each; out/mutate remembers what those reach
	go run ./tools/mutate -n 60 -seed 1

release: ## programs for five systems, archives, Debian packages and checksums, into out/release
	go run ./tools/release

notices: ## THIRD_PARTY_NOTICES, after a change of go.mod
	@mkdir -p out
	go run ./tools/notices > out/notices && mv out/notices THIRD_PARTY_NOTICES

golden: ## rewrite golden files, then look at the difference
	@for p in $$(grep -rl 'flag.Bool("update"' --include='*_test.go' . | xargs -n1 dirname | sort -u); do go test $$p -update; done
	go run ./workbench test --update-golden scripts/tests
	git diff --stat

check: lint test ## what must pass before every commit
