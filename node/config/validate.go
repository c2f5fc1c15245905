package config

import (
	"cmp"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/multiformats/go-multiaddr"
	manet "github.com/multiformats/go-multiaddr/net"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/identity/did"
)

// Validate returns every problem of c: first those of single keys in the order
// of the table, then those between keys. It looks at values only, never at the
// disk or the network. The faults have no place; Load adds it.
func (c *Config) Validate() Faults {
	var fs Faults
	for i := range table {
		k := &table[i]
		if err := k.validate(k.value(c)); err != nil {
			fs = append(fs, Fault{Key: k.Name, Text: err.Error()})
		}
	}
	return append(fs, c.validateTogether()...)
}

// validateTogether checks the rules that concern more than one key.
func (c *Config) validateTogether() Faults {
	var fs Faults
	fault := func(key, text string) { fs = append(fs, Fault{Key: key, Text: text}) }

	if !c.Gateway.Enabled && !isLoopback(c.Gateway.Listen) && hostPort(c.Gateway.Listen) == nil {
		fault("gateway.listen", "an address that is not loopback needs gateway.enabled")
	}
	if c.P2P.Loopback {
		for _, a := range c.P2P.Listen {
			if m, err := multiaddr.NewMultiaddr(a); err == nil && !manet.IsIPLoopback(m) {
				fault("p2p.listen", fmt.Sprintf("%s is not a loopback address, which p2p.loopback asks for", a))
			}
		}
		if c.Gateway.Enabled && !isLoopback(c.Gateway.Listen) && hostPort(c.Gateway.Listen) == nil {
			fault("gateway.listen", "is not a loopback address, which p2p.loopback asks for")
		}
		if c.Gateway.AdminListen != "" && !isLoopback(c.Gateway.AdminListen) && hostPort(c.Gateway.AdminListen) == nil {
			fault("gateway.admin_listen", "is not a loopback address, which p2p.loopback asks for")
		}
		if c.Gateway.RedirectListen != "" && !isLoopback(c.Gateway.RedirectListen) && hostPort(c.Gateway.RedirectListen) == nil {
			fault("gateway.redirect_listen", "is not a loopback address, which p2p.loopback asks for")
		}
	}
	fs = append(fs, c.Gateway.validateTLS()...)
	if len(c.OAuth.KeySets) != len(c.OAuth.Issuers) {
		fault("oauth.key_sets", fmt.Sprintf("names the keys of %d issuers, and oauth.issuers has %d", len(c.OAuth.KeySets), len(c.OAuth.Issuers)))
	}
	for i, issuer := range c.OAuth.Issuers {
		if slices.Contains(c.OAuth.Issuers[:i], issuer) {
			fault("oauth.issuers", issuer+" is named twice")
		}
		if issuer == c.Auth.JWTIssuer && c.Auth.JWTKeys != "" {
			fault("oauth.issuers", issuer+" is the issuer of role tokens too (auth.jwt_issuer)")
		}
	}
	if c.P2P.ConnectionsLow >= c.P2P.ConnectionsHigh {
		fault("p2p.connections_low", fmt.Sprintf("must be below p2p.connections_high, which is %d", c.P2P.ConnectionsHigh))
	}
	var unlocks []string
	for _, name := range []string{"vault.passphrase", "vault.passphrase_file", "vault.key_file"} {
		if format(find(name).value(c)) != "" {
			unlocks = append(unlocks, name)
		}
	}
	if len(unlocks) > 1 {
		fault(unlocks[len(unlocks)-1], "only one of "+strings.Join(unlocks, ", ")+" may be set")
	}
	return fs
}

// validate checks one value against its row.
func (k *Key) validate(v any) error {
	if len(k.Choices) > 0 {
		choose := oneOf(k.Choices)
		if k.Type() == TypeList {
			return eachItem(choose)(v)
		}
		return choose(v.(string))
	}
	if k.check == nil {
		return nil
	}
	return k.check(v)
}

