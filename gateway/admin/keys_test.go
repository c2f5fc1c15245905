package admin_test

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/admin"
	"github.com/meshd/meshd/gateway/owner"
	"github.com/meshd/meshd/identity/attest"
	"github.com/meshd/meshd/identity/binding"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/identity/vault"
	"github.com/meshd/meshd/node/account"
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/view"
)

// keeper is a node with a vault, which notes who was rotated by whose consent.
type keeper struct {
	fake
	vault   *vault.Vault
	rotated change.AgentID
	by      string
	next    []byte
	second  view.Second
	acting  string // name of the key that acts for the owner's agent
}

func (k *keeper) Author(change.AgentID) (core.Author, error) {
	s, err := k.vault.Signer(k.acting)
	if err != nil {
		return core.Author{}, reason.Refuse(reason.Forbidden, "this node has no key of that agent")
	}
	return core.Author{Signer: s}, nil
}

func (k *keeper) Vault() *vault.Vault { return k.vault }

func (k *keeper) FindAgent(_ context.Context, s string) (view.Agent, error) {
	if s == "far" || s == k.owner.String() || s == (change.AgentID{3}).String() {
		return view.Agent{AgentRef: view.AgentRef{ID: change.AgentID{3}}}, nil
	}
	return view.Agent{}, reason.Refuse(reason.AgentNotFound, "no such agent")
}

func (k *keeper) ConsentOfKey(change.AgentID) account.Consent {
	return func(string) (binding.Consent, error) { return binding.Consent{Key: "the key in force"}, nil }
}

func (k *keeper) RotateHere(_ context.Context, agent change.AgentID, by account.Consent, turn view.Turn) (view.Agent, error) {
	c, err := by("a line")
	if err != nil {
		return view.Agent{}, err
	}
	if c.Text != "" {
		if _, err := c.Verify("a line"); err != nil {
			return view.Agent{}, err
		}
	}
	k.rotated, k.by, k.next = agent, c.Key, turn.Next
	k.second = turn.Second
	return view.Agent{AgentRef: view.AgentRef{ID: agent}}, nil
}

func (k *keeper) ImportKey(name string, kind vault.Kind, _ [32]byte, public string) (vault.Info, error) {
	if name == "taken" {
		return vault.Info{}, reason.Refuse(reason.NameTaken, "taken")
	}
	return vault.Info{Name: name, Kind: kind, Public: public}, nil
}

