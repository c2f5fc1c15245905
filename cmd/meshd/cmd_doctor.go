package main

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/node"
	"github.com/meshd/meshd/node/config"
	"github.com/meshd/meshd/node/control"
	"github.com/meshd/meshd/node/store"
)

// Verdicts of a check.
const (
	pass = "pass"
	warn = "warn"
	fail = "fail"
	skip = "skip"
)

// finding is the outcome of one check.
type finding struct {
	Check   string `json:"check"`
	Verdict string `json:"verdict"`
	Text    string `json:"text"`
	Next    string `json:"next,omitempty"`
}

func (p *program) cmdDoctor() *cobra.Command {
	return &cobra.Command{
		Use: "doctor", Short: "Check the home, its settings and the running node", Args: nothing,
		Long: "Check the home, its settings and the running node. Nothing is changed, and nothing needs to run. The\n" +
			"exit code is 3 when a check fails.",
		RunE: func(c *cobra.Command, _ []string) error {
			dir, err := p.homeDir()
			if err != nil {
				return err
			}
			_, cfg, faults := p.settings()
			d := &doctor{dir: dir, cfg: &cfg.Config, faults: faults}
			d.examine(c.Context())
			return p.diagnose(d.findings)
		},
	}
}

func (p *program) diagnose(findings []finding) error {
	failed := false
	colours := map[string]string{pass: green, warn: yellow, fail: red, skip: "2"}
	for _, f := range findings {
		failed = failed || f.Verdict == fail
		if p.json {
			continue
		}
		fmt.Fprintf(p.out, "%s  %-12s %s\n", p.paint(colours[f.Verdict], f.Verdict), f.Check, f.Text)
		if f.Next != "" {
			fmt.Fprintf(p.out, "      next: %s\n", f.Next)
		}
	}
	if p.json {
		if err := p.printJSON(map[string]any{"ok": !failed, "checks": findings}); err != nil {
			return err
		}
	}
	if failed {
		return errDegraded
	}
	return nil
}

// doctor looks at one home.
type doctor struct {
	dir      string
	cfg      *config.Config
	faults   error
	findings []finding
}

func (d *doctor) found(check, verdict, text, next string) {
	d.findings = append(d.findings, finding{check, verdict, text, next})
}

// examine runs every check, in an order in which the first failure explains the
// later ones.
func (d *doctor) examine(ctx context.Context) {
	d.config()
	home, err := store.Inspect(d.dir)
	if err != nil {
		d.found("home", fail, err.Error(), "meshd run makes it")
		return
	}
	d.permissions(home)
	d.format(home)
	d.disk()
	client, err := control.Dial(d.dir)
	if err != nil {
		d.still(home, err)
		return
	}
	defer client.CloseIdleConnections()
	d.alive(ctx, &door{client: client, base: control.BaseURL})
}

func (d *doctor) config() {
	var faults config.Faults
	switch {
	case errors.As(d.faults, &faults):
		for _, f := range faults {
			d.found("config", fail, f.Error(), "mend it; meshd config show --effective --origin lists every key")
		}
	case d.faults != nil:
		d.found("config", fail, d.faults.Error(), "")
	default:
		d.found("config", pass, "every setting is sound", "")
	}
}

// permissions looks for what others of this machine could read.
func (d *doctor) permissions(home *store.Home) {
	var open []string
	err := filepath.WalkDir(home.Path(store.KeysDir), func(path string, e fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := e.Info()
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			open = append(open, path)
		}
		return err
	})
	switch {
	case err != nil:
		d.found("permissions", fail, err.Error(), "")
	case len(open) > 0:
		d.found("permissions", fail, fmt.Sprintf("others may read %s", open[0]), "chmod go-rwx "+open[0])
	default:
		d.found("permissions", pass, "keys are closed to others", "")
	}
}

func (d *doctor) format(home *store.Home) {
	n, err := home.Format()
	switch {
	case err != nil:
		d.found("format", fail, err.Error(), "")
	case n > store.CurrentFormat():
		d.found("format", fail, fmt.Sprintf("the home has format %d, this meshd knows up to %d", n, store.CurrentFormat()), "use the meshd that wrote it, or a newer one")
	default:
		d.found("format", pass, fmt.Sprintf("format %d", n), "")
	}
}

func (d *doctor) disk() {
	free, err := store.FreeBytes(d.dir)
	least := uint64(d.cfg.Storage.MinFreeDisk)
	text := fmt.Sprintf("%s free", config.Size(free/(1<<20)<<20))
	switch {
	case err != nil:
		d.found("disk", fail, err.Error(), "")
	case free < least:
		d.found("disk", fail, text+", the node only reads below "+d.cfg.Storage.MinFreeDisk.String(), "make room, or lower storage.min_free_disk")
	case free < 2*least:
		d.found("disk", warn, text, "make room soon")
	default:
		d.found("disk", pass, text, "")
	}
}

