package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/node/config"
	"github.com/meshd/meshd/node/heap"
	"github.com/meshd/meshd/node/store"
)

func (p *program) cmdRun() *cobra.Command {
	var listen string
	var bootstrap []string
	var noGossip bool
	say := opening{salvage: true}
	c := &cobra.Command{
		Use: "run", Short: "Start the node in the foreground", Args: nothing,
		Long: "Start the node in the foreground. An empty home is initialised first. The node stops cleanly on\n" +
			"SIGTERM or Ctrl-C within ten seconds; a second signal ends it at once. A damaged store is written anew from\n" +
			"what can be read of it, and the damaged one is kept beside it; peers give what is missing.",
		RunE: func(c *cobra.Command, _ []string) error {
			if c.Flags().Changed("listen") {
				p.flags = append(p.flags, config.Flag{Key: "gateway.listen", Name: "listen", Value: listen})
			}
			if noGossip {
				p.flags = append(p.flags, config.Flag{Key: "p2p.gossip", Name: "no-gossip", Value: "false"})
			}
			if len(bootstrap) > 0 {
				p.flags = append(p.flags, config.Flag{Key: "network.bootstrap", Name: "bootstrap", Value: strings.Join(bootstrap, ",")})
			}
			return p.runNode(c.Context(), say)
		},
	}
	c.Flags().StringVar(&listen, "listen", "", "address of the API, IP:PORT (default 127.0.0.1:8420)")
	c.Flags().BoolVar(&noGossip, "no-gossip", false, "neither send nor hear changes as they happen; compare with peers only")
	c.Flags().BoolVar(&say.alone, "alone", false, "no peer knows more of a restored or copied home: go on under new keys, never on the old chains")
	c.Flags().BoolVar(&say.restored, "restored", false, "the home is an older copy of itself, which nothing in it shows: compare with a peer before signing")
	c.Flags().BoolVar(&say.conformance, "conformance", false, "serve what the conformance suite of MCP looks for")
	_ = c.Flags().MarkHidden("conformance") // fails for an unknown flag only
	c.Flags().StringArrayVar(&bootstrap, "bootstrap", nil, "address of a peer to ask first, ending in /p2p/<peer id>; may be repeated")
	return c
}

// runNode is the life of a node in the foreground.
func (p *program) runNode(ctx context.Context, say opening) error {
	defer heap.Bound()()
	dir, cfg, err := p.settings()
	if err != nil {
		return err
	}
	log := newLog(p.err, cfg.Config.Log, slog.LevelDebug)
	quietLibraries()
	home, err := store.Open(dir, store.Options{Command: commandLine()})
	if err != nil {
		return err
	}
	say.mining = p.mining()
	in, err := openWith(ctx, home, cfg, log, say)
	if err != nil {
		return err
	}
	in.reload = func() (live, restart []string, err error) { return p.reload(in) }
	socket, err := in.listen(ctx)
	if err != nil {
		return errors.Join(err, in.close())
	}
	stopHangup := p.onHangup(in)
	defer stopHangup()
	if err := p.announce(in); err != nil {
		return errors.Join(err, socket.Close(), in.close())
	}
	in.logReady()
	late := lateAfter(ctx, log)
	defer late()
	err = errors.Join(in.serve(ctx, socket), in.close())
	log.Info("stopped")
	return err
}

// logReady writes into the log what an operator looks for first: who this is, where
// it listens, that it serves.
func (in *instance) logReady() {
	name, net := in.node.Network()
	in.log.Info("identity", "node", in.node.PeerID().String(), "owner", in.owner.Agent.ID.String(), "service", in.owner.Agent.DID.String(), "network", name, "net", net.String())
	in.log.Info("listening", "api", in.api(), "peers", in.node.Addrs(), "public", in.cfg.Config.Gateway.Enabled)
	files := in.files()
	in.log.Info("open files", "limit", files.Limit, "store", files.Store, "peerConnections", files.Peers, "httpConnections", files.HTTP)
	in.log.Info("ready", "version", version(), "home", in.home.Dir(), "level", in.cfg.Config.Log.Level)
}

// reload reads the settings again and puts the live ones into force.
func (p *program) reload(in *instance) (live, restart []string, err error) {
	next, err := config.Load(p.source(in.home.Dir()))
	if err != nil {
		in.log.Error("settings refused; those in force stay", "err", err)
		return nil, nil, err
	}
	live, restart = in.node.Reload(next.Config)
	if err := in.gateway.ReloadCertificates(); err != nil {
		in.log.Warn("certificate kept as it was", "err", err)
	}
	if err := in.access.reopen(); err != nil {
		in.log.Warn("access log kept as it was", "err", err)
	}
	in.log.Info("settings read again", "live", strings.Join(live, " "), "restart", strings.Join(restart, " "))
	return live, restart, nil
}

// onHangup reloads on SIGHUP until the returned function is called.
func (p *program) onHangup(in *instance) (stop func()) {
	ch := make(chan os.Signal, 1)
	signal.Notify(ch, syscall.SIGHUP)
	go func() {
		for range ch {
			_, _, _ = p.reload(in) // it logs what is wrong
		}
	}()
	return func() {
		signal.Stop(ch)
		close(ch)
	}
}

// lateAfter ends the process when it has not ended by itself soon after ctx.
func lateAfter(ctx context.Context, log *slog.Logger) (cancel func()) {
	done := make(chan struct{})
	go func() {
		select {
		case <-ctx.Done():
		case <-done:
			return
		}
		timer := time.NewTimer(stopWithin)
		defer timer.Stop()
		select {
		case <-done:
		case <-timer.C:
			log.Error("not ended in time; cut off", "after", stopWithin)
			os.Exit(exitError)
		}
	}()
	return func() { close(done) }
}

