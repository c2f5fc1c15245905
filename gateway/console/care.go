package console

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/account"
	"github.com/meshd/meshd/gateway/moderation"
	"github.com/meshd/meshd/identity/keys"
	"github.com/meshd/meshd/identity/vault"
	"github.com/meshd/meshd/node/view"
)

// keysView is the page of the keys.
type keysView struct {
	Keys     []vaultKey
	Unread   string // why some keys of the vault cannot be shown
	API      []account.KeyRecord
	HasAgent bool
	Exported string
}

// vaultKey is a key of the vault, both halves of a hybrid one together.
type vaultKey struct {
	vault.Info
	Algorithm string
}

// vaultKeys lists the vault, second halves with their keys.
func (m machine) vaultKeys() (out []vaultKey, err error) {
	infos, err := m.Keeper.Vault().List()
	halves := map[string]bool{}
	for _, i := range infos {
		if i.Kind == vault.PQ {
			halves[i.Name] = true
		}
	}
	for _, i := range infos {
		k := vaultKey{i, keys.SchemeEd25519}
		switch {
		case i.Kind == vault.PQ:
			continue
		case i.Kind == vault.Wallet:
			k.Algorithm = "secp256k1"
		case halves[vault.SecondName(i.Name)]:
			k.Algorithm = keys.SchemeHybrid
		}
		out = append(out, k)
	}
	return out, err
}

func (m machine) keys(v *visit) (answer, error) {
	list, err := m.vaultKeys()
	page := keysView{Keys: list, HasAgent: v.caller.AgentID != ""}
	if err != nil {
		page.Unread = err.Error()
	}
	if page.HasAgent {
		api, err := m.Service.Accounts.Keys(v.Context(), v.caller)
		if err != nil {
			return answer{}, err
		}
		page.API = api.Keys
	}
	return draw("keys", "Keys", page), nil
}

// rotate takes the owner's agent over to a new key, with the consent of the one in force.
func (m machine) rotate(v *visit) (answer, error) {
	id, ok := m.Node.Owner()
	if !ok {
		return answer{}, reason.Refuse(reason.AgentNotFound, "you have no agent yet")
	}
	turn := view.Turn{}
	if v.PostForm.Get("hybrid") != "" {
		turn.Second = view.SecondMade
	}
	if _, err := m.Keeper.RotateHere(v.Context(), id, m.Keeper.ConsentOfKey(id), turn); err != nil {
		return answer{}, err
	}
	m.Service.Capabilities.EndIssued(v.Context(), id)
	m.Log.Info("acting key rotated", "agent", id.String(), "by", "console")
	return to("/keys", "rotated"), nil
}

// keyFile is a key of the vault with its secret, as meshd id export writes it.
type keyFile struct {
	Name      string `json:"name"`
	Kind      string `json:"kind"`
	Public    string `json:"public"`
	Algorithm string `json:"algorithm"`
	PQ        string `json:"pq,omitempty"`
	Secret    string `json:"secret"`
	Second    string `json:"second,omitempty"`
}

// export sends a key of the vault as a file.
func (m machine) export(v *visit) (answer, error) {
	name := v.PostForm.Get("name")
	list, err := m.vaultKeys()
	if err != nil {
		m.Log.Warn("some keys cannot be read", "err", err)
	}
	var found *vaultKey
	for i := range list {
		if list[i].Name == name {
			found = &list[i]
		}
	}
	if found == nil {
		return answer{}, reason.Refuse(reason.NotFound, "the vault has no key of that name")
	}
	info, secret, err := m.Keeper.Vault().Export(name)
	if err != nil {
		return answer{}, err
	}
	out := keyFile{Name: info.Name, Kind: string(info.Kind), Public: info.Public, Algorithm: found.Algorithm, Secret: hex.EncodeToString(secret[:])}
	if found.Algorithm == keys.SchemeHybrid {
		second, seed, err := m.Keeper.Vault().Export(vault.SecondName(name))
		if err != nil {
			return answer{}, err // half of a key is of no use
		}
		out.PQ, out.Second = second.Public, hex.EncodeToString(seed[:])
	}
	raw, err := json.MarshalIndent(out, "", "  ")
	if err != nil {
		return answer{}, fmt.Errorf("write key: %w", err)
	}
	m.Log.Info("a secret key left the vault", "key", info.Name, "public", info.Public, "by", "console")
	m.attach(v, info.Name+".key.json", "application/json")
	m.send(v, http.StatusOK, "application/json", append(raw, '\n'))
	return answer{sent: true}, nil
}

// attach names the file that an answer is saved as.
func (machine) attach(v *visit, name, kind string) {
	v.w.Header().Set("Content-Type", kind)
	v.w.Header().Set("Content-Disposition", fmt.Sprintf("attachment; filename=%q", name))
}

// revoke ends an API key of the owner's agent.
func (m machine) revoke(v *visit) (answer, error) {
	if _, err := m.Service.Accounts.RevokeKey(v.Context(), v.caller, v.PostForm.Get("id")); err != nil {
		return answer{}, err
	}
	return to("/keys", "revoked"), nil
}

// queueView is the page of what was reported.
type queueView struct {
	Items []moderation.QuarantineItem
	Total int
	Error error
}

func (m machine) queue(v *visit) (answer, error) {
	r := moderation.QuarantineForm.Defaults()
	r.Limit = pageLength
	got, err := m.Service.Moderation.Quarantine(v.Context(), v.caller, r)
	if err != nil {
		return answer{}, err
	}
	return draw("moderation", "Moderation", queueView{Items: got.Items, Total: got.Total}), nil
}

// because reads why a moderator acts.
func because(v *visit) (r moderation.ReasonRequest, err error) {
	r = moderation.ReasonForm.Defaults()
	if r.Reason = v.PostForm.Get("reason"); r.Reason == "" {
		return r, reason.Refuse(reason.MissingField, "say why; the audit log keeps it").With(map[string]any{"field": "reason"})
	}
	return r, nil
}

func (m machine) release(v *visit) (answer, error) {
	r, err := because(v)
	if err != nil {
		return answer{}, err
	}
	if _, err := m.Service.Moderation.Release(v.Context(), v.caller, v.PostForm.Get("id"), r); err != nil {
		return answer{}, err
	}
	return to("/moderation", "shown"), nil
}

func (m machine) remove(v *visit) (answer, error) {
	r, err := because(v)
	if err != nil {
		return answer{}, err
	}
	if _, err := m.Service.Moderation.Purge(v.Context(), v.caller, v.PostForm.Get("id"), r); err != nil {
		return answer{}, err
	}
	return to("/moderation", "purged"), nil
}

func (m machine) backups(*visit) (answer, error) {
	return draw("backups", "Backups", nil), nil
}

// backup sends the whole home as a file. One that could not be finished has no end, which
// meshd backup --check finds.
func (m machine) backup(v *visit) (answer, error) {
	m.attach(v, "meshd-"+m.Now().UTC().Format("20060102T150405Z")+".backup", "application/octet-stream")
	if err := m.Process.Backup(v.Context(), v.w); err != nil && !errors.Is(err, v.Context().Err()) {
		m.Log.Error("backup failed", "err", err, "by", "console")
		panic(http.ErrAbortHandler)
	}
	return answer{sent: true}, nil
}