// still checks a home on which no node runs.
func (d *doctor) still(home *store.Home, reached error) {
	holder, held, err := home.Holder()
	switch {
	case err != nil:
		d.found("lock", fail, err.Error(), "")
	case held:
		d.found("lock", warn, fmt.Sprintf("process %d (%s) has the home, but answers no requests: %v", holder.PID, oneLine(holder.Command, 80), reached), "wait until it has started or ended")
	default:
		d.found("lock", pass, "no other process has the home", "")
		d.vault(home)
	}
	for _, check := range []string{"store", "clock", "bootstrap", "nat", "index", "sync"} {
		d.found(check, skip, "no node runs", "")
	}
}

// vault tries the keys. The node key exists in every home, so nothing is made.
func (d *doctor) vault(home *store.Home) {
	if _, err := os.Stat(home.Path(store.KeysDir, "node.sealed")); err != nil {
		d.found("vault", skip, "no keys yet", "")
		return
	}
	v, err := node.OpenVault(home, d.cfg.Vault, rand.Reader)
	if err != nil {
		d.found("vault", fail, err.Error(), "set vault.passphrase_file or vault.key_file to what locked it")
		return
	}
	keys, err := v.List()
	if err != nil {
		d.found("vault", fail, err.Error(), "restore the damaged file from a backup")
		return
	}
	d.found("vault", pass, fmt.Sprintf("opens, %d keys", len(keys)), "")
}

// alive asks the running node.
func (d *doctor) alive(ctx context.Context, way *door) {
	ctx, cancel := context.WithTimeout(ctx, doctorTime)
	defer cancel()
	var s node.Status
	var p struct{ Peers []node.PeerStatus }
	for path, into := range map[string]any{"/control/status": &s, "/control/peers": &p} {
		data, _, err := way.do(ctx, http.MethodGet, path, nil, nil, nil)
		if err == nil {
			err = json.Unmarshal(data, into)
		}
		if err != nil {
			d.found("node", fail, fmt.Sprintf("the running node does not answer: %v", err), "look at its log; stop and start it")
			return
		}
	}
	d.found("lock", pass, "the running node has the home", "")
	d.found("vault", pass, "open in the running node", "")
	if s.ReadOnly {
		d.found("store", fail, "takes no writes", "make room on the disk")
	} else {
		d.found("store", pass, fmt.Sprintf("%d agents, %d entries", s.Agents, s.Entries), "")
	}
	d.clock(s)
	d.peers(s, p.Peers)
	d.lag(s)
}

func (d *doctor) clock(s node.Status) {
	ahead := time.Duration(s.ClockSkew * float64(time.Second))
	switch {
	case s.LastSync == "":
		d.found("clock", skip, "no peer to compare with", "")
	case ahead.Abs() > d.cfg.Admission.ClockAhead:
		d.found("clock", fail, fmt.Sprintf("peers are %s ahead of this clock", ahead.Round(time.Second)), "set the clock of this machine (NTP)")
	case ahead.Abs() > time.Minute:
		d.found("clock", warn, fmt.Sprintf("peers are %s ahead of this clock", ahead.Round(time.Second)), "set the clock of this machine (NTP)")
	default:
		d.found("clock", pass, "agrees with the peers", "")
	}
}

func (d *doctor) peers(s node.Status, peers []node.PeerStatus) {
	known, reached := 0, 0
	for _, p := range peers {
		if p.Bootstrap {
			known++
			if p.Connected {
				reached++
			}
		}
	}
	switch {
	case known == 0:
		d.found("bootstrap", skip, fmt.Sprintf("none is configured; %d peers", s.Peers), "")
	case reached == 0:
		d.found("bootstrap", fail, fmt.Sprintf("none of %d answers", known), "check the addresses in network.bootstrap, and the network")
	case reached < known:
		d.found("bootstrap", warn, fmt.Sprintf("%d of %d answer", reached, known), "remove addresses that are gone")
	default:
		d.found("bootstrap", pass, fmt.Sprintf("all %d answer", known), "")
	}
	switch {
	case d.cfg.P2P.Loopback:
		d.found("nat", skip, "loopback only", "")
	case len(s.Listen) == 0:
		d.found("nat", fail, "the node listens nowhere", "look at p2p.listen")
	default:
		d.found("nat", pass, fmt.Sprintf("%d addresses", len(s.Listen)), "")
	}
}

func (d *doctor) lag(s node.Status) {
	if s.IndexLag > 20_000 {
		d.found("index", warn, fmt.Sprintf("%d changes behind the log", s.IndexLag), "wait, or meshd reindex")
	} else {
		d.found("index", pass, fmt.Sprintf("%d changes behind the log", s.IndexLag), "")
	}
	at, err := time.Parse(time.RFC3339, s.LastSync)
	switch age := time.Since(at); {
	case s.Peers == 0:
		d.found("sync", skip, "no peers", "")
	case err != nil:
		d.found("sync", warn, "no peer was compared with yet", "meshd sync --wait")
	case age > 10*d.cfg.P2P.SyncInterval:
		d.found("sync", warn, "the last comparison was "+ago(s.LastSync, time.Now()), "meshd sync --wait; meshd peers shows why")
	default:
		d.found("sync", pass, "the last comparison was "+ago(s.LastSync, time.Now()), "")
	}
}
