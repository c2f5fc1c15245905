package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

// writeFile puts a configuration into a fresh folder and returns its path.
func writeFile(t testing.TB, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "meshd.yaml")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// mustLoad fails the test on any fault.
func mustLoad(t testing.TB, src Sources) *Loaded {
	t.Helper()
	l, err := Load(src)
	if err != nil {
		t.Fatalf("Load: %v", err)
	}
	return l
}

func TestDefaultsAreSound(t *testing.T) {
	t.Parallel()
	c := Default()
	if fs := c.Validate(); len(fs) != 0 {
		t.Fatalf("Default().Validate() = %v", fs)
	}
	l := mustLoad(t, Sources{})
	if !reflect.DeepEqual(l.Config, c) {
		t.Fatalf("Load of nothing differs from Default:\n%+v\n%+v", l.Config, c)
	}
}

func TestEveryProfileIsSound(t *testing.T) {
	t.Parallel()
	for _, name := range find("node.profile").Choices {
		if _, ok := profiles[name]; !ok {
			t.Errorf("profile %s has no row", name)
		}
		l := mustLoad(t, Sources{Flags: []Flag{{"node.profile", "profile", name}}})
		for key, value := range profiles[name] {
			k := find(key)
			if k == nil {
				t.Fatalf("profile %s sets unknown key %s", name, key)
			}
			if got := k.value(&l.Config); !equal(got, k.mustParse(value)) {
				t.Errorf("profile %s: %s = %v, want %s", name, key, got, value)
			}
			if got := l.Origin(key); got != "profile:"+name {
				t.Errorf("profile %s: origin of %s = %s", name, key, got)
			}
			if value == k.Default {
				t.Errorf("profile %s repeats the default of %s", name, key)
			}
		}
	}
	if len(profiles) != len(find("node.profile").Choices) {
		t.Error("a profile cannot be chosen")
	}
}

func TestLaterLayersWin(t *testing.T) {
	t.Parallel()
	path := writeFile(t, "node:\n  profile: super\np2p:\n  sync_interval: 20s\n")
	steps := []struct {
		src        Sources
		want       time.Duration
		wantOrigin string
	}{
		{Sources{}, 45 * time.Second, "default"},
		{Sources{Flags: []Flag{{"node.profile", "profile", "super"}}}, 30 * time.Second, "profile:super"},
		{Sources{File: path}, 20 * time.Second, path + ":4"},
		{Sources{File: path, Env: []string{"MESHD_P2P_SYNC_INTERVAL=10s"}}, 10 * time.Second, "env:MESHD_P2P_SYNC_INTERVAL"},
		{Sources{File: path, Env: []string{"MESHD_P2P_SYNC_INTERVAL="}}, 20 * time.Second, path + ":4"},
		{Sources{File: path, Env: []string{"MESHD_P2P_SYNC_INTERVAL=10s"}, Flags: []Flag{{"p2p.sync_interval", "sync-interval", "5s"}}}, 5 * time.Second, "flag:--sync-interval"},
	}
	for i, s := range steps {
		l := mustLoad(t, s.src)
		if l.Config.P2P.SyncInterval != s.want || l.Origin("p2p.sync_interval") != s.wantOrigin {
			t.Errorf("step %d: %v from %s, want %v from %s", i, l.Config.P2P.SyncInterval, l.Origin("p2p.sync_interval"), s.want, s.wantOrigin)
		}
	}
}

func TestProfileCanComeFromTheEnvironment(t *testing.T) {
	t.Parallel()
	l := mustLoad(t, Sources{
		File: writeFile(t, "node:\n  profile: guild\n"),
		Env:  []string{"MESHD_NODE_PROFILE=super"},
	})
	if l.Config.P2P.ConnectionsHigh != 2048 {
		t.Fatalf("connections_high = %d, want that of super", l.Config.P2P.ConnectionsHigh)
	}
}

func TestEnvironment(t *testing.T) {
	t.Parallel()
	l := mustLoad(t, Sources{Env: []string{
		"PATH=/bin", "MESHD_HOME=/x", "MESHD_LOOPBACK=1", "MESHD_PORT=tcp://10.0.0.1:8420",
		"MESHD_PORT_8420_TCP=tcp://10.0.0.1:8420", "MESHD_SERVICE_HOST=10.0.0.1",
		"MESHD_NETWORK_BOOTSTRAP=" + peerA + ", " + peerB,
	}})
	if !l.Config.P2P.Loopback {
		t.Error("MESHD_LOOPBACK had no effect")
	}
	if got := l.Config.Network.Bootstrap; !slices.Equal(got, []string{peerA, peerB}) {
		t.Errorf("bootstrap = %q", got)
	}
	if l := mustLoad(t, Sources{Env: []string{"MESHD_P2P_LOOPBACK=false", "MESHD_LOOPBACK=true"}}); l.Config.P2P.Loopback {
		t.Error("the short name won over the exact one")
	}
}