func newKeeper(t *testing.T) *keeper {
	t.Helper()
	dir := t.TempDir()
	v, err := vault.Open(filepath.Join(dir, "keys"), vault.KeyFile(filepath.Join(dir, "unlock")), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := v.Create("owner", vault.Agent); err != nil {
		t.Fatal(err)
	}
	return &keeper{fake: fake{owner: change.AgentID{1}}, vault: v, acting: "owner"}
}

func TestKeysGoOutAndIn(t *testing.T) {
	t.Parallel()
	k := newKeeper(t)
	ask := serve(t, admin.Config{Node: k})
	_, out := ask("POST", "/control/keys/export", `{"name":"owner"}`)
	if !strings.Contains(out, `"kind":"agent"`) || !strings.Contains(out, `"secret":"`) {
		t.Fatalf("exported %s", out)
	}
	secret := strings.Repeat("00", 32)
	for _, c := range []struct {
		path, body string
		code       int
		has        string
	}{
		{"export", `{"name":"nobody"}`, 404, `"not_found"`},
		{"export", `{"name":"../lock"}`, 404, `"not_found"`},
		{"export", `{"nmae":"owner"}`, 400, `"invalid_json"`},
		{"import", `{"name":"a","kind":"agent","public":"p","secret":"` + secret + `"}`, 200, `"name":"a"`},
		{"import", `{"name":"taken","kind":"agent","public":"p","secret":"` + secret + `"}`, 409, `"name_taken"`},
		{"import", `{"name":"a","kind":"agent","public":"p","secret":"` + secret[2:] + `"}`, 400, `"invalid_param"`},
		{"import", `{"name":"a","kind":"agent","public":"p","secret":"zz"}`, 400, `"invalid_param"`},
		{"import", `[]`, 400, `"invalid_json"`},
	} {
		if code, body := ask("POST", "/control/keys/"+c.path, c.body); code != c.code || !strings.Contains(body, c.has) {
			t.Errorf("%s %s: %d %s, want %d with %s", c.path, c.body, code, body, c.code, c.has)
		}
	}
}

func TestOwnerSignsCodeChanges(t *testing.T) {
	t.Parallel()
	k := newKeeper(t)
	ask := serve(t, admin.Config{Node: k})
	signer, err := k.vault.Signer("owner")
	if err != nil {
		t.Fatal(err)
	}
	c := attest.Code{Base: strings.Repeat("0a", 20), Head: strings.Repeat("0b", 20), Files: []attest.File{{Path: "a", Change: attest.Added, SHA256: [32]byte{7}}}}
	for _, trailers := range []bool{false, true} {
		body, err := json.Marshal(admin.NewAttestOrder(c, trailers))
		if err != nil {
			t.Fatal(err)
		}
		code, out := ask("POST", "/control/attest", string(body))
		var reply admin.AttestReply
		if err := json.Unmarshal([]byte(out), &reply); err != nil || code != 200 || reply.Author != signer.Key().String() {
			t.Fatalf("%d %s, %v", code, out, err)
		}
		if trailers {
			got, err := attest.ParseTrailers(reply.Trailers)
			if err != nil || got.Author != signer.Key() || got.Verify(c.Files) != nil {
				t.Errorf("trailers %+v, %v", got, err)
			}
			continue
		}
		e, err := attest.ParseEnvelope(reply.Envelope)
		if err != nil {
			t.Fatal(err)
		}
		got, err := attest.OpenCode(e)
		if err != nil || got.Author != signer.Key() || got.Base != c.Base || got.Head != c.Head || len(got.Compare(c.Files)) != 0 {
			t.Errorf("signed %+v, %v", got, err)
		}
	}
	sum := strings.Repeat("00", 32)
	for body, has := range map[string]string{
		`{"files":[{"path":"../a","change":"added","sha256":"` + sum + `"}]}`:                          `"invalid_param"`,
		`{"files":[{"path":"a","change":"added","sha256":"` + sum[2:] + `"}]}`:                         `"invalid_param"`,
		`{"base":"main","head":"work","files":[{"path":"a","change":"added","sha256":"` + sum + `"}]}`: `"invalid_param"`,
		`{"message":"anything"}`: `"invalid_json"`,
	} {
		if code, out := ask("POST", "/control/attest", body); code != 400 || !strings.Contains(out, has) {
			t.Errorf("%s: %d %s", body, code, out)
		}
	}
	// After a rotation another key of the vault acts for the agent, and signs.
	next, err := k.vault.CreateHybrid("acting-2", vault.Agent)
	if err != nil {
		t.Fatal(err)
	}
	k.acting = next.Name
	body, err := json.Marshal(admin.NewAttestOrder(c, true))
	if err != nil {
		t.Fatal(err)
	}
	if code, out := ask("POST", "/control/attest", string(body)); code != 200 || !strings.Contains(out, `"author":"`+next.Public+`"`) {
		t.Errorf("after a rotation to %s: %d %s", next.Public, code, out)
	}
	k.acting = "elsewhere"
	if code, out := ask("POST", "/control/attest", `{"files":[]}`); code != 403 {
		t.Errorf("without a key: %d %s", code, out)
	}
}

func TestRotationIsConsentedToByWhoWasGiven(t *testing.T) {
	t.Parallel()
	k := newKeeper(t)
	ask := serve(t, admin.Config{Node: k})
	recovery, next := keys.FromSeed([32]byte{1}), keys.FromSeed([32]byte{2}).Key()
	file := filepath.Join(t.TempDir(), "recovery")
	if err := owner.WriteRecovery(file, recovery); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	escaped := strings.ReplaceAll(string(text), "\n", `\n`)
	hash := sha256.Sum256(next[:])
	for _, c := range []struct {
		body string
		code int
		has  string
		by   string
		next []byte
	}{
		{"", 200, `"id"`, "the key in force", nil},
		{`{"agent":"far"}`, 200, `"id"`, "the key in force", nil},
		{`{"agent":"nobody"}`, 404, `"agent_not_found"`, "", nil},
		{`{"recovery":"` + escaped + `","next":"` + next.String() + `"}`, 200, `"id"`, recovery.Key().String(), hash[:]},
		{`{"recovery":"` + escaped + `"}`, 400, `"invalid_did"`, "", nil},
		{`{"recovery":"` + escaped + `","next":"` + recovery.Key().String() + `"}`, 400, "used once", "", nil},
		{`{"recovery":"nothing","next":"` + next.String() + `"}`, 400, `"invalid_param"`, "", nil},
		{`{"next":"` + next.String() + `"}`, 400, `"invalid_param"`, "", nil},
	} {
		k.by, k.next = "", nil
		if code, body := ask("POST", "/control/rotate", c.body); code != c.code || !strings.Contains(body, c.has) {
			t.Errorf("%s: %d %s, want %d with %s", c.body, code, body, c.code, c.has)
		}
		if k.by != c.by || !bytes.Equal(k.next, c.next) {
			t.Errorf("%s: consent of %q, next %x", c.body, k.by, k.next)
		}
	}
}
