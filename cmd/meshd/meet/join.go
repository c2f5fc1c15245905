package meet

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/background"
	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/cmd/meshd/terminal"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/admin"
	"github.com/meshd/meshd/gateway/plural"
	"github.com/meshd/meshd/node/config"
	"github.com/meshd/meshd/node/core"
	"github.com/meshd/meshd/node/health"
	"github.com/meshd/meshd/node/store"
	"github.com/meshd/meshd/p2p/invite"
)

func cmdJoin(s *session.Session) *cobra.Command {
	var noStart, yes bool
	c := &cobra.Command{
		Use: "join LINE|URL", Short: "Join a network by an invitation, and meet who made it", Args: session.One("line by meshd invite, or address of a gateway"),
		Long: "Join the network of an invitation: a line by meshd invite, or an address that ends in one. An empty home is made\n" +
			"first, and a node is started in the background when none runs (meshd stop ends it). Then the node that made the\n" +
			"invitation is met, and asked again at every start from now on. A home belongs to one network: use another\n" +
			"--home for another one. Ends with 3 when nobody answers yet; the node goes on trying. A refused join leaves\n" +
			"nothing behind.\n\n" +
			"The address of a gateway joins its network, when the gateway publishes it (gateway.publish_network). Nobody has\n" +
			"signed what it says, so you are asked whether you trust it.",
		Example: "  meshd join meshd1...\n" +
			"  meshd join https://mesh.example.org\n" +
			"  meshd join http://127.0.0.1:8420 --yes",
		RunE: func(c *cobra.Command, args []string) error {
			if isAddress(args[0]) {
				return joinGateway(c.Context(), s, c, args[0], yes, noStart)
			}
			if yes {
				return session.Usage("--yes is for the address of a gateway; an invitation is signed by who made it")
			}
			return join(c.Context(), s, args[0], noStart)
		},
	}
	c.Flags().BoolVar(&yes, "yes", false, "trust the gateway at this address, without a question")
	c.Flags().BoolVar(&noStart, "no-start", false, "start no node: write the settings only")
	return c
}

// joined is what join prints with --json.
type joined struct {
	admin.MeetReply
	Home    string `json:"home"`
	Started bool   `json:"started"` // a node, in the background
	API     string `json:"api"`
	Network string `json:"network"`
	Gateway string `json:"gateway,omitempty"` // whose network this is
	Equal   bool   `json:"equal"`             // this node has what that one has
	Agents  int    `json:"agents"`
	Entries int    `json:"entries"`
	Role    string `json:"role,omitempty"` // in the guild
	Device  string `json:"device,omitempty"`

	node background.Node
}

func join(ctx context.Context, s *session.Session, line string, noStart bool) error {
	v, err := invite.Parse(line)
	if err != nil {
		return err
	}
	if err := v.Expired(time.Now()); err != nil {
		return err
	}
	return joinBy(ctx, s, plan{invitation: v, line: line, noStart: noStart})
}

// plan is how a network is joined.
type plan struct {
	invitation invite.Invitation
	line       string // of the invitation; "" for what a gateway publishes
	gateway    string // its address, "" for an invitation
	noStart    bool
}

// joinBy joins, and leaves all as it was when that is refused.
func joinBy(ctx context.Context, s *session.Session, p plan) error {
	home, err := s.HomeDir()
	if err != nil {
		return err
	}
	was, err := lookAround(home)
	if err != nil {
		return err
	}
	out := joined{Home: home, Network: p.invitation.Network.Genesis.Name, Gateway: p.gateway}
	if err := begin(ctx, s, p, &out); err != nil {
		undone := was.restore(ctx, s, out.Started)
		if undone == nil && !s.Quiet && (was.fresh || out.Started) {
			fmt.Fprintln(s.Err, "nothing was joined, and all is as it was: no node was left running, and no home made")
		}
		return errors.Join(err, undone)
	}
	if p.noStart {
		return prepared(s, p, out)
	}
	if was.fresh && !s.Quiet {
		background.Introduce(s.Err, home)
	}
	if out.Started && !s.Quiet {
		background.Announce(s.Err, out.node)
	}
	if out.Met != nil {
		if err := meet(ctx, s, p, &out); err != nil {
			return err
		}
	}
	return out.print(s)
}

