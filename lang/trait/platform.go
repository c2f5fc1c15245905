package trait

import (
	"slices"

	"github.com/meshd/meshd/lang/diag"
)

// platforms are the categories of platforms with their members; a category
// without members is a platform itself (language.md §7, rule 12).
var platforms = []struct {
	category string
	members  []string
}{
	{"vr", []string{"quest3", "pcvr", "visionos", "android-xr"}},
	{"ar", []string{"visionos-ar", "android-xr-ar", "webxr"}},
	{"mobile", []string{"ios", "android"}},
	{"desktop", []string{"windows", "macos", "linux", "web"}},
	{"automotive", nil},
	{"wearable", nil},
}

// Platforms lists what a platform name stands for: a category its members, a
// platform itself. It is false for a name that is neither.
func Platforms(name string) ([]string, bool) {
	for _, p := range platforms {
		if p.category == name && p.members != nil {
			return slices.Clone(p.members), true
		}
		if p.category == name || slices.Contains(p.members, name) {
			return []string{name}, true
		}
	}
	return nil, false
}

// PlatformNames are all names Platforms knows, in the order of their categories.
func PlatformNames() []string {
	var out []string
	for _, p := range platforms {
		out = append(append(out, p.category), p.members...)
	}
	return out
}

var platformSpelling = newSpelling(PlatformNames())

// checkPlatform judges one name in @platform(…).
func checkPlatform(name string, arg int) []Finding {
	if _, ok := Platforms(name); ok {
		return nil
	}
	f := Finding{Code: diag.Code("TRT012"), Severity: diag.Warning, Arg: arg, Slots: []string{name, ""}}
	if near, ok := platformSpelling.nearest(name); ok {
		f.Slots[1], f.Suggestion = hint(near), near
		f.Remedy, f.Text = ReplaceValue, near
	}
	return []Finding{f}
}