const (
	peerA = "/ip4/10.0.0.1/tcp/4001/p2p/12D3KooWD3eckifWpRn9wQpMG9R9hX3sD158z7EqHWmweQAJU5SA"
	peerB = "/ip4/10.0.0.2/tcp/4001/p2p/12D3KooWD3eckifWpRn9wQpMG9R9hX3sD158z7EqHWmweQAJU5SA"
)

func TestLoopbackConfines(t *testing.T) {
	t.Parallel()
	l := mustLoad(t, Sources{
		File:  writeFile(t, "p2p:\n  mdns: true\n"),
		Env:   []string{"MESHD_NODE_PROFILE=gateway"},
		Flags: []Flag{{"p2p.loopback", "loopback", "true"}},
	})
	p := l.Config.P2P
	if p.MDNS || p.PortMapping {
		t.Errorf("loopback left a way out: %+v", p)
	}
	if !slices.Equal(p.Listen, strings.Split(listenLoopback, ",")) {
		t.Errorf("listen = %q", p.Listen)
	}
	if l.Config.Gateway.Listen != "127.0.0.1:8420" {
		t.Errorf("gateway.listen = %s", l.Config.Gateway.Listen)
	}
	for _, key := range []string{"p2p.mdns", "p2p.listen", "gateway.listen"} {
		if l.Origin(key) != "p2p.loopback" || l.Chosen(key) {
			t.Errorf("%s: origin %s, chosen %v", key, l.Origin(key), l.Chosen(key))
		}
	}
}

func TestChosenReportsOwnersValues(t *testing.T) {
	t.Parallel()
	l := mustLoad(t, Sources{
		File: writeFile(t, "node:\n  profile: gateway\ngateway:\n  listen: 127.0.0.1:1\n"),
		Env:  []string{"MESHD_LOG_LEVEL=warn"}, Flags: []Flag{{"p2p.gossip", "no-gossip", "false"}},
	})
	for key, want := range map[string]bool{
		"gateway.listen": true, "log.level": true, "p2p.gossip": true,
		"gateway.enabled": false, "p2p.listen": false, "no.such": false,
	} {
		if l.Chosen(key) != want {
			t.Errorf("Chosen(%s) = %v, want %v (origin %s)", key, !want, want, l.Origin(key))
		}
	}
}

