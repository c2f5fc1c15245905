package v1_test

import (
	"bytes"
	"testing"

	"github.com/ipld/go-ipld-prime/datamodel"

	"github.com/meshd/meshd/identity/did"
	v1 "github.com/meshd/meshd/identity/ucan/v1"
)

type ipldNode = datamodel.Node

// FuzzRead: whatever arrives is refused with findings or means one thing. What
// is read is packed again to the same tokens.
func FuzzRead(f *testing.F) {
	s := newStory()
	container, _ := s.build(f)
	f.Add(container)
	f.Add([]byte("B"))
	f.Add([]byte("@\xa1\x66ctn-v1\x81\x43\x82\x40\xa0"))
	f.Fuzz(func(t *testing.T, data []byte) {
		b, err := v1.Read(data, nil)
		if err != nil {
			findings(t, err)
			return
		}
		v, err := b.Verify(v1.Check{Now: now, Audience: gateway.Key(), Owner: func(did.Key, string) bool { return true }})
		if err != nil {
			findings(t, err)
			return
		}
		again := must[*v1.Bundle](t)(v1.Read(pack(t, v.Invocation.Sealed), nil))
		inv := must[*v1.Invocation](t)(again.Invocation())
		if inv.CID != v.Invocation.CID || !bytes.Equal(inv.Sealed, v.Invocation.Sealed) {
			t.Errorf("%s became %s", v.Invocation.CID, inv.CID)
		}
	})
}

// FuzzPayload signs whatever payload it is given, so that the decoder behind the
// signature is reached.
func FuzzPayload(f *testing.F) {
	d := must[*v1.Delegation](f)(v1.Delegate(ada, v1.Grant{Audience: bob.Key(), Command: "/entry", Expires: at(now),
		Policy: []any{[]any{"all", ".l", []any{"or", []any{[]any{"like", ".a?", "x*"}, []any{"<", ".b[0]", 1.5}}}}}}, &counter{}))
	i := must[*v1.Invocation](f)(v1.Invoke(ada, v1.Act{Command: "/entry", Args: map[string]any{"resource": guild, "l": []any{1, nil, []byte{2}}},
		Proofs: []string{d.CID}, Audience: gateway.Key()}, &counter{}))
	const head = 67
	f.Add(d.Sealed[head:])
	f.Add(i.Sealed[head:])
	f.Fuzz(func(t *testing.T, signed []byte) {
		if len(signed) > v1.MaxToken {
			return
		}
		sig := ada.Sign(signed)
		sealed := append(append([]byte{0x82, 0x58, 0x40}, sig[:]...), signed...)
		b, err := v1.Read(pack(t, sealed), nil)
		if err != nil {
			findings(t, err)
			return
		}
		if d, ok := b.Delegation(v1.CIDOf(sealed)); ok {
			d.Policy.Satisfied(map[string]any{"l": []any{1, "x", map[string]any{"a": "xy", "b": []any{1.0}}}})
			if right, err := v1.RightOf(d.Command, d.Policy); err == nil {
				if _, err := v1.PolicyOf(right); err != nil {
					t.Errorf("%+v has no way back: %v", right, err)
				}
			}
			return
		}
		if _, err := b.Verify(v1.Check{Now: now, Audience: gateway.Key()}); err != nil {
			findings(t, err)
		}
		if _, err := b.Revocation(now); err != nil {
			findings(t, err)
		}
	})
}
