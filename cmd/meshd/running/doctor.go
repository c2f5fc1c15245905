package running

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/instance"
	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/cmd/meshd/terminal"
	crdtlog "github.com/meshd/meshd/crdt/log"
	"github.com/meshd/meshd/crdt/log/engine"
	"github.com/meshd/meshd/gateway/plural"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/gateway/status"
	"github.com/meshd/meshd/node/config"
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/descriptors"
	"github.com/meshd/meshd/node/disk"
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

func cmdDoctor(s *session.Session) *cobra.Command {
	return &cobra.Command{
		Use: "doctor", Short: "Check the home, its settings and the running node", Args: session.Nothing,
		Long: "Check the home, its settings and the running node. Nothing is changed, and nothing needs to run. The\n" +
			"exit code is 3 when a check fails.",
		RunE: func(c *cobra.Command, _ []string) error {
			dir, err := s.HomeDir()
			if err != nil {
				return err
			}
			_, cfg, faults := s.Settings()
			d := &doctor{dir: dir, cfg: &cfg.Config, faults: faults}
			d.examine(c.Context())
			return diagnose(s, d.findings)
		},
	}
}

func diagnose(s *session.Session, findings []finding) error {
	failed := false
	colours := map[string]string{pass: session.Green, warn: session.Yellow, fail: session.Red, skip: "2"}
	for _, f := range findings {
		failed = failed || f.Verdict == fail
		if s.JSON {
			continue
		}
		fmt.Fprintf(s.Out, "%s  %-12s %s\n", s.Paint(colours[f.Verdict], f.Verdict), f.Check, f.Text)
		if f.Next != "" {
			fmt.Fprintf(s.Out, "      next: %s\n", f.Next)
		}
	}
	if s.JSON {
		if err := s.PrintJSON(map[string]any{"ok": !failed, "checks": findings}); err != nil {
			return err
		}
	}
	if failed {
		return session.ErrDegraded
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
	way, err := session.Dial(d.dir)
	if err != nil {
		d.disk(0)
		d.still(ctx, home, err)
		d.state(ctx, home)
		return
	}
	defer way.HTTP.CloseIdleConnections()
	d.alive(ctx, way)
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

// permissions looks for what others of this machine could read, or worse, write.
func (d *doctor) permissions(home *store.Home) {
	var exposed *store.ExposedError
	err := errors.Join(store.CheckPrivate(d.dir), home.CheckElsewhere(home.Resolve(d.cfg.Storage.Dir)))
	if errors.As(err, &exposed) {
		d.found("permissions", fail, exposed.Error()+": a node does not start on it", session.HintFor(exposed))
		return
	}
	if err != nil {
		d.found("permissions", fail, err.Error(), "")
		return
	}
	d.closedKeys(home)
}

// closedKeys looks for keys that others could read.
func (d *doctor) closedKeys(home *store.Home) {
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
		d.found("permissions", pass, "only its owner may write the home, and read its keys", "")
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

// disk judges the free space as the node does. headroom is what a running node's store
// will take by itself; it is not known without one.
func (d *doctor) disk(headroom uint64) {
	free, err := store.FreeBytes(d.dir)
	if err != nil {
		d.found("disk", fail, err.Error(), "")
		return
	}
	var guard disk.Guard
	s := guard.Look(free, headroom, uint64(d.cfg.Storage.MinFreeDisk))
	switch {
	case s.Level == disk.Full:
		d.found("disk", fail, s.Text(), "make room, or lower storage.min_free_disk ("+d.cfg.Storage.MinFreeDisk.String()+")")
	case s.Level != disk.Roomy:
		d.found("disk", warn, s.Text(), "make room, or lower storage.min_free_disk ("+d.cfg.Storage.MinFreeDisk.String()+")")
	case free < headroom+2*uint64(d.cfg.Storage.MinFreeDisk):
		d.found("disk", warn, s.Text(), "make room soon")
	default:
		d.found("disk", pass, fmt.Sprintf("%s free", config.Size(free/(1<<20)<<20)), "")
	}
}

// openFiles says whether the limit of open files cuts what the settings ask for.
func (d *doctor) openFiles(f descriptors.Share) {
	text := f.Text()
	if f.Peers < 2*d.cfg.P2P.ConnectionsHigh {
		d.found("open files", warn, text+fmt.Sprintf("; p2p.connections_high asks for %d", 2*d.cfg.P2P.ConnectionsHigh), "raise the limit (ulimit -n, LimitNOFILE of the unit), or lower p2p.connections_high")
		return
	}
	d.found("open files", pass, text, "")
}

// still checks a home on which no node runs.
func (d *doctor) still(ctx context.Context, home *store.Home, reached error) {
	holder, held, err := home.Holder()
	switch {
	case err != nil:
		d.found("lock", fail, err.Error(), "")
	case held:
		d.found("lock", warn, fmt.Sprintf("process %d (%s) has the home, but answers no requests: %v", holder.PID, terminal.OneLine(holder.Command, 80), reached), "wait until it has started or ended")
	default:
		d.found("lock", pass, "no other process has the home", "")
		d.vault(home)
		d.files(ctx, home)
	}
	for _, check := range []string{"clock", "bootstrap", "nat", "index", "sync"} {
		d.found(check, skip, "no node runs", "")
	}
}

// state asks for the database of the gateway, without a node.
func (d *doctor) state(ctx context.Context, home *store.Home) {
	ctx, cancel := context.WithTimeout(ctx, doctorTime)
	defer cancel()
	dsn, place := d.cfg.State.Postgres.Reveal(), instance.StatePlace(home)
	switch {
	case dsn == "" && place != "":
		d.found("state", fail, "lies in Postgres at "+place+", and state.postgres is not set", "set MESHD_STATE_POSTGRES; or remove "+home.Path(instance.StatePlaceFile)+" to begin anew on SQLite")
	case dsn == "":
		d.found("state", pass, "SQLite in the home", "")
	default:
		place = state.PostgresPlace(dsn)
		if err := state.PingPostgres(ctx, dsn); err != nil {
			d.found("state", fail, "Postgres at "+place+" does not answer: "+terminal.OneLine(err.Error(), 300), "start it, or mend MESHD_STATE_POSTGRES (state.postgres)")
			return
		}
		d.found("state", pass, "Postgres at "+place+" answers", "")
	}
}

// readiness asks the running node for /readyz, as load balancers do.
func (d *doctor) readiness(ctx context.Context, way *session.Client) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, way.Base+"/readyz", nil)
	if err != nil {
		d.found("ready", fail, err.Error(), "")
		return
	}
	resp, err := way.HTTP.Do(req)
	if err != nil {
		d.found("ready", fail, err.Error(), "look at its log; stop and start it")
		return
	}
	defer resp.Body.Close()
	var r status.ReadyReply
	if err := json.NewDecoder(io.LimitReader(resp.Body, session.MaxReply)).Decode(&r); err != nil {
		d.found("ready", fail, "the node answered "+resp.Status, "look at its log; stop and start it")
		return
	}
	if up, known := r.Checks["database"]; known && !up {
		d.found("state", fail, "the database of the gateway does not answer", "start it; meshd run and its log name where it should be")
	} else {
		d.found("state", pass, "the database of the gateway answers", "")
	}
	var not []string
	for name, ok := range r.Checks {
		if !ok && name != "database" {
			not = append(not, name)
		}
	}
	slices.Sort(not)
	if len(not) > 0 {
		d.found("ready", fail, "not ready: "+strings.Join(not, ", "), "wait if it has just begun or is ending; else look at its log")
		return
	}
	d.found("ready", pass, "takes requests", "")
}

// files reads the files of the store without opening it.
func (d *doctor) files(ctx context.Context, home *store.Home) {
	kind, dir := d.cfg.Storage.Engine, home.Resolve(d.cfg.Storage.Dir)
	if _, err := os.Stat(dir); err != nil || kind == "memory" {
		d.found("store", skip, "no store yet", "")
		return
	}
	if err := engine.CheckFiles(kind, dir); err != nil {
		d.found("store", fail, err.Error(), "meshd repair, or start the node: the store is written anew from what can be read, and peers give the rest")
		return
	}
	if home.Spoilt() {
		d.found("store", fail, "unreadable blocks were found", "meshd repair, or start the node: its files are written anew")
		return
	}
	found, err := crdtlog.Survey(ctx, kind, dir)
	if err != nil {
		d.found("store", fail, err.Error(), "look at the disk and at who may read "+dir)
		return
	}
	if found.Closed != "" {
		d.found("store", fail, terminal.OneLine(found.Closed, 300), "meshd repair, or start the node: the store is written anew from what can be read, and peers give the rest")
		return
	}
	if !found.Sound() {
		d.found("store", fail, fmt.Sprintf("%s unreadable, %s damaged", plural.Count(found.Gaps+found.Unsealed, "range"), plural.Count(len(found.Damaged), "change")),
			"meshd repair, or start the node: its files are written anew, and peers give what is lost")
		return
	}
	d.found("store", pass, fmt.Sprintf("all records of %s can be read; meshd verify --deep checks what they say", plural.Count(found.Members, "change")), "")
}

// vault tries the keys. The node key exists in every home, so nothing is made.
func (d *doctor) vault(home *store.Home) {
	if _, err := os.Stat(home.Path(store.KeysDir, "node.sealed")); err != nil {
		d.found("vault", skip, "no keys yet", "")
		return
	}
	v, err := core.OpenVault(home, d.cfg.Vault, rand.Reader)
	if err != nil {
		d.found("vault", fail, err.Error(), "set vault.passphrase_file or vault.key_file to what locked it, or let meshd id passphrase lock it as the settings say")
		return
	}
	keys, err := v.List()
	if err != nil {
		d.found("vault", fail, err.Error(), "restore the damaged file from a backup")
		return
	}
	d.found("vault", pass, "opens, "+plural.Count(len(keys), "key"), "")
}