// TestFaults has one case for each kind of fault; FILE stands for the path.
func TestFaults(t *testing.T) {
	t.Parallel()
	cases := []struct {
		name, file string
		env        []string
		flags      []Flag
		want       []string
	}{
		{name: "syntax", file: "p2p:\n  listen: [a\n", want: []string{"FILE:2: not YAML: did not find expected ',' or ']'"}},
		{name: "syntax, seen by the scanner", file: "log:\n  level: info\n  format: \"\\q\"\n", want: []string{"FILE:3: not YAML: found unknown escape character"}},
		{name: "syntax in the first line", file: "a: b: c", want: []string{"FILE: not YAML: mapping values are not allowed in this context"}},
		{name: "top is a list", file: "- a\n", want: []string{"FILE:1: want sections such as p2p: or log: at the top"}},
		{name: "second document", file: "log:\n  level: info\n---\nlog:\n  level: warn\n", want: []string{"FILE:3: a second document begins here; one is allowed"}},
		{name: "unknown section", file: "storag:\n  engine: pebble\n", want: []string{"FILE:1: storag: unknown section (did you mean storage?)"}},
		{name: "unknown section, nothing near", file: "zebra:\n  a: 1\n", want: []string{"FILE:1: zebra: unknown section"}},
		{name: "key outside its section", file: "sync_interval: 1s\n", want: []string{"FILE:1: sync_interval: unknown key (did you mean p2p.sync_interval?)"}},
		{name: "misspelt key", file: "p2p:\n  gosip: true\n", want: []string{"FILE:2: p2p.gosip: unknown key (did you mean p2p.gossip?)"}},
		{name: "key of another section", file: "p2p:\n  level: info\n", want: []string{"FILE:2: p2p.level: unknown key (did you mean log.level?)"}},
		{name: "section without keys", file: "p2p: 4\n", want: []string{"FILE:1: p2p: want keys below this section"}},
		{name: "repeated key", file: "log:\n  level: info\n  level: warn\n", want: []string{"FILE:3: log.level: already set in line 2"}},
		{name: "alias", file: "log:\n  level: &a info\n  format: *a\n", want: []string{"FILE:3: log.format: aliases are not supported"}},
		{name: "tag", file: "log:\n  level: !!str info\n", want: []string{"FILE:2: log.level: tags are not supported"}},
		{name: "name that is a list", file: "log:\n  [a]: info\n", want: []string{"FILE:2: want a name before the colon"}},
		{name: "mapping for a value", file: "log:\n  level:\n    a: b\n", want: []string{"FILE:3: log.level: want one choice, not keys"}},
		{name: "list for a value", file: "log:\n  level: [info]\n", want: []string{"FILE:2: log.level: want one choice, not a list"}},
		{name: "list of lists", file: "network:\n  bootstrap:\n    - [a]\n", want: []string{"FILE:3: network.bootstrap: want a list of single values"}},
		{name: "switch", file: "p2p:\n  gossip: maybe\n", want: []string{"FILE:2: p2p.gossip: want true or false"}},
		{name: "number", file: "limits:\n  read: many\n", want: []string{"FILE:2: limits.read: want a whole number"}},
		{name: "number out of range", file: "limits:\n  read: 0\n", want: []string{"FILE:2: limits.read: is 0, must be between 1 and 10000000"}},
		{name: "duration", file: "p2p:\n  sync_interval: 45\n", want: []string{"FILE:2: p2p.sync_interval: want a duration such as 30s or 15m"}},
		{name: "duration out of range", file: "admission:\n  clock_ahead: 25h\n", want: []string{"FILE:2: admission.clock_ahead: is 25h, must be between 1s and 24h"}},
		{name: "size", file: "storage:\n  cache_size: big\n", want: []string{"FILE:2: storage.cache_size: want a size such as 64MiB"}},
		{name: "size out of range", file: "storage:\n  cache_size: 4KiB\n", want: []string{"FILE:2: storage.cache_size: is 4KiB, must be between 1MiB and 1TiB"}},
		{name: "choice", file: "storage:\n  engine: pebbel\n", want: []string{"FILE:2: storage.engine: want one of pebble, leveldb, memory; did you mean pebble?"}},
		{name: "control character", file: "node:\n  name: \"a\\x07\"\n", want: []string{"FILE:2: node.name: contains a control character"}},
		{name: "long text", file: "node:\n  name: " + strings.Repeat("é", 65) + "\n", want: []string{"FILE:2: node.name: has 65 characters, at most 64 are allowed"}},
		{name: "empty", file: "storage:\n  dir: \"\"\n", want: []string{"FILE:2: storage.dir: must not be empty"}},
		{name: "multiaddr", file: "p2p:\n  announce: [/ip4/1.2.3/tcp/1]\n", want: []string{`FILE:2: p2p.announce: item 1, "/ip4/1.2.3/tcp/1": want an address such as /ip4/203.0.113.7/tcp/4001`}},
		{name: "listen by name", file: "p2p:\n  listen: [/dns4/example.org/tcp/1]\n", want: []string{`FILE:2: p2p.listen: item 1, "/dns4/example.org/tcp/1": want /ip4 or /ip6 with /tcp/PORT or /udp/PORT/quic-v1`}},
		{name: "listen on plain UDP", file: "p2p:\n  listen: [/ip4/0.0.0.0/udp/1]\n", want: []string{`FILE:2: p2p.listen: item 1, "/ip4/0.0.0.0/udp/1": a UDP address needs /quic-v1`}},
		{name: "bootstrap without a peer", file: "network:\n  bootstrap: [/ip4/10.0.0.1/tcp/1]\n", want: []string{`FILE:2: network.bootstrap: item 1, "/ip4/10.0.0.1/tcp/1": must end in /p2p/<peer id>`}},
		{name: "host and port", file: "gateway:\n  listen: localhost\n", want: []string{"FILE:2: gateway.listen: want IP:PORT such as 127.0.0.1:8420"}},
		{name: "port", file: "gateway:\n  listen: 127.0.0.1:70000\n", want: []string{"FILE:2: gateway.listen: the port must be a number up to 65535"}},
		{name: "host name", file: "gateway:\n  listen: example.org:80\n", want: []string{
			"FILE:2: gateway.listen: the host must be an IP address or localhost",
		}},
		{name: "URL", file: "gateway:\n  public_url: mesh.example.org\n", want: []string{"FILE:2: gateway.public_url: want a web address such as https://mesh.example.org"}},
		{name: "URL with password", file: "gateway:\n  public_url: https://a:b@mesh.example.org\n", want: []string{"FILE:2: gateway.public_url: must not hold a user name or password"}},
		{name: "URL with slash", file: "gateway:\n  public_url: https://mesh.example.org/\n", want: []string{"FILE:2: gateway.public_url: must end with the host or a path without a slash"}},
		{name: "unknown toolset", file: "gateway:\n  mcp_toolsets: [network, bountys]\n", want: []string{`FILE:2: gateway.mcp_toolsets: item 2, "bountys": want one of network, account, work, bounties, documents, language, default, all; did you mean bounties?`}},
		{name: "origin with path", file: "gateway:\n  allowed_origins: [https://a.example/b]\n", want: []string{`FILE:2: gateway.allowed_origins: item 1, "https://a.example/b": an origin has no path`}},
		{name: "range", file: "gateway:\n  trusted_proxies: [10.0.0.1]\n", want: []string{`FILE:2: gateway.trusted_proxies: item 1, "10.0.0.1": want a range such as 10.0.0.0/8`}},
		{name: "range with host bits", file: "gateway:\n  trusted_proxies: [10.0.0.1/8]\n", want: []string{`FILE:2: gateway.trusted_proxies: item 1, "10.0.0.1/8": has bits set beyond its length; did you mean 10.0.0.0/8?`}},
		{name: "long list", file: "network:\n  bootstrap: [" + strings.Repeat("a,", 257) + "]\n", want: []string{"FILE:2: network.bootstrap: has 257 items, at most 256 are allowed"}},
		{name: "public listener without the role", file: "gateway:\n  listen: 0.0.0.0:8420\n", want: []string{"FILE:2: gateway.listen: an address that is not loopback needs gateway.enabled"}},
		{name: "every interface without the role", file: "gateway:\n  listen: :8420\n", want: []string{"FILE:2: gateway.listen: an address that is not loopback needs gateway.enabled"}},
		{name: "loopback with a public peer address", file: "p2p:\n  listen: [/ip4/0.0.0.0/tcp/1]\n", env: []string{"MESHD_LOOPBACK=1"}, want: []string{"FILE:2: p2p.listen: /ip4/0.0.0.0/tcp/1 is not a loopback address, which p2p.loopback asks for"}},
		{name: "loopback with public listeners", file: "gateway:\n  enabled: true\n  listen: 0.0.0.0:1\n  admin_listen: 0.0.0.0:2\n", env: []string{"MESHD_LOOPBACK=1"}, want: []string{
			"FILE:3: gateway.listen: is not a loopback address, which p2p.loopback asks for",
			"FILE:4: gateway.admin_listen: is not a loopback address, which p2p.loopback asks for",
		}},
		{name: "TLS without the role", file: "gateway:\n  tls: acme\n  acme_domains: [a.example]\n", want: []string{"FILE:2: gateway.tls: needs gateway.enabled: the local role speaks plain HTTP on loopback"}},
		{name: "files without files", file: "gateway:\n  enabled: true\n  tls: files\n", want: []string{"FILE:3: gateway.tls: files needs gateway.tls_cert and gateway.tls_key"}},
		{name: "certificate without effect", file: "gateway:\n  tls_cert: a\n", want: []string{"FILE:2: gateway.tls_cert: has an effect with gateway.tls: files only"}},
		{name: "acme without domains", file: "gateway:\n  enabled: true\n  tls: acme\n", want: []string{"FILE:3: gateway.tls: acme needs gateway.acme_domains"}},
		{name: "domains without effect", file: "gateway:\n  acme_domains: [a.example]\n", want: []string{"FILE:2: gateway.acme_domains: has an effect with gateway.tls: acme only"}},
		{name: "wildcard", file: "gateway:\n  enabled: true\n  tls: acme\n  acme_domains: [\"*.a.example\"]\n", want: []string{`FILE:4: gateway.acme_domains: item 1, "*.a.example": want a host name in lower case such as mesh.example.org`}},
		{name: "plain directory", file: "gateway:\n  acme_directory: http://ca.example/dir\n", want: []string{"FILE:2: gateway.acme_directory: want a web address that begins with https://"}},
		{name: "plain address of a TLS listener", file: "gateway:\n  enabled: true\n  tls: files\n  tls_cert: a\n  tls_key: b\n  public_url: http://a.example\n", want: []string{"FILE:6: gateway.public_url: must begin with https:// when gateway.tls is on"}},
		{name: "redirect without TLS", file: "gateway:\n  redirect_listen: 127.0.0.1:80\n", want: []string{"FILE:2: gateway.redirect_listen: needs gateway.tls"}},
		{name: "redirect to nowhere", file: "gateway:\n  enabled: true\n  tls: files\n  tls_cert: a\n  tls_key: b\n  redirect_listen: 127.0.0.1:80\n", want: []string{"FILE:6: gateway.redirect_listen: needs gateway.public_url to send callers to"}},
		{name: "long drain", file: "gateway:\n  drain_delay: 4s\n", want: []string{"FILE:2: gateway.drain_delay: is 4s, must be between 0s and 3s"}},
		{name: "connection marks", file: "p2p:\n  connections_low: 500\n", want: []string{"FILE:2: p2p.connections_low: must be below p2p.connections_high, which is 128"}},
		{name: "two ways to unlock", file: "vault:\n  key_file: k\n  passphrase_file: p\n", want: []string{"FILE:2: vault.key_file: only one of vault.passphrase_file, vault.key_file may be set"}},
		{name: "no wallet domain", file: "wallet:\n  domains: []\n", want: []string{"FILE:2: wallet.domains: want 1 to 8 names"}},
		{name: "many wallet domains", file: "wallet:\n  domains: [a, b, c, d, e, f, g, h, i]\n", want: []string{"FILE:2: wallet.domains: want 1 to 8 names"}},
		{name: "wallet domain twice", file: "wallet:\n  domains: [Mesh, Mesh]\n", want: []string{`FILE:2: wallet.domains: item 2, "Mesh", stands there twice`}},
		{name: "long wallet domain", file: "wallet:\n  domains: [Mesh, " + strings.Repeat("é", 65) + "]\n", want: []string{"FILE:2: wallet.domains: item 2: want a name of 1 to 64 characters"}},
		{name: "issuers of access tokens", file: "oauth:\n  issuers: [\"http://login.example.org\", \"https://a.example.org/?x\"]\n  key_sets: [\"ftp://x\", keys.json]\n  scopes: [\"read\"]\n  agent_claim: \"\"\n", want: []string{
			`FILE:2: oauth.issuers: item 1, "http://login.example.org": want https; http is for this machine alone`,
			`FILE:3: oauth.key_sets: item 1, "ftp://x": want a web address such as https://mesh.example.org`,
			`FILE:5: oauth.agent_claim: want the name of a claim`,
			`FILE:4: oauth.scopes: item 1, "read": want a scope of the issuer, = and one of ours`}},
		{name: "issuers and their keys", file: "oauth:\n  issuers: [\"https://a.example.org/\", \"https://a.example.org/\"]\n  key_sets: [\"http://127.0.0.1:9/keys\"]\nauth:\n  jwt_keys: k\n  jwt_issuer: https://a.example.org/\n", want: []string{
			`FILE:3: oauth.key_sets: names the keys of 1 issuers, and oauth.issuers has 2`,
			`FILE:2: oauth.issuers: https://a.example.org/ is the issuer of role tokens too (auth.jwt_issuer)`,
			`FILE:2: oauth.issuers: https://a.example.org/ is named twice`,
			`FILE:2: oauth.issuers: https://a.example.org/ is the issuer of role tokens too (auth.jwt_issuer)`}},
		{name: "order of tokens", file: "auth:\n  order: [jwt]\n", want: []string{"FILE:2: auth.order: want capability and jwt in some order"}},
		{name: "chain", file: "wallet:\n  chain: 0\n", want: []string{"FILE:2: wallet.chain: is 0, must be between 1 and 9007199254740991"}},
		{name: "unknown variable", env: []string{"MESHD_LOG_LEVELS=info"}, want: []string{"env:MESHD_LOG_LEVELS: unknown variable (did you mean MESHD_LOG_LEVEL?)"}},
		{name: "bad variable", env: []string{"MESHD_LIMITS_READ=x"}, want: []string{"env:MESHD_LIMITS_READ: limits.read: want a whole number"}},
		{name: "bad flag", flags: []Flag{{"log.level", "log-level", "loud"}}, want: []string{"flag:--log-level: log.level: want one of debug, info, warn, error"}},
		{name: "flag of an unknown key", flags: []Flag{{"log.levle", "log-level", "info"}}, want: []string{"flag:--log-level: log.levle: unknown key (did you mean log.level?)"}},
		{name: "secret flag", flags: []Flag{{"vault.passphrase", "passphrase", "hunter2"}}, want: []string{"flag:--passphrase: vault.passphrase: a secret cannot be a flag; use the environment or a file"}},
		{name: "unknown profile", env: []string{"MESHD_NODE_PROFILE=gatway"}, want: []string{"env:MESHD_NODE_PROFILE: node.profile: want one of edge, guild, super, gateway, test; did you mean gateway?"}},
		{
			name: "all at once", file: "p2p:\n  gosip: true\n  sync_interval: soon\nlog:\n  level: loud\n",
			env: []string{"MESHD_X=1", "MESHD_LIMITS_READ=x"}, flags: []Flag{{"limits.search", "vote", "-1"}},
			want: []string{
				"FILE:2: p2p.gosip: unknown key (did you mean p2p.gossip?)",
				"FILE:3: p2p.sync_interval: want a duration such as 30s or 15m",
				"env:MESHD_LIMITS_READ: limits.read: want a whole number",
				"env:MESHD_X: unknown variable",
				"flag:--vote: limits.search: is -1, must be between 1 and 10000000",
				"FILE:5: log.level: want one of debug, info, warn, error",
			},
		},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			path := writeFile(t, c.file)
			_, err := Load(Sources{File: path, Env: c.env, Flags: c.flags})
			var fs Faults
			if !errors.As(err, &fs) {
				t.Fatalf("Load = %v, want Faults", err)
			}
			got := strings.Split(strings.ReplaceAll(fs.Error(), path, "FILE"), "\n")
			if !slices.Equal(got, c.want) {
				t.Errorf("got\n  %s\nwant\n  %s", strings.Join(got, "\n  "), strings.Join(c.want, "\n  "))
			}
		})
	}
}

