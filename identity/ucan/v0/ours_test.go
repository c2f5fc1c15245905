package v0_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"flag"
	"os"
	"testing"

	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/identity/ucan"
	"github.com/meshd/meshd/identity/ucan/v0"
)

var update = flag.Bool("update", false, "write the vectors of this package anew")

const ourVectors = "testdata/cases.json"

// TestOurVectors runs the verifier over committed vectors in the form of
// the public ones, so that they can be given to another implementation.
func TestOurVectors(t *testing.T) {
	t.Parallel()
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(makeVectors(t)); err != nil {
		t.Fatal(err)
	}
	if *update {
		if err := os.WriteFile(ourVectors, b.Bytes(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	committed, err := os.ReadFile(ourVectors)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(committed, b.Bytes()) {
		t.Error("the builder makes other vectors than those committed; -update writes them")
	}
	runVectors(t, committed)
}

// scribe collects vectors.
type scribe struct {
	t   *testing.T
	out []m
}

func (s *scribe) verify(name, token string, proofs ...string) {
	s.out = append(s.out, m{"name": name, "task": "verify", "inputs": m{"token": token, "proofs": bag(proofs...), "now": now}})
}

func (s *scribe) refute(name string, code v0.Code, token string, proofs ...string) {
	s.out = append(s.out, m{"name": name, "task": "refute", "inputs": m{"token": token, "proofs": bag(proofs...), "now": now}, "errors": []v0.Code{code}})
}

func (s *scribe) build(name string, by *keys.Private, in m, d v0.Draft) {
	seed := by.Seed()
	in["version"], in["signature_scheme"], in["audience"] = v0.Version, "Ed25519", bob.Key().String()
	in["issuer_base64_key"] = base64.StdEncoding.EncodeToString(append(seed[:], by.Key().Public()...))
	s.out = append(s.out, m{"name": name, "task": "build", "inputs": in, "outputs": m{"token": give(s.t, by, bob, d)}})
}

func makeVectors(t *testing.T) []m {
	t.Helper()
	s := &scribe{t: t}
	s.sound()
	s.refused()
	s.building()
	return s.out
}

func (s *scribe) sound() {
	t := s.t
	caps := []v0.Cap{right(page, "doc/*")}
	first := give(t, root, bob, v0.Draft{Caps: caps, Expires: at(now), NotBefore: at(now)})
	s.verify("valid at its only moment", first)
	s.verify("an escape in a claim's name", handSigned(root, jwtHeader, `{"\u0069ss":"`+root.Key().String()+`",`+payload("iss", "-")[1:]))
	s.verify("claims in another order, and one that is unknown", handSigned(root, jwtHeader, `{"zzz":[{}],"ucv":"0.10.0",`+payload("ucv", "-")[1:]))
	s.verify("narrowed in resource, ability and caveat",
		give(t, bob, carol, v0.Draft{Caps: []v0.Cap{right(page+"/board", "Doc/Edit", m{"d": "1"})}, Expires: at(now), NotBefore: at(now), Proofs: []string{ucan.CID(first)}}), first)
	for _, h := range []ucan.Hasher{ucan.SHA512, ucan.BLAKE3} {
		cid, err := v0.CIDWith(h, first)
		if err != nil {
			t.Fatal(err)
		}
		child := give(t, bob, carol, v0.Draft{Caps: caps, Expires: at(now), NotBefore: at(now), Proofs: []string{cid}})
		s.out = append(s.out, m{"name": "proof named by " + string(h), "task": "verify", "inputs": m{"token": child, "proofs": m{cid: first}, "now": now}})
		s.out = append(s.out, m{"name": "content id by " + string(h), "task": "toCID", "inputs": m{"token": first, "hasher": h}, "outputs": m{"cid": cid}})
	}
	s.out = append(s.out, m{"name": "content id by " + string(ucan.SHA256), "task": "toCID", "inputs": m{"token": first, "hasher": ucan.SHA256}, "outputs": m{"cid": ucan.CID(first)}})
	phone := give(t, root, bob, rights([]v0.Cap{redelegation("ucan:*")}))
	given := give(t, friend, root, rights([]v0.Cap{right(friends, "doc/edit")}))
	s.verify("the two-device story", give(t, bob, dan, rights([]v0.Cap{right(friends, "doc/edit")}, ucan.CID(phone), ucan.CID(given))), phone, given)
	all := give(t, bob, carol, v0.Draft{Caps: []v0.Cap{redelegation("ucan:./*")}, Expires: at(now), NotBefore: at(now), Proofs: []string{ucan.CID(first)}})
	s.verify("all proofs passed on", give(t, carol, dan, v0.Draft{Caps: caps, Expires: at(now), NotBefore: at(now), Proofs: []string{ucan.CID(all)}}), all, first)
	one := give(t, bob, carol, v0.Draft{Caps: []v0.Cap{redelegation("ucan:" + ucan.CID(first))}, Expires: at(now), NotBefore: at(now), Proofs: []string{ucan.CID(first)}})
	s.verify("one proof passed on", give(t, carol, dan, v0.Draft{Caps: caps, Expires: at(now), NotBefore: at(now), Proofs: []string{ucan.CID(one)}}), one, first)
	s.verify("a proof that is not needed is not at hand", give(t, bob, carol, rights(nil, anyCID)))
	ten := chain(t, 10)
	s.verify("ten links", ten[10], ten[:10]...)
}

func (s *scribe) refused() {
	t := s.t
	caps := []v0.Cap{right(page, "doc/edit", m{"t": list("a", "b")})}
	proof := give(t, root, bob, v0.Draft{Caps: caps, Expires: at(now), NotBefore: at(now)})
	child := func(k v0.Cap, from *keys.Private, exp, nbf *int64) string {
		return give(t, from, carol, v0.Draft{Caps: []v0.Cap{k}, Expires: exp, NotBefore: nbf, Proofs: []string{ucan.CID(proof)}})
	}
	s.refute("expired a second ago", v0.Expired, give(t, root, bob, v0.Draft{Expires: at(now - 1)}))
	s.refute("not ready for a second", v0.NotReady, give(t, root, bob, v0.Draft{NotBefore: at(now + 1)}))
	s.refute("outlives its proof", v0.TimeBoundsViolation, child(caps[0], bob, at(now+1), at(now)), proof)
	s.refute("never ends, its proof does", v0.TimeBoundsViolation, child(caps[0], bob, nil, at(now)), proof)
	s.refute("no beginning, its proof has", v0.TimeBoundsViolation, child(caps[0], bob, at(now), nil), proof)
	s.refute("given to another", v0.InvalidDelegation, child(caps[0], dan, at(now), at(now)), proof)
	s.refute("array grows", v0.InvalidDelegation, child(right(page, "doc/edit", m{"t": list("a", "c")}), bob, at(now), at(now)), proof)
	s.refute("caveat dropped", v0.InvalidDelegation, child(right(page, "doc/edit"), bob, at(now), at(now)), proof)
	s.refute("another resource", v0.InvalidDelegation, child(right(page+"y", "doc/edit", m{"t": list("a")}), bob, at(now), at(now)), proof)
	s.refute("all abilities", v0.InvalidDelegation, child(right(page, "*", m{"t": list("a")}), bob, at(now), at(now)), proof)
	s.refute("proof not at hand", v0.UnavailableProof, child(caps[0], bob, at(now), at(now)))
	s.refute("a selected proof not in prf", v0.InvalidDelegation, child(redelegation("ucan:"+anyCID), bob, at(now), at(now)), proof)
	other := give(t, root, bob, v0.Draft{Caps: caps})
	s.out = append(s.out, m{"name": "proof is another token", "task": "refute", "errors": []v0.Code{v0.IncorrectProofs},
		"inputs": m{"token": child(caps[0], bob, at(now), at(now)), "proofs": m{ucan.CID(proof): other}, "now": now}})
	eleven := chain(t, 11)
	s.refute("eleven links", v0.InvalidDelegation, eleven[11], eleven[:11]...)
	s.refute("older than its proof", v0.InvalidDelegation, give(t, bob, carol, rights(nil, ucan.CID(give(t, root, bob, v0.Draft{Version: "0.10.1"})))),
		give(t, root, bob, v0.Draft{Version: "0.10.1"}))
	good := handSigned(root, jwtHeader, payload())
	s.refute("signed by another", v0.InvalidSignature, handSigned(dan, jwtHeader, payload()))
	s.refute("half a signature", v0.InvalidSignature, good[:len(good)-43])
	s.refute("no algorithm", v0.IncorrectType, handSigned(root, `{"alg":"none","typ":"JWT"}`, payload()))
	s.refute("a claim twice", v0.IncorrectType, handSigned(root, jwtHeader, payload()[:len(payload())-1]+`,"e\u0078p":1}`))
	s.refute("a lone surrogate", v0.IncorrectType, handSigned(root, jwtHeader, payload("nnc", `"\udc00"`)))
	s.refute("a fraction of a second", v0.IncorrectType, handSigned(root, jwtHeader, payload("exp", "9246211200.0")))
	s.refute("no capabilities", v0.MissingField, handSigned(root, jwtHeader, payload("cap", "-")))
	s.refute("padding", v0.IncorrectType, "e30=."+good)
	s.refute("a line end", v0.InvalidSignature, good+"\n")
}

func (s *scribe) building() {
	s.build("everything a token may have", root,
		m{"expiration": 9246211200, "not_before": -1, "facts": m{"z": "<&>\u00e9", "a": list(1, nil)}, "nonce": "n", "links": list(anyCID),
			"capabilities": m{"z:z": m{"b": list(m{"y": 2, "x": "1"})}, "a:a": m{"d": list(m{}), "c": list(m{})}}},
		v0.Draft{Expires: at(9246211200), NotBefore: at(-1), Facts: m{"z": "<&>\u00e9", "a": list(1, nil)}, Nonce: "n", Proofs: []string{anyCID},
			Caps: []v0.Cap{right("z:z", "b", m{"x": "1", "y": 2}), right("a:a", "c"), right("a:a", "d")}})
	s.build("as little as may be", bob, m{"expiration": nil, "capabilities": m{}}, v0.Draft{})
}
