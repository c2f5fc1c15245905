package main

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base32"
	"strings"
	"time"

	"github.com/libp2p/go-libp2p/core/crypto"
	"github.com/libp2p/go-libp2p/core/peer"
	ma "github.com/multiformats/go-multiaddr"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/p2p/invite"
)

// invitation VARIABLE KIND [LINE] makes an invitation that is not as meshd invite makes
// them: expired, foreign (to another network), nobody (at the address), each by a key of
// nobody; tampered, one that says something else than LINE did and has a sound checksum.
func invitation(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: invitation VARIABLE KIND [LINE]")
	}
	if args[1] == "tampered" {
		ts.Setenv(args[0], tampered(ts, args[2]))
		return
	}
	key, _, err := crypto.GenerateEd25519Key(rand.Reader)
	ts.Check(err)
	id, err := peer.IDFromPrivateKey(key)
	ts.Check(err)
	v := invite.Invitation{
		ID: invite.ID{1}, Network: change.NetworkFile{Genesis: change.Builtin()}, Peer: id, Until: time.Now().Add(time.Hour),
		Addrs: []ma.Multiaddr{ma.StringCast("/ip4/127.0.0.1/tcp/1")},
	}
	switch args[1] {
	case "expired":
		v.Until = time.Now().Add(-time.Hour)
	case "foreign":
		v.Network.Genesis.Name = "elsewhere"
	case "nobody":
	default:
		ts.Fatalf("no such kind of invitation: %s", args[1])
	}
	line, err := v.Line(key)
	ts.Check(err)
	ts.Setenv(args[0], line)
}

// tampered changes the number of an invitation, as somebody would who wants it counted
// anew, and makes the checksum fit.
func tampered(ts *testscript.TestScript, line string) string {
	text := base32.StdEncoding.WithPadding(base32.NoPadding)
	all, err := text.DecodeString(strings.ToUpper(strings.TrimPrefix(line, invite.Prefix)))
	ts.Check(err)
	v, err := invite.Parse(line)
	ts.Check(err)
	at := strings.Index(string(all), string(v.ID[:]))
	all[at] ^= 1
	all = all[:len(all)-4]
	sum := sha256.Sum256(all)
	return invite.Prefix + strings.ToLower(text.EncodeToString(append(all, sum[:4]...)))
}
