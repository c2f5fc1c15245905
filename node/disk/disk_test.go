package disk_test

import (
	"strings"
	"testing"

	"github.com/meshd/meshd/node/disk"
)

func TestLevelsComeInOrder(t *testing.T) {
	t.Parallel()
	const least = 256
	for _, tc := range []struct {
		free, headroom uint64
		want           disk.Level
	}{
		{1000, 0, disk.Roomy},
		{384, 0, disk.Roomy},
		{383, 0, disk.Scarce},
		{320, 0, disk.Scarce},
		{319, 0, disk.Urgent},
		{256, 0, disk.Urgent},
		{255, 0, disk.Full},
		{0, 0, disk.Full},
		{1000, 700, disk.Urgent}, // what the engine takes is not free
		{1000, 2000, disk.Full},
	} {
		var g disk.Guard
		if got := g.Look(tc.free, tc.headroom, least); got.Level != tc.want {
			t.Errorf("%d free, %d taken by the engine: %s, want %s", tc.free, tc.headroom, got.Level, tc.want)
		}
	}
}

// A compaction takes room and gives it back: a level ends only once there is
// clearly more.
func TestLevelsDoNotFlap(t *testing.T) {
	t.Parallel()
	const least = 256
	var g disk.Guard
	for i, step := range []struct {
		free uint64
		want disk.Level
	}{
		{500, disk.Roomy}, {250, disk.Full}, {257, disk.Full}, {271, disk.Full}, {272, disk.Urgent}, {335, disk.Urgent}, {336, disk.Scarce},
		{390, disk.Scarce}, {250, disk.Full}, {400, disk.Roomy}, {390, disk.Roomy},
	} {
		if got := g.Look(step.free, 0, least); got.Level != step.want {
			t.Errorf("step %d, %d free: %s, want %s", i, step.free, got.Level, step.want)
		}
	}
}

func TestStateSaysWhatItMeans(t *testing.T) {
	t.Parallel()
	var g disk.Guard
	text := g.Look(300<<20, 40<<20, 256<<20).Text()
	for _, want := range []string{"300 MiB free", "40 MiB", "changes of others are refused"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q lacks %q", text, want)
		}
	}
}