func TestUnreadableFile(t *testing.T) {
	t.Parallel()
	missing := filepath.Join(t.TempDir(), "none.yaml")
	if _, err := Load(Sources{File: missing}); err == nil || !strings.Contains(err.Error(), "no such file") {
		t.Errorf("missing file: %v", err)
	}
	mustLoad(t, Sources{File: missing, Optional: true})
	big := writeFile(t, strings.Repeat("#\n", maxFileBytes/2+1))
	if _, err := Load(Sources{File: big, Optional: true}); err == nil || !strings.Contains(err.Error(), "larger than 1MiB") {
		t.Errorf("big file: %v", err)
	}
}

func TestFaultsAreBounded(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for i := range 3 * maxFaults {
		fmt.Fprintf(&b, "zebra%d:\n", i)
	}
	_, err := Load(Sources{File: writeFile(t, b.String())})
	var fs Faults
	if !errors.As(err, &fs) || len(fs) != maxFaults {
		t.Fatalf("%d faults, want %d", len(fs), maxFaults)
	}
}

func TestFaultyValueKeepsTheLayerBelow(t *testing.T) {
	t.Parallel()
	l, err := Load(Sources{
		File: writeFile(t, "limits:\n  read: 7\n  search: 8\n"),
		Env:  []string{"MESHD_LIMITS_READ=x"},
	})
	if err == nil || l.Config.Limits.Read != 7 || l.Config.Limits.Search != 8 {
		t.Fatalf("err %v, read %d, vote %d", err, l.Config.Limits.Read, l.Config.Limits.Search)
	}
}

