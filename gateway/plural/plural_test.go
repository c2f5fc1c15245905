package plural_test

import (
	"testing"

	"github.com/meshd/meshd/gateway/plural"
)

func TestCount(t *testing.T) {
	t.Parallel()
	for want, got := range map[string]string{
		"1 entry": plural.Count(1, "entry"), "0 entries": plural.Count(0, "entry"), "2 keys": plural.Count(2, "key"),
		"1 address": plural.Count(uint64(1), "address"), "3 addresses": plural.Count(3, "address"), "2 open bounties": plural.Count(2, "open bounty"),
		"1 fault": plural.Count(1, "fault"), "2 faults": plural.Count(2, "fault"), "2 branches": plural.Count(2, "branch"), "2 days": plural.Count(2, "day"),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
