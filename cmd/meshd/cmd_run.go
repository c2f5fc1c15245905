package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/node/config"
	"github.com/meshd/meshd/node/store"
)

func (p *program) cmdRun() *cobra.Command {
	var listen string
	var bootstrap []string
	var noGossip, conformance bool
	c := &cobra.Command{
		Use: "run", Short: "Start the node in the foreground", Args: nothing,
		Long: "Start the node in the foreground. An empty home is initialised first. The node stops cleanly on\n" +
			"SIGTERM or Ctrl-C within ten seconds; a second signal ends it at once.",
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
			return p.runNode(c.Context(), conformance)
		},
	}
	c.Flags().StringVar(&listen, "listen", "", "address of the API, IP:PORT (default 127.0.0.1:8420)")
	c.Flags().BoolVar(&noGossip, "no-gossip", false, "neither send nor hear changes as they happen; compare with peers only")
	c.Flags().BoolVar(&conformance, "conformance", false, "serve what the conformance suite of MCP looks for")
	_ = c.Flags().MarkHidden("conformance") // fails for an unknown flag only
	c.Flags().StringArrayVar(&bootstrap, "bootstrap", nil, "address of a peer to ask first, ending in /p2p/<peer id>; may be repeated")
	return c
}

// runNode is the life of a node in the foreground.
func (p *program) runNode(ctx context.Context, conformance bool) error {
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
	in, err := openWith(ctx, home, cfg, log, conformance)
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
	late := lateAfter(ctx, log)
	defer late()
	return errors.Join(in.serve(ctx, socket), in.close())
}

// reload reads the settings again and puts the live ones into force.
func (p *program) reload(in *instance) (live, restart []string, err error) {
	next, err := config.Load(p.source(in.home.Dir()))
	if err != nil {
		return nil, nil, err
	}
	live, restart = in.node.Reload(next.Config)
	if err := in.gateway.ReloadCertificates(); err != nil {
		in.log.Warn("certificate kept as it was", "err", err)
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
			if _, _, err := p.reload(in); err != nil {
				in.log.Error("settings kept as they were", "err", err)
			}
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
		"  api key", a.APIKeyFile, "  recovery", recoveryNote(a.RecoveryFile), "  keys", vaultNote(in.cfg.Config.Vault),
	}
	if err := p.facts(pairs...); err != nil {
		return err
	}
	p.say("\nTo connect an MCP client, put this into its settings:")
	if err := p.printJSON(a.MCP); err != nil {
		return err
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

func vaultNote(v config.Vault) string {
	if v.Passphrase != "" || v.PassphraseFile != "" {
		return "locked by a passphrase"
	}
	return "unlocked by a key file; vault.passphrase_file sets a passphrase"
}

// portNote tells that the usual port was taken.
func portNote(in *instance) string {
	if want := in.cfg.Config.Gateway.Listen; !strings.HasSuffix(in.api(), want[strings.LastIndex(want, ":"):]) && !strings.HasSuffix(want, ":0") {
		return "  (" + want + " is taken)"
	}
	return ""
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
