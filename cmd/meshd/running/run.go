package running

import (
	"context"
	"errors"
	"fmt"
	"io"
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

	"github.com/meshd/meshd/cmd/meshd/background"
	"github.com/meshd/meshd/cmd/meshd/instance"
	"github.com/meshd/meshd/cmd/meshd/release"
	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/cmd/meshd/terminal"
	"github.com/meshd/meshd/gateway/console"
	signin "github.com/meshd/meshd/gateway/console/session"
	"github.com/meshd/meshd/node/config"
	"github.com/meshd/meshd/node/heap"
	"github.com/meshd/meshd/node/store"
)

func cmdRun(s *session.Session) *cobra.Command {
	var listen, logFile string
	var bootstrap []string
	var noGossip bool
	say := instance.Opening{Salvage: true}
	c := &cobra.Command{
		Use: "run", Short: "Start the node in the foreground", Args: session.Nothing,
		Long: "Start the node in the foreground. An empty home is initialised first. The node stops cleanly on\n" +
			"SIGTERM or Ctrl-C within ten seconds; a second signal ends it at once. A damaged store is written anew from\n" +
			"what can be read of it, and the damaged one is kept beside it; peers give what is missing.",
		RunE: func(c *cobra.Command, _ []string) error {
			if c.Flags().Changed("listen") {
				s.Flags = append(s.Flags, config.Flag{Key: "gateway.listen", Name: "listen", Value: listen})
			}
			if noGossip {
				s.Flags = append(s.Flags, config.Flag{Key: "p2p.gossip", Name: "no-gossip", Value: "false"})
			}
			if len(bootstrap) > 0 {
				s.Flags = append(s.Flags, config.Flag{Key: "network.bootstrap", Name: "bootstrap", Value: strings.Join(bootstrap, ",")})
			}
			return runNode(c.Context(), s, say, logFile)
		},
	}
	c.Flags().StringVar(&listen, "listen", "", "address of the API, IP:PORT (default 127.0.0.1:8420)")
	c.Flags().StringVar(&logFile, "log-file", "", "write the log into FILE instead of standard error; a full one of 16 MiB is kept beside it as FILE.old")
	c.Flags().BoolVar(&noGossip, "no-gossip", false, "neither send nor receive changes as they happen; compare with peers only")
	c.Flags().Bool(background.Mark, false, "started by a command that has ended")
	_ = c.Flags().MarkHidden(background.Mark) // fails for an unknown flag only
	c.Flags().BoolVar(&say.Alone, "alone", false, "no peer knows more of a restored or copied home: go on under new keys, never on the old chains")
	c.Flags().BoolVar(&say.Restored, "restored", false, "the home is an older copy of itself, which nothing in it shows: compare with a peer before signing")
	c.Flags().BoolVar(&say.Conformance, "conformance", false, "serve what the conformance suite of MCP looks for")
	_ = c.Flags().MarkHidden("conformance") // fails for an unknown flag only
	c.Flags().StringArrayVar(&bootstrap, "bootstrap", nil, "address of a peer to ask first, ending in /p2p/<peer id>; may be repeated")
	return c
}

// runNode is the life of a node in the foreground.
func runNode(ctx context.Context, s *session.Session, say instance.Opening, logFile string) (err error) {
	defer heap.Bound()()
	dir, cfg, err := s.Settings()
	if err != nil {
		return err
	}
	instance.QuietLibraries()
	home, err := store.Open(dir, store.Options{Command: session.CommandLine()})
	if err != nil {
		return err
	}
	var to io.Writer = s.Err
	if logFile != "" {
		file, err := instance.OpenLogFile(home.Resolve(logFile))
		if err != nil {
			return errors.Join(err, home.Close())
		}
		defer func() { err = errors.Join(err, file.Close()) }()
		to = file
	}
	recent := &instance.RecentLog{}
	log := instance.NewLog(io.MultiWriter(to, recent), cfg.Config.Log, slog.LevelDebug)
	say.Mining = s.Mining()
	in, err := instance.OpenWith(ctx, home, cfg, log, say)
	if err != nil {
		return err
	}
	in.Recent, in.File = recent, s.Source(home.Dir()).File
	in.Check = func(file string) error {
		src := s.Source(home.Dir())
		src.File = file
		_, err := config.Load(src)
		return err
	}
	in.Reload = func() (live, restart []string, err error) { return reloadSettings(s, in) }
	socket, err := in.Listen(ctx)
	if err != nil {
		return errors.Join(err, in.Close())
	}
	stopHangup := onHangup(s, in)
	defer stopHangup()
	if err := announce(s, in); err != nil {
		return errors.Join(err, socket.Close(), in.Close())
	}
	logReady(in)
	late := lateAfter(ctx, log)
	defer late()
	err = errors.Join(in.Serve(ctx, socket), in.Close())
	if err != nil && logFile != "" {
		log.Error("ended", "err", err) // nobody reads the standard error of such a process
	}
	log.Info("stopped")
	return err
}

// logReady writes into the log what an operator looks for first: who this is, where
// it listens, that it serves.
func logReady(in *instance.Instance) {
	name, net := in.Node.Network()
	who := []any{"node", in.Node.PeerID().String(), "owner", in.Owner.Agent.ID.String(), "did", in.Owner.Agent.DID.String(), "network", name, "net", net.String()}
	if service := in.Node.Blocks().Labeler(); service != "" { // it is made with the first label
		who = append(who, "service", service)
	}
	in.Log.Info("identity", who...)
	in.Log.Info("listening", "api", in.API(), "peers", in.Node.Addrs(), "public", in.Settings.Config.Gateway.Enabled)
	files := in.Files()
	in.Log.Info("open files", "limit", files.Limit, "store", files.Store, "peerConnections", files.Peers, "httpConnections", files.HTTP)
	in.Log.Info("ready", "version", release.Version(), "home", in.Home.Dir(), "level", in.Settings.Config.Log.Level)
}