// begin makes a home in the network where there is none, starts a node where none runs,
// and has it show the line to the node that made it. With an error of it, nothing has
// been joined.
func begin(ctx context.Context, s *session.Session, p plan, out *joined) error {
	if err := settle(s, out.Home, p.invitation); err != nil {
		return err
	}
	if p.noStart {
		return prepare(s, out, p.invitation)
	}
	var err error
	if out.node, err = background.Start(ctx, s); err != nil {
		return err
	}
	out.Started, out.API = out.node.Started, out.node.API
	if p.line == "" {
		return call(ctx, s, p, out)
	}
	return show(ctx, s, p.invitation, p.line, out)
}

// settle makes a home in the network of an invitation, or looks whether the one that is
// there belongs to it.
func settle(s *session.Session, dir string, v invite.Invitation) error {
	home, err := store.Inspect(dir)
	if errors.Is(err, store.ErrNoStore) {
		return settleIn(s, dir, v)
	}
	if err != nil {
		return err
	}
	_, cfg, err := s.Settings()
	if err != nil {
		return err
	}
	ours, _, err := (&core.Options{Home: home, Config: cfg.Config}).Genesis()
	if err != nil {
		return err
	}
	have, err := ours.ID()
	if err != nil {
		return err
	}
	want, err := v.Network.Genesis.ID()
	if err != nil || have == want {
		return err
	}
	refusal := reason.Refuse(reason.ForeignNetwork, "the invitation is to the network %q (%s), %s belongs to %q (%s)", v.Network.Genesis.Name, want, dir, ours.Name, have)
	refusal.Hint = "a home belongs to one network for good: meshd join LINE --home FOLDER makes another one"
	return refusal
}

// settleIn makes a home whose settings name the network. Its keys are made when the node
// starts.
func settleIn(s *session.Session, dir string, v invite.Invitation) (err error) {
	file, err := v.Network.Encode()
	if err != nil {
		return err
	}
	text, err := config.Sample(map[string]string{"network.file": store.NetworkFile})
	if err != nil {
		return err
	}
	if _, err := os.Stat(s.Source(dir).File); err == nil {
		return fmt.Errorf("%s has settings already, and there is no home yet: name in network.file a file with\n  %s\nand begin the home with meshd run", s.Source(dir).File, file)
	}
	home, err := store.Open(dir, store.Options{Command: session.CommandLine()})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, home.Close()) }()
	if err := store.AtomicWrite(home.Path(store.NetworkFile), []byte(file+"\n"), 0o600); err != nil {
		return err
	}
	return store.AtomicWrite(home.Path(store.ConfigFile), text, 0o600)
}

// prepare has the settings name who made an invitation, for a node that is started later.
func prepare(s *session.Session, out *joined, v invite.Invitation) error {
	file := s.Source(out.Home).File
	out.Kept = v.Dials()
	return store.Alone(filepath.Dir(file), func() error { return writeDials(file, v) })
}

// writeDials adds the addresses of an invitation to those that settings name.
func writeDials(file string, v invite.Invitation) error {
	written, err := config.Written(file, "network.bootstrap")
	if err != nil {
		return err
	}
	all := strings.FieldsFunc(written, func(r rune) bool { return r == ',' })
	for _, a := range v.Dials() {
		if !strings.Contains(written, a) {
			all = append(all, a)
		}
	}
	text, err := config.EditFile(file, "network.bootstrap", strings.Join(all, ","))
	if err != nil {
		return err
	}
	return store.AtomicWrite(file, text, 0o600)
}

// prepared says what prepare has made ready.
func prepared(s *session.Session, p plan, out joined) error {
	if s.JSON {
		return s.PrintJSON(out)
	}
	then := ", and the same meshd join then shows it the line"
	if p.line == "" {
		then = ""
	}
	s.Say("%s is ready; meshd run or meshd start meets %s%s", out.Home, p.invitation.Peer, then)
	return nil
}

// show has the running node show the line to the node that made it.
func show(ctx context.Context, s *session.Session, v invite.Invitation, line string, out *joined) (err error) {
	d, err := s.Connect(ctx, session.Running)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	in := admin.MeetOrder{Line: line}
	if v.Device {
		if in.Device, err = deviceKey(ctx, s, d, v.ID); err != nil {
			return err
		}
		out.Device = in.Device
	}
	return get(ctx, s, d, http.MethodPost, "/control/meet", in, &out.MeetReply)
}