// announcement is what run tells about the node once it listens.
type announcement struct {
	Version      string   `json:"version"`
	Home         string   `json:"home"`
	Node         string   `json:"node"`
	Owner        string   `json:"owner"`
	OwnerID      string   `json:"owner_id"`
	DID          string   `json:"did"`
	Network      string   `json:"network"`
	Listen       []string `json:"listen"`
	Reachable    string   `json:"reachable"`
	API          string   `json:"api"`
	APIKeyFile   string   `json:"api_key_file"`
	RecoveryFile string   `json:"recovery_file,omitempty"`
	MCP          any      `json:"mcp"`
	Ready        bool     `json:"ready"`
}

func (in *instance) announcement() (announcement, error) {
	id := in.node.PeerID()
	name, net := in.node.Network()
	a := announcement{
		Version: version(), Home: in.home.Dir(), Node: id.String(), Owner: in.owner.Agent.Name, OwnerID: in.owner.Agent.ID.String(),
		DID: in.owner.Agent.DID.String(), Network: fmt.Sprintf("%s (%s)", name, net), Listen: in.node.Addrs(), API: in.api(),
		APIKeyFile: in.owner.APIKeyFile, RecoveryFile: in.owner.RecoveryFile, MCP: mcpSnippet(in.home.Dir()), Ready: true,
	}
	switch {
	case in.cfg.Config.P2P.Loopback:
		a.Reachable = "by this machine only (loopback)"
	case len(a.Listen) == 0:
		a.Reachable = "by nobody: no address to listen on"
	default:
		a.Reachable = "by every machine that can reach these addresses"
	}
	return a, nil
}

// mcpSnippet is the settings object of MCP clients, in its stdio form.
func mcpSnippet(home string) any {
	return map[string]any{"mcpServers": map[string]any{"mesh": map[string]any{"command": self(), "args": []string{"mcp", "--home", home}}}}
}

// announce prints what the owner needs to know, and ready as the last line.
func (p *program) announce(in *instance) error {
	a, err := in.announcement()
	if err != nil {
		return err
	}
	if p.json {
		return p.printJSON(a)
	}
	if p.quiet {
		_, err := fmt.Fprintln(p.out, "ready")
		return err
	}
	p.say("meshd %s", a.Version)
	pairs := []string{
		"  node", a.Node, "  owner", a.Owner + "  " + a.OwnerID, "  did", a.DID, "  network", a.Network,
		"  reachable", a.Reachable, "  peers", strings.Join(a.Listen, "\n\t"), "  api", a.API + portNote(in), "  home", a.Home,
		"  api key", a.APIKeyFile, "  recovery", recoveryNote(a.RecoveryFile), "  keys", vaultNote(in.cfg.Config.Vault) + passphraseHint(in.cfg.Config.Vault),
	}
	if err := p.facts(pairs...); err != nil {
		return err
	}
	p.say("\nTo connect an MCP client, put this into its settings:")
	if err := p.printJSON(a.MCP); err != nil {
		return err
	}
	if u := in.node.Status().Unsure; u != nil && len(u.Waiting) > 0 {
		p.say("\n%s", p.paint(yellow, "This home "+u.Text+"."))
		p.say("Nothing is signed with its keys until a peer that knows them was compared with (meshd status). When there is no such\npeer any more: %s run --alone, which goes on under new keys.", self())
	}
	at := ""
	if p.home != "" {
		at = " --home " + p.home
	}
	p.say("\nNext:")
	p.say("  %s contribute%s --type gotcha --domain go \"What you learned, in whole sentences.\"", self(), at)
	p.say("  %s feed%s", self(), at)
	p.say("  %s status%s", self(), at)
	_, err = fmt.Fprintln(p.out, "\nready")
	return err
}

func recoveryNote(file string) string {
	if file == "" {
		return ""
	}
	return file + "  (move it elsewhere: it takes the agent over)"
}

// lockedBy names what the settings lock the vault with.
func lockedBy(v config.Vault) string {
	if v.Passphrase != "" || v.PassphraseFile != "" {
		return "passphrase"
	}
	return "key_file"
}

func vaultNote(v config.Vault) string {
	if lockedBy(v) == "passphrase" {
		return "locked by a passphrase"
	}
	return "unlocked by a key file"
}

// passphraseHint says how to have a passphrase.
func passphraseHint(v config.Vault) string {
	if lockedBy(v) == "passphrase" {
		return ""
	}
	return "; for a passphrase set vault.passphrase_file and run meshd id passphrase"
}

// portNote tells that the API listens on another port than the one in the
// settings, since that was taken. What the public address is says nothing of it.
func portNote(in *instance) string {
	want := in.cfg.Config.Gateway.Listen
	bound, ok := in.gateway.Addr().(*net.TCPAddr)
	_, port, err := net.SplitHostPort(want)
	if !ok || err != nil || port == "0" || port == strconv.Itoa(bound.Port) {
		return ""
	}
	return "  (" + want + " is taken)"
}

// self is what runs this program again: its name when the PATH has it, else its
// file, so that what is printed can be pasted.
func self() string {
	if _, err := exec.LookPath("meshd"); err == nil {
		return "meshd"
	}
	exe, err := os.Executable()
	if err != nil {
		return "meshd"
	}
	return exe
}
