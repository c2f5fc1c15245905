package simnet

import (
	"net"
	"testing"
	"testing/synctest"
	"time"

	"github.com/marcopolo/simnet"
)

func TestRoutersLetInWhatWasAskedFor(t *testing.T) {
	t.Parallel()
	for _, tc := range []struct {
		name   string
		a, b   NAT
		first  bool // a sends to b before b sends to a
		after  time.Duration
		passes bool
	}{
		{"open to open", Open, Open, false, 0, true},
		{"unasked to cone", Cone, Open, false, 0, false},
		{"answer to cone", Cone, Open, true, 0, true},
		{"late answer to cone", Cone, Open, true, natIdle + time.Second, false},
		{"answer to symmetric", Symmetric, Open, true, 0, true},
		{"unasked to symmetric", Symmetric, Open, false, 0, false},
		{"cone and cone at once", Cone, Cone, true, 0, true},
		{"cone to cone, unasked", Cone, Cone, false, 0, false},
		{"symmetric and cone at once", Symmetric, Cone, true, 0, false},
		{"cone and symmetric at once", Cone, Symmetric, true, 0, false},
	} {
		synctest.Test(t, func(t *testing.T) {
			w := NewWorld(t, 1, 0, Config{})
			var sockets [2]*conn
			for k, kind := range []NAT{tc.a, tc.b} {
				i := w.NewPlace().Index
				w.nats[i] = kind
				sockets[k] = w.socket(i, &net.UDPAddr{IP: w.address(i), Port: port})
			}
			a, b := sockets[0], sockets[1]
			send := func(from, to *conn) {
				if _, err := from.WriteTo([]byte{1}, to.UnicastAddr()); err != nil {
					t.Fatal(err)
				}
			}
			if tc.first {
				send(a, b)
			}
			time.Sleep(tc.after)
			send(b, a)
			if err := a.SetReadDeadline(time.Now().Add(time.Second)); err != nil {
				t.Fatal(err)
			}
			_, from, err := a.ReadFrom(make([]byte, 8))
			switch {
			case tc.passes && (err != nil || from.String() != b.UnicastAddr().String()):
				t.Errorf("%s: from %v, %v; want it to pass", tc.name, from, err)
			case !tc.passes && err != simnet.ErrDeadlineExceeded:
				t.Errorf("%s: from %v, %v; want nothing", tc.name, from, err)
			}
		})
	}
}