// meet waits until the node has what that one has, as far as it may.
func meet(ctx context.Context, s *session.Session, p plan, out *joined) (err error) {
	d, err := s.Connect(ctx, session.Running)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	if p.invitation.Device {
		if err := awaitApproval(ctx, s, d, admin.MeetOrder{Line: p.line, Device: out.Device}, out); err != nil {
			return err
		}
	}
	var synced admin.SyncReply
	if err := get(ctx, s, d, http.MethodPost, "/control/sync", map[string]any{"wait": true, "timeout_s": syncWithin.Seconds()}, &synced); err != nil {
		return err
	}
	out.Equal = synced.Equal
	if out.Guild != "" {
		if out.Role, err = enter(ctx, s, d, out.Guild, out.Ticket); err != nil {
			return err
		}
		out.Ticket = ""
	}
	var st health.Status
	if err := get(ctx, s, d, http.MethodGet, "/control/status", nil, &st); err != nil {
		return err
	}
	out.Agents, out.Entries = st.Agents, st.Entries
	return nil
}

// get asks the running node and reads its answer.
func get(ctx context.Context, s *session.Session, d *session.Client, method, path string, in, out any) error {
	data, _, err := d.Do(ctx, method, path, nil, in, nil)
	if err != nil {
		return s.Refused(err)
	}
	return session.Decode(data, out)
}

// enter joins the guild of an invitation, once its home knows the newcomer.
func enter(ctx context.Context, s *session.Session, d *session.Client, guild, ticket string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, guildWithin)
	defer cancel()
	tick := time.NewTicker(look)
	defer tick.Stop()
	for {
		var r struct{ Role string }
		data, _, err := d.Do(ctx, http.MethodPost, "/api/mesh/guilds/"+url.PathEscape(guild)+"/join", nil, session.Given("invite_code", ticket), nil)
		var refused *session.APIError
		if errors.As(err, &refused) && (refused.Code == string(reason.AgentNotFound) || refused.Code == string(reason.TeamNotFound)) {
			select {
			case <-tick.C:
				continue
			case <-ctx.Done():
			}
		}
		if err != nil {
			return "", s.Refused(err)
		}
		err = session.Decode(data, &r)
		return r.Role, err
	}
}

// print says whom the node has met, or why nobody, which ends the command with 3.
func (j joined) print(s *session.Session) error {
	switch {
	case s.JSON:
		if err := s.PrintJSON(j); err != nil {
			return err
		}
	case j.Met == nil:
		s.Say("%s", s.Paint(session.Yellow, "met nobody yet: "+terminal.OneLine(j.Error, 400)))
		s.Say("The node runs and goes on trying. Is the other node on, and are both machines in one network? Behind routers that\nlet nobody in, a third machine helps that both reach: meshd relay. meshd peers and meshd doctor show how it stands.")
	default:
		same := "not all of it is here yet"
		if j.Equal {
			same = "the same as there"
		}
		role := ""
		if j.Guild != "" {
			role = j.Role + " of " + j.Guild
		}
		if err := s.Facts("met", terminal.OneLine(j.Met.Name, 64)+"  "+j.Met.Peer, "by", terminal.OneLine(j.Met.Addr, 160)+"  "+j.Met.Transport, "within", fmt.Sprintf("%.1f s", j.Met.Seconds),
			"network", terminal.OneLine(j.Network, 64), "guild", role, "known", plural.Count(j.Agents, "agent")+", "+plural.Count(j.Entries, "entry")+", "+same,
			"device", writes(j), "home", j.Home, "api", j.API); err != nil {
			return err
		}
	}
	if j.Unkept != "" && !s.JSON {
		s.Say("%s", s.Paint(session.Yellow, "its addresses are not in the settings: "+terminal.OneLine(j.Unkept, 300)))
	}
	if j.Met == nil {
		return session.ErrDegraded
	}
	return nil
}

// writes says as whom a device writes, "" when this node is none.
func writes(j joined) string {
	if j.Device == "" {
		return ""
	}
	name := terminal.OneLine(j.Met.Name, invite.MaxMachine)
	return number(j.Device) + "  writes as " + name + " with --as " + name
}