// reloadSettings reads the settings again and puts the live ones into force.
func reloadSettings(s *session.Session, in *instance.Instance) (live, restart []string, err error) {
	next, err := config.Load(s.Source(in.Home.Dir()))
	if err != nil {
		in.Log.Error("settings refused; those in force stay", "err", err)
		return nil, nil, err
	}
	live, restart = in.Apply(next)
	return live, restart, nil
}

// onHangup reloads on SIGHUP until the returned function is called.
func onHangup(s *session.Session, in *instance.Instance) (stop func()) {
	ch := make(chan os.Signal, 1)
	signal.Notify(ch, syscall.SIGHUP)
	go func() {
		for range ch {
			_, _, _ = reloadSettings(s, in) // it logs what is wrong
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
		timer := time.NewTimer(session.StopWithin)
		defer timer.Stop()
		select {
		case <-done:
		case <-timer.C:
			log.Error("not ended in time; cut off", "after", session.StopWithin)
			os.Exit(session.ExitError)
		}
	}()
	return func() { close(done) }
}

// announcement is what run prints about the node once it listens.
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

func announcementOf(in *instance.Instance) (announcement, error) {
	id := in.Node.PeerID()
	name, net := in.Node.Network()
	a := announcement{
		Version: release.Version(), Home: in.Home.Dir(), Node: id.String(), Owner: in.Owner.Agent.Name, OwnerID: in.Owner.Agent.ID.String(),
		DID: in.Owner.Agent.DID.String(), Network: fmt.Sprintf("%s (%s)", name, net), Listen: in.Node.Addrs(), API: in.API(),
		APIKeyFile: in.Owner.APIKeyFile, RecoveryFile: in.Owner.RecoveryFile, MCP: mcpSnippet(in.Home.Dir()), Ready: true,
	}
	switch {
	case in.Settings.Config.P2P.Loopback:
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
func announce(s *session.Session, in *instance.Instance) error {
	a, err := announcementOf(in)
	if err != nil {
		return err
	}
	if s.JSON {
		return s.PrintJSON(a)
	}
	if s.Quiet {
		_, err := fmt.Fprintln(s.Out, "ready")
		return err
	}
	s.Say("meshd %s", a.Version)
	pairs := []string{
		"  node", a.Node, "  owner", a.Owner + "  " + a.OwnerID, "  did", a.DID, "  network", a.Network,
		"  reachable", a.Reachable, "  peers", strings.Join(a.Listen, "\n\t"), "  api", a.API + portNote(in), "  home", a.Home,
		"  api key", a.APIKeyFile, "  recovery", session.RecoveryNote(a.RecoveryFile), "  keys", session.VaultNote(in.Settings.Config.Vault) + passphraseHint(in.Settings.Config.Vault),
	}
	if err := s.Facts(pairs...); err != nil {
		return err
	}
	if link := consoleLink(s, in); link != "" {
		s.Say("\nYour console, by this link once and within a minute (later: %s open):\n  %s", self(), link)
	}
	s.Say("\nTo connect an MCP client, put this into its settings:")
	if err := s.PrintJSON(a.MCP); err != nil {
		return err
	}
	if u := in.Node.Status().Unsure; u != nil && len(u.Waiting) > 0 {
		s.Say("\n%s", s.Paint(session.Yellow, "This home "+u.Text+"."))
		s.Say("Nothing is signed with its keys until a peer that knows them was compared with (meshd status). When there is no such\npeer any more: %s run --alone, which goes on under new keys.", self())
	}
	at := ""
	if s.Home != "" {
		at = " --home " + s.Home
	}
	if note := relayNote(in, at); note != "" {
		s.Say("\n%s", note)
	} else if len(in.Node.Bootstrap()) == 0 {
		s.Say("\n%s", s.Paint(session.Yellow, "Nobody to meet yet: no address of a peer is known, and there is no public network."))
		s.Say("%s", meetNote(in, at))
	}
	s.Say("\nNext:")
	s.Say("  %s contribute%s --type gotcha --domain go \"What you learned, in whole sentences.\"", self(), at)
	s.Say("  %s feed%s", self(), at)
	s.Say("  %s status%s", self(), at)
	_, err = fmt.Fprintln(s.Out, "\nready")
	return err
}

// consoleLink is a link that signs a browser in to the owner's console, "" when there is
// none, or when no terminal shows it: a file would keep it.
func consoleLink(s *session.Session, in *instance.Instance) string {
	c := in.Gateway.Console()
	if c == nil || !terminal.Is(s.Out) {
		return ""
	}
	code, _ := c.Code(signin.SignIn)
	return in.API() + console.OpenPath + code
}

// meetNote says how a node without addresses of peers comes to meet somebody.
func meetNote(in *instance.Instance, at string) string {
	near := ""
	if in.Settings.Config.P2P.MDNS {
		near = "Nodes of this network in the local network are found by themselves. "
	}
	return near + "For others:\n  " + self() + " invite" + at + "         a line for somebody else, who meets this node by meshd join\n  " +
		self() + " join LINE" + at + "      meets who gave you a line"
}

// passphraseHint says how to have a passphrase.
func passphraseHint(v config.Vault) string {
	if session.LockedBy(v) == "passphrase" {
		return ""
	}
	return "; for a passphrase set vault.passphrase_file and run meshd id passphrase"
}

// portNote says that the API listens on another port than the one in the
// settings, since that was taken. The public address does not show it.
func portNote(in *instance.Instance) string {
	want := in.Settings.Config.Gateway.Listen
	bound, ok := in.Gateway.Addr().(*net.TCPAddr)
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
