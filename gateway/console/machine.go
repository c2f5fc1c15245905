package console

import (
	"context"
	"io"
	"net/http"

	"github.com/meshd/meshd/crdt/change"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/identity/vault"
	"github.com/meshd/meshd/node"
	"github.com/meshd/meshd/node/account"
	"github.com/meshd/meshd/node/config"
	"github.com/meshd/meshd/node/health"
	"github.com/meshd/meshd/node/peering"
	"github.com/meshd/meshd/node/view"
)

// Keeper is what the pages of keys and of the store need; *node.Node is one.
type Keeper interface {
	// Vault is the node's key store.
	Vault() *vault.Vault
	// RotateHere takes an agent over to a new acting key of this vault.
	RotateHere(ctx context.Context, agent change.AgentID, by account.Consent, turn view.Turn) (view.Agent, error)
	// ConsentOfKey is the consent of the key in force, when it lies in this vault.
	ConsentOfKey(agent change.AgentID) account.Consent
	// Verify reads every stored change again and reports what does not fit.
	Verify(ctx context.Context) (node.DeepCheck, error)
	// SyncNow runs a pass with every connected peer.
	SyncNow(ctx context.Context, wait bool) ([]peering.PassSummary, bool, error)
}

var _ Keeper = (*node.Node)(nil)

// Process is what the process knows that the node runs in.
type Process interface {
	// Settings are all keys, with their values in force and where these come from.
	Settings() []Setting
	// File is the file that changed settings are written to, "" when there is none.
	File() string
	// Propose returns the file as it is, and as it would be with another value of a key. The
	// refusal of a value is a config.Fault or config.Faults.
	Propose(key, value string) (before, after []byte, err error)
	// Save writes the file, unless it is no longer what before says, and puts the live
	// settings into force.
	Save(before, after []byte) (live, restart []string, err error)
	// Recent are the newest lines of the log, oldest first.
	Recent() []string
	// Backup writes the whole home.
	Backup(ctx context.Context, w io.Writer) error
}

// Setting is a key with its value, as it was read last.
type Setting struct {
	config.Setting
	Waits bool // it was changed, and the node must be started again for it
}

// machine has the pages about the node itself.
type machine struct{ *Console }

func (m machine) rows() []page {
	if m.Keeper == nil || m.Process == nil {
		return nil
	}
	return []page{
		get("/peers", "/peers", m.peers),
		post("/peers/compare", "/peers", m.compare),
		get("/sets", "/sets", m.sets),
		get("/storage", "/storage", m.storage),
		page{method: http.MethodPost, path: "/storage/verify", at: "/storage", handle: m.verify, slow: true},
		get("/activity", "/activity", m.activity),
		get("/log", "/log", m.log),
		get("/keys", "/keys", m.keys),
		page{method: http.MethodPost, path: "/keys/rotate", at: "/keys", handle: m.rotate, fresh: true},
		page{method: http.MethodPost, path: "/keys/export", at: "/keys", handle: m.export, fresh: true},
		post("/keys/revoke", "/keys", m.revoke),
		get("/moderation", "/moderation", m.queue),
		post("/moderation/release", "/moderation", m.release),
		post("/moderation/remove", "/moderation", m.remove),
		get("/settings", "/settings", m.settings),
		post("/settings/review", "/settings", m.review),
		post("/settings/save", "/settings", m.save),
		get("/backups", "/backups", m.backups),
		page{method: http.MethodPost, path: "/backups/make", at: "/backups", handle: m.backup, fresh: true, slow: true},
	}
}

// peersView is the page of the peers.
type peersView struct {
	Self      health.Status
	Connected []health.PeerStatus
	Others    []health.PeerStatus
	Loopback  bool
}

func (m machine) peers(*visit) (answer, error) {
	v := peersView{Self: m.Node.Status(), Connected: []health.PeerStatus{}}
	v.Loopback = onlyLoopback(v.Self.Listen)
	for _, p := range m.Node.Peers() {
		if p.Connected {
			v.Connected = append(v.Connected, p)
		} else {
			v.Others = append(v.Others, p)
		}
	}
	return draw("peers", "Peers", v), nil
}

// compare runs a pass with every connected peer.
func (m machine) compare(v *visit) (answer, error) {
	passes, equal, err := m.Keeper.SyncNow(v.Context(), false)
	switch {
	case err != nil:
		return answer{}, reason.Refuse(reason.NotReady, "no comparison: %v", err)
	case len(passes) == 0:
		return to("/peers", "alone"), nil
	case !equal:
		return to("/peers", "compared"), nil
	}
	return to("/peers", "equal"), nil
}

// setsView is the page of the sets: what this node has, and how the peers differ.
type setsView struct {
	Sets  []setRow
	Peers int
	View  health.ViewStatus
}

type setRow struct {
	health.SetStatus
	Peers []setPeer // those that have the set too
}

// setPeer is how a peer's set compares with ours.
type setPeer struct {
	Peer string
	At   string // end of the comparison
	health.PeerSet
}

func (m machine) sets(*visit) (answer, error) {
	st := m.Node.Status()
	v := setsView{View: st.View}
	by := map[string][]setPeer{}
	for _, p := range m.Node.Peers() {
		if !p.Connected {
			continue
		}
		v.Peers++
		if p.Pass == nil {
			continue
		}
		for _, s := range p.Pass.Sets {
			by[s.Name] = append(by[s.Name], setPeer{p.ID, p.LastPass, s})
		}
	}
	for _, s := range st.Sets {
		v.Sets = append(v.Sets, setRow{s, by[s.Name]})
	}
	return draw("sets", "Sets", v), nil
}

// storageView is the page of the store.
type storageView struct {
	Node  health.Status
	Check *node.DeepCheck // nil when nothing was checked
}

func (m machine) storage(*visit) (answer, error) {
	return draw("storage", "Storage", storageView{Node: m.Node.Status()}), nil
}

// verify reads everything that is stored again.
func (m machine) verify(v *visit) (answer, error) {
	got, err := m.Keeper.Verify(v.Context())
	if err != nil {
		return answer{}, err
	}
	return draw("storage", "Storage", storageView{m.Node.Status(), &got}), nil
}
