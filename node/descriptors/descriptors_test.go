package descriptors_test

import (
	"testing"

	"github.com/meshd/meshd/node/descriptors"
)

// What all listeners together may open leaves the store its part, at any limit.
func TestSharesFitTheLimit(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		limit uint64
		high  int
		want  descriptors.Share
		kept  int
	}{
		{256, 128, descriptors.Share{Limit: 256, Store: 64, Peers: 64, HTTP: 128}, 32},
		{1024, 128, descriptors.Share{Limit: 1024, Store: 256, Peers: 256, HTTP: 512}, 128},
		{65536, 128, descriptors.Share{Limit: 65536, Store: 1256, Peers: 256, HTTP: 12288}, 128},
		{1 << 63, 1000, descriptors.Share{Limit: 1 << 20, Store: 1256, Peers: 2000, HTTP: 12288}, 1000},
	} {
		got := descriptors.Of(tc.limit, tc.high)
		if got != tc.want || got.High(tc.high) != tc.kept {
			t.Errorf("%d: %+v with %d kept, want %+v with %d", tc.limit, got, got.High(tc.high), tc.want, tc.kept)
		}
	}
	for limit := range uint64(5000) {
		s := descriptors.Of(limit, 128)
		if s.Peers < 1 || s.HTTP < 1 || s.Low(64, 128) >= s.High(128) {
			t.Fatalf("%d: %+v keeps %d to %d", limit, s, s.Low(64, 128), s.High(128))
		}
		if limit >= 128 && s.Store+s.Peers+s.HTTP > int(limit) {
			t.Fatalf("%d: %+v is more", limit, s)
		}
	}
}