// oneOf accepts the choices.
func oneOf(choices []string) func(string) error {
	return func(s string) error {
		if slices.Contains(choices, s) {
			return nil
		}
		err := "want one of " + strings.Join(choices, ", ")
		if near := nearest(s, choices); near != "" {
			err += "; did you mean " + near + "?"
		}
		return errors.New(err)
	}
}

// between accepts lo to hi, both included.
func between[T cmp.Ordered](lo, hi T) func(any) error {
	return func(v any) error {
		if x := v.(T); x < lo || x > hi {
			return fmt.Errorf("is %s, must be between %s and %s", format(x), format(lo), format(hi))
		}
		return nil
	}
}

func atMostRunes(n int) func(any) error {
	return func(v any) error {
		if got := utf8.RuneCountInString(v.(string)); got > n {
			return fmt.Errorf("has %d characters, at most %d are allowed", got, n)
		}
		return nil
	}
}

func notEmpty(v any) error {
	if v.(string) == "" {
		return errors.New("must not be empty")
	}
	return nil
}

// optional lets the empty text pass.
func optional(check func(any) error) func(any) error {
	return func(v any) error {
		if v.(string) == "" {
			return nil
		}
		return check(v)
	}
}

// eachItem checks every item of a list and names the first bad one.
func eachItem(check func(string) error) func(any) error {
	return func(v any) error {
		for i, item := range v.([]string) {
			if err := check(item); err != nil {
				return fmt.Errorf("item %d, %q: %w", i+1, item, err)
			}
		}
		return nil
	}
}

func multiaddress(s string) error {
	if _, err := multiaddr.NewMultiaddr(s); err != nil {
		return errors.New("want an address such as /ip4/203.0.113.7/tcp/4001")
	}
	return nil
}

// listenAddress accepts what the host can listen on: an IP with TCP or QUIC.
func listenAddress(s string) error {
	m, err := multiaddr.NewMultiaddr(s)
	if err != nil {
		return multiaddress(s)
	}
	if _, err := manet.ToNetAddr(firstTwo(m)); err != nil {
		return errors.New("want /ip4 or /ip6 with /tcp/PORT or /udp/PORT/quic-v1")
	}
	if _, err := m.ValueForProtocol(multiaddr.P_UDP); err == nil {
		if _, err := m.ValueForProtocol(multiaddr.P_QUIC_V1); err != nil {
			return errors.New("a UDP address needs /quic-v1")
		}
	}
	return nil
}

// firstTwo keeps the network and transport parts of an address.
func firstTwo(m multiaddr.Multiaddr) multiaddr.Multiaddr {
	if len(m) > 2 {
		return m[:2]
	}
	return m
}

func peerAddress(s string) error {
	m, err := multiaddr.NewMultiaddr(s)
	if err != nil {
		return multiaddress(s)
	}
	if _, err := m.ValueForProtocol(multiaddr.P_P2P); err != nil {
		return errors.New("must end in /p2p/<peer id>")
	}
	return nil
}

// hostPort accepts IP:PORT and localhost:PORT. Other names are refused: whether
// they are loopback would depend on a resolver.
func hostPort(v any) error {
	host, port, err := net.SplitHostPort(v.(string))
	if err != nil {
		return errors.New("want IP:PORT such as 127.0.0.1:8420")
	}
	if _, err := strconv.ParseUint(port, 10, 16); err != nil {
		return errors.New("the port must be a number up to 65535")
	}
	if host == "" || host == "localhost" {
		return nil
	}
	if _, err := netip.ParseAddr(host); err != nil {
		return errors.New("the host must be an IP address or localhost")
	}
	return nil
}

// authOrder accepts capability and jwt in either order.
func authOrder(v any) error {
	names := slices.Sorted(slices.Values(v.([]string)))
	if !slices.Equal(names, []string{"capability", "jwt"}) {
		return errors.New("want capability and jwt in some order")
	}
	return nil
}

