package check

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// The worked examples of the specification and its broken variants: the code
// and the line of every finding that the specification names.
var worked = map[string][]string{
	"lighthouse.holo": {"7 hint LNT001"},
	"lighthouse_broken.holo": {
		"2 error SYN008", "3 warning TRT003", "3 warning TRT001", "3 hint LNT001", "4 error SYN001", "5 error SYN008", "5 warning TYP005",
		"6 warning BLK001", "7 error SYN001", "7 warning NAM001", "8 warning NAM007", "8 info LNT007",
	},
	"cold_chain.hs": {},
	"cold_chain_broken.hs": {
		"2 error NAM006", "2 warning FLO001", "3 error SYN007", "5 warning FLO009", "7 error SYN020", "8 warning FLO007", "9 error FLO005",
		"10 warning BLK007",
	},
	"lift.hsplus":        {"hint LNT001 'Floor'", "hint LNT001 'doors'", "info BLK004 Event 'arrived'", "info BLK004 Event 'fault'", "info BLK004 Event 'reset'"},
	"lift_broken.hsplus": {"1 error IMP002", "5 error TYP001", "6 error SYN013", "11 error STM002", "13 error NAM011"},
}

func TestWorkedExamples(t *testing.T) {
	t.Parallel()
	dir := "../parse/testdata/spec"
	modules := project(t, "../../examples")
	for name, want := range worked {
		raw, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		r := judgeText(t, modules, name, string(raw))
		left := slices.Clone(want)
		for _, d := range r.Diagnostics {
			line := fmt.Sprintf("%d %s %s", d.Line, d.Severity, d.Code)
			i := slices.IndexFunc(left, func(w string) bool {
				return w == line || strings.HasPrefix(fmt.Sprintf("%s %s %s", d.Severity, d.Code, d.Message), w)
			})
			if i < 0 {
				t.Errorf("%s: not in the specification: %v", name, d)
				continue
			}
			left = slices.Delete(left, i, i+1)
		}
		for _, w := range left {
			t.Errorf("%s: missing: %s", name, w)
		}
	}
}
