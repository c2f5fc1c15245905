package console

import (
	"net/netip"
	"strings"
)

// onlyLoopback reports whether a node listens for peers of this machine alone.
func onlyLoopback(listen []string) bool {
	for _, addr := range listen {
		parts := strings.Split(addr, "/")
		if len(parts) < 3 {
			return false
		}
		ip, err := netip.ParseAddr(parts[2])
		if err != nil || !ip.IsLoopback() {
			return false
		}
	}
	return len(listen) > 0
}
