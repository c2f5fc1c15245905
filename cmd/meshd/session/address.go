package session

import (
	"fmt"
	"net"
	"net/url"
)

// GatewayAddress refuses addresses of gateways that no token should go to: what is not encrypted beyond
// this machine, and with --loopback whatever lies beyond it. A
// stranger, who wrote an entry, names no service of this machine; its owner may, and then
// named is true.
func (s *Session) GatewayAddress(base string, named bool) error {
	u, err := url.Parse(base)
	if err != nil || u.Host == "" || u.User != nil || u.RawQuery != "" || u.Fragment != "" || u.Scheme != "https" && u.Scheme != "http" {
		return Usage("%q is no address of a gateway, such as https://mesh.example.org", base)
	}
	ip := net.ParseIP(u.Hostname())
	here := u.Hostname() == "localhost" || ip != nil && ip.IsLoopback()
	_, settings, err := s.Settings()
	if err != nil {
		return err
	}
	switch {
	case settings.Config.P2P.Loopback && !here:
		return fmt.Errorf("%s lies beyond this machine, and the node speaks to this machine only", base)
	case here && !named && !settings.Config.P2P.Loopback:
		return fmt.Errorf("the entry names %s, which is this machine; if that is right, name it with --gateway", base)
	case u.Scheme == "http" && !here:
		return fmt.Errorf("%s is not encrypted: a gateway is asked by https", base)
	}
	return nil
}