func TestSecretsAreNeverShown(t *testing.T) {
	t.Parallel()
	const canary = "canary-7f3a"
	src := Sources{Env: []string{"MESHD_VAULT_PASSPHRASE=" + canary}}
	l := mustLoad(t, src)
	if l.Config.Vault.Passphrase.Reveal() != canary {
		t.Fatal("the passphrase did not arrive")
	}
	asJSON, err := json.Marshal(l.Config)
	if err != nil {
		t.Fatal(err)
	}
	var logged strings.Builder
	slog.New(slog.NewTextHandler(&logged, nil)).Info("config", "vault", l.Config.Vault, "passphrase", l.Config.Vault.Passphrase)
	bad, err := Load(Sources{
		File: writeFile(t, "vault:\n  key_file: k\n"), Env: src.Env,
		Flags: []Flag{{"vault.passphrase", "passphrase", canary}},
	})
	if err == nil {
		t.Fatal("no fault")
	}
	_, nul := Load(Sources{File: writeFile(t, "vault:\n  passphrase: \""+canary+"\\0\"\n")})
	if nul == nil {
		t.Fatal("a NUL passed")
	}
	for what, text := range map[string]string{
		"listing": fmt.Sprint(l.Effective()), "verbs": fmt.Sprintf("%v %+v %#v %s", l.Config, l.Config, l.Config, l.Config.Vault.Passphrase),
		"json": string(asJSON), "log": logged.String(), "faults": err.Error() + nul.Error() + fmt.Sprint(bad.Effective()),
	} {
		if strings.Contains(text, canary) {
			t.Errorf("%s shows the secret: %s", what, text)
		}
	}
	if !strings.Contains(fmt.Sprint(l.Effective()), redacted) {
		t.Error("the listing does not say that a secret is set")
	}
}

