package everywhere

import (
	"regexp"
	"runtime/debug"
	"testing"
)

func TestVersion(t *testing.T) {
	built := func(version string, settings ...debug.BuildSetting) *debug.BuildInfo {
		return &debug.BuildInfo{Main: debug.Module{Version: version}, Settings: settings}
	}
	const hash = "0123456789abcdef0123456789abcdef01234567"
	revision, changed := debug.BuildSetting{Key: "vcs.revision", Value: hash}, debug.BuildSetting{Key: "vcs.modified", Value: "true"}
	for _, c := range []struct {
		info            *debug.BuildInfo
		version, commit string
		want            string
	}{
		{nil, "", "", "development (commit unknown"},
		{built("(devel)"), "", "", "development (commit unknown"},
		{built("(devel)", revision), "", "", "development (commit 0123456789ab"},
		{built("(devel)", revision, changed), "", "", "development (commit 0123456789ab with changes"},
		{built("v0.1.0"), "", "", "v0.1.0 (commit unknown"},
		{built("v0.0.0-20260102030405-fedcba987654"), "", "", "v0.0.0-20260102030405-fedcba987654 (commit fedcba987654"},
		{built("v0.0.0-20260102030405-fedcba987654+dirty"), "", "", "v0.0.0-20260102030405-fedcba987654+dirty (commit fedcba987654"},
		{built("(devel)", revision), "v0.1.0", "fedcba9876543210 with changes", "v0.1.0 (commit fedcba987654 with changes"},
	} {
		if got := origin(c.info, c.version, c.commit); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
	if !regexp.MustCompile(`^workbench \S+ \(commit [^,]+, go\S+, \w+/\w+\)$`).MatchString(Version()) {
		t.Errorf("Version is %q", Version())
	}
}
