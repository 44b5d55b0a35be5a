package everywhere

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
)

// What make release stamps with -ldflags -X; empty otherwise.
var release, commit string

// Version is the version of the program and the commit that it was built from:
// "workbench v1.2.0 (commit 0123456789ab, go1.26.0, linux/amd64)". A build of changed
// files says so. Without a stamp both are what Go noted in the program.
func Version() string {
	info, _ := debug.ReadBuildInfo()
	return fmt.Sprintf("workbench %s, %s, %s/%s)", origin(info, release, commit), runtime.Version(), runtime.GOOS, runtime.GOARCH)
}

// origin is the version and "(commit …", or what is known of them.
func origin(info *debug.BuildInfo, version, commit string) string {
	if info == nil {
		info = &debug.BuildInfo{}
	}
	noted := map[string]string{}
	for _, s := range info.Settings {
		noted[s.Key] = s.Value
	}
	if commit == "" {
		commit = noted["vcs.revision"]
		if commit != "" && noted["vcs.modified"] == "true" {
			commit += " with changes"
		}
	}
	if version == "" {
		version = info.Main.Version
	}
	if version == "" || version == "(devel)" {
		version = "development"
	}
	if commit == "" { // go install …@v0.0.0-20260102030405-0123456789ab has no other note of it
		if parts := strings.Split(version, "-"); len(parts) >= 3 {
			commit, _, _ = strings.Cut(parts[len(parts)-1], "+")
		}
	}
	if commit == "" {
		return version + " (commit unknown"
	}
	const short = 12
	hash, changes, _ := strings.Cut(commit, " ")
	return strings.TrimSpace(fmt.Sprintf("%s (commit %.*s %s", version, short, hash, changes))
}