// walletDomains accepts one to eight different names that a wallet can show.
func walletDomains(v any) error {
	names := v.([]string)
	if len(names) == 0 || len(names) > maxWalletDomains {
		return fmt.Errorf("want 1 to %d names", maxWalletDomains)
	}
	for i, name := range names {
		n := utf8.RuneCountInString(name)
		switch {
		case n == 0 || n > maxNameRunes || strings.TrimSpace(name) != name || strings.ContainsFunc(name, unicode.IsControl):
			return fmt.Errorf("item %d: want a name of 1 to %d characters", i+1, maxNameRunes)
		case slices.Contains(names[:i], name):
			return fmt.Errorf("item %d, %q, stands there twice", i+1, name)
		}
	}
	return nil
}

// isLoopback reports whether a listener on IP:PORT is reachable from this
// machine only. An empty host means every interface.
func isLoopback(addr string) bool {
	host, _, err := net.SplitHostPort(addr)
	if err != nil {
		return false
	}
	if host == "localhost" {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}

func baseURL(v any) error {
	u, err := url.Parse(v.(string))
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" {
		return errors.New("want a web address such as https://mesh.example.org")
	}
	if u.User != nil {
		return errors.New("must not hold a user name or password")
	}
	if u.RawQuery != "" || u.Fragment != "" || strings.HasSuffix(u.Path, "/") {
		return errors.New("must end with the host or a path without a slash")
	}
	return nil
}

// facilitatorURL is where payments are sent: over TLS, or to this machine.
func facilitatorURL(v any) error {
	if err := baseURL(v); err != nil {
		return err
	}
	u, err := url.Parse(v.(string))
	if err != nil || u.Scheme == "https" {
		return err
	}
	if ip, err := netip.ParseAddr(u.Hostname()); u.Hostname() != "localhost" && (err != nil || !ip.IsLoopback()) {
		return errors.New("want https; http is for this machine alone")
	}
	return nil
}

// issuerURL is the identifier of an OAuth issuer (RFC 8414 §2).
func issuerURL(text string) error {
	if strings.ContainsAny(text, "?#@") {
		return errors.New("want an address without user, query and fragment")
	}
	return facilitatorURL(strings.TrimSuffix(text, "/")) // some end with a slash, which is part of their name
}

// issuerKeys is an address or a file.
func issuerKeys(text string) error {
	if strings.Contains(text, "://") {
		return issuerURL(text)
	}
	return nil
}

func claimName(v any) error {
	if text := v.(string); text == "" || strings.ContainsAny(text, " \t") {
		return errors.New("want the name of a claim")
	}
	return atMostRunes(maxClaimRunes)(v)
}

// scopePair is theirs=ours; which scopes there are, the gateway knows.
func scopePair(text string) error {
	theirs, ours, ok := strings.Cut(text, "=")
	if !ok || theirs == "" || ours == "" || strings.ContainsAny(text, " \t\"\\") {
		return errors.New("want a scope of the issuer, = and one of ours")
	}
	return nil
}

func ethereumAddress(v any) error {
	if _, err := did.ParseChecksummed(v.(string)); err != nil {
		return errors.New("want an address of 0x and 40 hex digits with its checksum (EIP-55)")
	}
	return nil
}

func origin(s string) error {
	if err := baseURL(s); err != nil {
		return err
	}
	if u, _ := url.Parse(s); u.Path != "" {
		return errors.New("an origin has no path")
	}
	return nil
}

func prefix(s string) error {
	p, err := netip.ParsePrefix(s)
	if err != nil {
		return errors.New("want a range such as 10.0.0.0/8")
	}
	if p.Masked() != p {
		return fmt.Errorf("has bits set beyond its length; did you mean %s?", p.Masked())
	}
	return nil
}

func didKey(s string) error {
	_, err := did.ParseKey(s)
	return err
}

func agentID(s string) error {
	_, err := change.ParseAgentID(s)
	return err
}

// emptyOrGuild is a check of an optional guild's id.
func emptyOrGuild(v any) error {
	s := v.(string)
	if s == "" {
		return nil
	}
	_, err := change.ParseID(change.PrefixGuild, s)
	return err
}