func TestEffectiveListsEveryKey(t *testing.T) {
	t.Parallel()
	l := mustLoad(t, Sources{Env: []string{"MESHD_STORAGE_CACHE_SIZE=33554432"}})
	list := l.Effective()
	if len(list) != len(table) {
		t.Fatalf("%d rows for %d keys", len(list), len(table))
	}
	for i, s := range list {
		if s.Key != table[i].Name || s.Origin == "" || s.Help == "" {
			t.Errorf("row %d: %+v", i, s)
		}
		if s.Key == "storage.cache_size" && (s.Value != "32MiB" || s.Origin != "env:MESHD_STORAGE_CACHE_SIZE" || s.Apply != "restart") {
			t.Errorf("row %+v", s)
		}
	}
}

func TestDiffSeparatesLiveFromRestart(t *testing.T) {
	t.Parallel()
	a, b := Default(), Default()
	b.Admission.PeerPerSecond, b.Storage.MinFreeDisk = 7, 1<<20
	b.P2P.Listen, b.Storage.Engine = []string{"/ip4/127.0.0.1/tcp/1"}, "memory"
	live, restart := Diff(&a, &b)
	if !slices.Equal(live, []string{"admission.peer_per_second", "storage.min_free_disk"}) || !slices.Equal(restart, []string{"p2p.listen", "storage.engine"}) {
		t.Fatalf("live %q, restart %q", live, restart)
	}
	if live, restart := Diff(&a, &a); live != nil || restart != nil {
		t.Fatalf("no change: live %q, restart %q", live, restart)
	}
}

