package agent

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/crdt/body"
	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/identity/binding"
	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/identity/wallet"
)

// seeded is the key of a seed of equal bytes.
func seeded(b byte) *keys.Private {
	var seed [keys.SeedSize]byte
	for i := range seed {
		seed[i] = b
	}
	return keys.FromSeed(seed)
}

// draftOf is the answer of an honest gateway.
func draftOf(t testing.TB, agent change.AgentID, to did.Key, next []byte) map[string]any {
	t.Helper()
	old := seeded(1).Key()
	last := change.ID{9}
	b := body.Rotate{Old: old, Cut: body.Cut{string(agent.Space()): last}, Next: next}
	net := change.NetID{5}
	line, err := b.Line(net, agent, to)
	if err != nil {
		t.Fatal(err)
	}
	out := map[string]any{"success": true, "agent_id": agent.String(), "network": net.String(), "old": old.String(), "new": to.String(),
		"record": change.ID{8}.Text(change.PrefixChange), "cut": map[string]string{string(agent.Space()): last.Text(change.PrefixChange)},
		"line": line, "hlc": uint64(1_800_000_000_000) << 10}
	if next != nil {
		out["next"] = hex.EncodeToString(next)
	}
	return out
}

func encoded(t testing.TB, v any) []byte {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// A gateway may be hostile: what it asks to consent to is built again.
func TestOnlyThisRotationIsSigned(t *testing.T) {
	t.Parallel()
	agent, to := change.AgentID{7}, seeded(2).Key()
	next := make([]byte, 32)
	for name, c := range map[string]struct {
		next []byte
		edit func(map[string]any)
		want string // "" when it is read
	}{
		"good":             {nil, func(map[string]any) {}, ""},
		"good, recovery":   {next, func(map[string]any) {}, ""},
		"another agent":    {nil, func(m map[string]any) { m["agent_id"] = change.AgentID{6}.String() }, "agent or new key"},
		"another new key":  {nil, func(m map[string]any) { m["new"] = seeded(3).Key().String() }, "agent or new key"},
		"another old key":  {nil, func(m map[string]any) { m["old"] = seeded(3).Key().String() }, "line"},
		"no old key":       {nil, func(m map[string]any) { m["old"] = "" }, "old key"},
		"another cut":      {nil, func(m map[string]any) { m["cut"] = map[string]string{} }, "line"},
		"a broken cut":     {nil, func(m map[string]any) { m["cut"] = map[string]string{"x": "y"} }, "cut"},
		"a planted key":    {nil, func(m map[string]any) { m["next"] = strings.Repeat("ab", 32) }, "recovery key"},
		"no recovery key":  {next, func(m map[string]any) { delete(m, "next") }, "recovery key"},
		"another recovery": {next, func(m map[string]any) { m["next"] = strings.Repeat("ab", 32) }, "recovery key"},
		"another line":     {nil, func(m map[string]any) { m["line"] = "mesh:rotate:" + strings.Repeat("0", 64) }, "line"},
		"another network":  {nil, func(m map[string]any) { m["network"] = change.NetID{4}.String() }, "line"},
		"a short network":  {nil, func(m map[string]any) { m["network"] = "05" }, "network"},
		"no record":        {nil, func(m map[string]any) { m["record"] = "chg_" }, "record"},
		"a number as line": {nil, func(m map[string]any) { m["line"] = 1 }, "read answer"},
	} {
		draft := draftOf(t, agent, to, c.next)
		c.edit(draft)
		r, err := readRotation(encoded(t, draft), agent, to, c.next)
		if c.want == "" && (err != nil || r.line != draft["line"]) || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
	}
}

func TestSealedRotationProvesItself(t *testing.T) {
	t.Parallel()
	agent, key := change.AgentID{7}, seeded(2)
	r, err := readRotation(encoded(t, draftOf(t, agent, key.Key(), nil)), agent, key.Key(), nil)
	if err != nil {
		t.Fatal(err)
	}
	by := consenter{did: did.OfKey(seeded(4).Key()), alg: binding.AlgEd25519, sign: func(line string) []byte {
		sig := seeded(4).Sign([]byte(line))
		return sig[:]
	}}
	behind := time.UnixMilli(1_800_000_000_000).Add(-maxAhead)
	c, err := r.seal(madeKey{Private: key}, by, by.did.String(), behind)
	if err != nil {
		t.Fatal(err)
	}
	back, err := change.Decode(c.RawHead, c.Body)
	if err != nil {
		t.Fatal(err)
	}
	h := back.Head
	if h.Seq != 1 || h.HLC != r.above+1 || h.Author != key.Key() || h.Kind != change.KindRotate || len(h.Proof) != 1 || h.Proof[0] != r.record ||
		h.Net != r.net || h.Space != agent.Space() || !keys.Verify(h.Author, back.ID.Preimage(), h.Sig[:]) {
		t.Errorf("sealed %+v", h)
	}
	v, err := body.ParseRotate(back.Body)
	if err != nil {
		t.Fatal(err)
	}
	if who, err := v.By.Verify(r.line); err != nil || who != by.did {
		t.Errorf("consent by %v, %v", who, err)
	}
	if _, err := r.seal(madeKey{Private: key}, by, by.did.String(), behind.Add(-time.Second)); err == nil || !strings.Contains(err.Error(), "clock") {
		t.Errorf("sealed far above the own clock: %v", err)
	}
	if _, err := r.seal(madeKey{Private: key}, by, did.OfKey(seeded(5).Key()).String(), behind); err == nil {
		t.Error("sealed with a consent that does not verify")
	}
}

func TestAgentOfAGatewayIsTheOneThatWasNamed(t *testing.T) {
	t.Parallel()
	secret, err := wallet.KeyFromSecret([wallet.SecretSize]byte{31: 1})
	if err != nil {
		t.Fatal(err)
	}
	mine, elsewhere := did.OfAccount(did.Account{Chain: 1, Address: secret.Address()}), did.OfAccount(did.Account{Chain: 8453, Address: secret.Address()})
	key := did.OfKey(seeded(4).Key())
	id := change.AgentID{7}
	for name, c := range map[string]struct {
		ask         string
		by          consenter
		controllers []string
		controller  string
		spends      bool
		want        string
	}{
		"wallet":           {"ada", consenter{did: mine}, []string{mine.String()}, mine.String(), false, ""},
		"another chain":    {"", consenter{did: mine}, []string{elsewhere.String()}, elsewhere.String(), false, ""},
		"another wallet":   {"ada", consenter{did: mine}, []string{key.String()}, "", false, "does not control"},
		"controlling key":  {"ada", consenter{did: key, recovery: true}, []string{key.String()}, key.String(), false, ""},
		"recovery key":     {"ada", consenter{did: key, recovery: true}, []string{mine.String()}, key.String(), true, ""},
		"another agent":    {change.AgentID{6}.String(), consenter{did: key}, []string{key.String()}, "", false, "another agent"},
		"that very agent":  {id.String(), consenter{did: key}, []string{"nonsense", key.String()}, key.String(), false, ""},
		"the acting key":   {"ada", consenter{did: key}, nil, key.String(), false, ""},
		"found by its key": {"", consenter{did: key}, []string{key.String()}, key.String(), false, ""},
	} {
		srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			_, _ = fmt.Fprintf(w, `{"agent":{"id":%q,"did":"did:key:z","controllers":%s}}`, id, encoded(t, c.controllers))
		}))
		got, err := findControlled(t.Context(), &session.Client{HTTP: srv.Client(), Base: srv.URL}, c.ask, c.by)
		srv.Close()
		if c.want != "" {
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%s: %v, want %q", name, err, c.want)
			}
			continue
		}
		if err != nil || got.ID != id || got.controller != c.controller || got.spends != c.spends {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
	}
}
