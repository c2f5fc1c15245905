package release

import (
	"runtime/debug"
	"testing"

	"golang.org/x/mod/semver"
)

// TestVersionOfABuild: a tagged build is the release, any other comes before it and names
// its commit, and one without history builds and says so.
func TestVersionOfABuild(t *testing.T) {
	t.Parallel()
	commit := []debug.BuildSetting{{Key: "vcs.revision", Value: "0123456789abcdef0123"}, {Key: "vcs.modified", Value: "false"}}
	changed := []debug.BuildSetting{{Key: "vcs.revision", Value: "0123456789abcdef0123"}, {Key: "vcs.modified", Value: "true"}}
	for want, info := range map[string]*debug.BuildInfo{
		Number():                             {Main: debug.Module{Version: "v" + Number()}, Settings: commit},
		Number() + "-dev":                    {Main: debug.Module{Version: "(devel)"}},
		Number() + "-dev+0123456789ab":       {Main: debug.Module{Version: "v0.0.0-20261128000000-0123456789ab"}, Settings: commit},
		Number() + "-dev+0123456789ab.dirty": {Main: debug.Module{Version: "(devel)"}, Settings: changed},
	} {
		got := versionOf(info)
		if got != want {
			t.Errorf("%+v is %s, want %s", info, got, want)
		}
		if !semver.IsValid("v" + got) {
			t.Errorf("%s is no semantic version", got)
		}
		if got != Number() && semver.Compare("v"+got, "v"+Number()) >= 0 {
			t.Errorf("%s does not come before %s", got, Number())
		}
	}
}