func TestLimitsApplied(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		mode         string
		public, want bool
	}{{"auto", false, false}, {"auto", true, true}, {"on", false, true}, {"off", true, false}} {
		if got := (Limits{Mode: c.mode}).Applied(c.public); got != c.want {
			t.Errorf("mode %s, public %v: %v", c.mode, c.public, got)
		}
	}
}

func TestHomeDir(t *testing.T) {
	t.Parallel()
	cases := []struct {
		flag, goos string
		env        map[string]string
		want       string
	}{
		{"/flag", "linux", map[string]string{"MESHD_HOME": "/env"}, "/flag"},
		{"", "linux", map[string]string{"MESHD_HOME": "/env", "HOME": "/u"}, "/env"},
		{"", "linux", map[string]string{"MESHD_HOME": "", "HOME": "/u"}, "/u/.local/share/meshd"},
		{"", "linux", map[string]string{"XDG_DATA_HOME": "/xdg", "HOME": "/u"}, "/xdg/meshd"},
		{"", "linux", map[string]string{"XDG_DATA_HOME": "xdg", "HOME": "/u"}, "/u/.local/share/meshd"},
		{"", "darwin", map[string]string{"XDG_DATA_HOME": "/xdg", "HOME": "/u"}, "/u/Library/Application Support/meshd"},
		{"", "linux", nil, ""},
	}
	for i, c := range cases {
		got, err := HomeDir(c.flag, c.goos, func(name string) string { return c.env[name] })
		if got != c.want || (err != nil) != (c.want == "") {
			t.Errorf("case %d: %q, %v; want %q", i, got, err, c.want)
		}
	}
}
