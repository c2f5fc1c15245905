package meshd_test

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// scenarios are the faults that this program must withstand: what happens, what a release
// must show, and the packages whose tests show it. A test is named TestScenarioNN and
// what it is about; with -v it prints its figure beside the bar, and in full size
// where MESHD_NIGHTLY=1 is set.
var scenarios = []struct {
	number    int
	what, bar string
	pkgs      string // "" where any package will do
}{
	{1, "split in halves for an hour, both write, heal", "agreement ≤ 30 s after healing, 0 acknowledged writes lost", "node/world"},
	{2, "one-way link that flaps for 10 min", "agreement ≤ 60 s after it stops, goroutines end", "node/world"},
	{3, "node away for 30 days, a million changes behind", "useful reads ≤ 10 s, complete ≤ 5 min, ≤ 512 MB", ""},
	{4, "cold join while a peer lies", "set complete, lie found with a second peer", "node/world"},
	{5, "clocks an hour off, one years ahead", "far future not admitted, nothing honest refused, one order", "node/world"},
	{6, "crash at every fsync with 0, 50 and 100 % of unsynced data", "opens, 0 acknowledged writes lost, 0 half writes, ≤ 2 s per GB of log tail", "crdt/log node gateway/state"},
	{7, "bit flips in log, index, bundle, blob", "every flip found, healed from peers, damage never served", ""},
	{8, "disk full in ingest and in compaction", "read-only ≤ 1 s, reads go on, writes again ≤ 10 s after room", "node"},
	{9, "malformed flood by three attackers", "cut off ≤ 5 s, honest p99 < 2 × baseline, < +64 MB", ""},
	{10, "validly signed spam by 10,000 fresh keys", "honest share ≥ 99 % after 60 s, disk ≤ quota, sets equal", "node"},
	{11, "replay of old changes", "0 duplicates", "node/world"},
	{12, "an author tells two halves two stories", "both heads on all nodes ≤ 10 s, same effect", "node/world"},
	{13, "capability revoked while its holder is cut off and back-dates", "0 above the cut, all below, equal views ≤ 10 s after healing", "node"},
	{14, "delegations past, for others, widened, cyclic, 64 deep, of mixed versions", "100 % refused with their codes, ≤ 1 ms each, 10⁷ lattices widen nothing", "gateway/rest identity/ucan/v0 identity/ucan/v1"},
	{15, "a guild's root key rotates under load", "0 writes refused, old key without effect above the cut, members do nothing", "node"},
	{16, "eclipse: 200 Sybils against one node", "honest messages p99 ≤ 5 s, alarm ≤ 60 s", ""},
	{17, "cold boot and covert flash", "delivery ≥ 99.9 % within 10 s, mesh whole ≤ 60 s", ""},
	{18, "slow peers and slow readers", "≤ 1 MiB buffered each, then cut, healthy p99 within 10 %", ""},
	{19, "hot object: 50 writers, 5,000 edits, 256 KiB", "successor at the cap, 0 edits lost, load ≤ 200 ms, one edit ≤ 8 kB", "node"},
	{20, "60 % of nodes behind NAT", "all reachable ≤ 30 s, ≥ 65 % direct, dead relay replaced ≤ 15 s", ""},
	{21, "upgrade N → N+1 → N and homes of older builds", "same ids, rows and view hash, a newer format refuses cleanly", "cmd/meshd"},
	{22, "one of three gateways killed at 2,000 requests a second", "0 acknowledged writes lost, errors < 0.1 %, streams resume", ""},
	{23, "one POST five times across two gateways", "one entry, one charge, equal replies", ""},
	{24, "purged here while peers hold it", "never served or stored again, fingerprints equal", "node"},
	{25, "soak at twice the load with churn", "slopes < 1 % an hour, disk amplification < 3 ×", ""},
	{26, "payment: crash between reserve, send and serve, replayed authorisation", "paid once or nothing taken, nonce never spent twice", "gateway/rest"},
	{27, "a gateway's vault writes for an hour", "rotations by controllers remove exactly that hour on every node", "node"},
	{28, "jobs that spin, allocate, flood and fetch private addresses", "stopped at their budget, node p99 within 10 %, code in the audit", ""},
}

var namesScenario = regexp.MustCompile(`(?m)^func (TestScenario(\d+)\w*)\(`)

// Each scenario has a test in every package that its row names, and each test of a
// scenario has a row.
func TestScenariosHaveTests(t *testing.T) {
	t.Parallel()
	found := map[string]map[string][]string{} // tests by number, then package
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (strings.HasPrefix(d.Name(), ".") && path != "." || d.Name() == "node_modules" || d.Name() == "testdata"):
			return fs.SkipDir
		case !strings.HasSuffix(path, "_test.go"):
			return nil
		}
		src, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, m := range namesScenario.FindAllSubmatch(src, -1) {
			number, pkg := string(m[2]), filepath.ToSlash(filepath.Dir(path))
			if found[number] == nil {
				found[number] = map[string][]string{}
			}
			found[number][pkg] = append(found[number][pkg], string(m[1]))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	rows := map[string]bool{}
	for i, s := range scenarios {
		number := fmt.Sprintf("%02d", s.number)
		rows[number] = true
		if s.number != i+1 || s.what == "" || s.bar == "" {
			t.Errorf("row %d is about scenario %d: %q, %q", i+1, s.number, s.what, s.bar)
		}
		if len(found[number]) == 0 {
			t.Errorf("scenario %s, %s: no test is named TestScenario%s…", number, s.what, number)
			continue
		}
		for _, pkg := range strings.Fields(s.pkgs) {
			if len(found[number][pkg]) == 0 {
				t.Errorf("scenario %s, %s: %s has no test named TestScenario%s…", number, s.what, pkg, number)
			}
		}
	}
	for number, pkgs := range found {
		if rows[number] {
			continue
		}
		for pkg, tests := range pkgs {
			slices.Sort(tests)
			t.Errorf("%s: %v: no scenario has that number (two digits)", pkg, tests)
		}
	}
	if len(scenarios) != 28 {
		t.Errorf("%d scenarios, want 28", len(scenarios))
	}
}
