package meet

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/cmd/meshd/terminal"
	"github.com/meshd/meshd/gateway/admin"
	"github.com/meshd/meshd/node/meeting"
	"github.com/meshd/meshd/node/store"
	"github.com/meshd/meshd/p2p/invite"
)

func cmdDevice(s *session.Session) *cobra.Command {
	c := &cobra.Command{
		Use: "device", Short: "Add, list and revoke your other devices", Args: session.Subcommand,
		Long: "A device is another node of yours that writes as your agent, with a key of its own that you can revoke.\n" +
			"meshd device add prints a line here; meshd join with it on the other machine asks; both show the same number,\n" +
			"and you approve it here.",
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(cmdDeviceAdd(s), cmdDeviceList(s), cmdDeviceDecide(s, true), cmdDeviceDecide(s, false), cmdDeviceRevoke(s))
	return c
}

func cmdDeviceAdd(s *session.Session) *cobra.Command {
	var picture bool
	c := &cobra.Command{
		Use: "add", Short: "Print the line by which another machine becomes your device", Args: session.Nothing,
		Long: "Print a line for meshd join on the other machine, good once and for a quarter of an hour. On a terminal the command\n" +
			"waits until that machine asks, shows the number that it shows too, and lets you approve. Otherwise meshd device\n" +
			"list shows who asks, and meshd device approve NUMBER approves.",
		RunE: func(c *cobra.Command, _ []string) error { return addDevice(c.Context(), s, picture) },
	}
	c.Flags().BoolVar(&picture, "qr", false, "draw the line as a QR code too")
	return c
}

func addDevice(ctx context.Context, s *session.Session, qr bool) (err error) {
	d, err := s.Connect(ctx, session.Running)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.Close()) }()
	r, data, err := ask(ctx, s, d, admin.InviteOrder{Seconds: int64(askTerm / time.Second), Uses: 1, Device: true})
	if err != nil {
		return err
	}
	if s.JSON {
		return s.PrintRaw(data)
	}
	if qr {
		if err := picture(s, r.Line); err != nil {
			return err
		}
	}
	s.Say("On the other machine, within %s:\n", askTerm)
	text := "meshd join " + r.Line
	if s.Quiet {
		text = r.Line
	}
	if _, err := fmt.Fprintln(s.Out, text); err != nil {
		return err
	}
	if s.Quiet || !terminal.Is(s.Out) {
		s.Say("\nThen here: meshd device list shows who asks, meshd device approve NUMBER approves it.")
		return nil
	}
	s.Say("\nWaiting for it; Ctrl-C ends the waiting, and meshd device list goes on from there.")
	t, err := awaitDevice(ctx, s, d, r.Invitation.ID)
	if err != nil {
		return err
	}
	s.Say("%s asks and shows the number %s.", named(t), number(t.Key))
	fmt.Fprint(s.Out, "Does it show this number, and shall it write as your agent? [y/N] ")
	yes, err := agreed(s.In)
	if err != nil {
		return err
	}
	return decide(ctx, s, d, t, yes)
}

// awaitDevice waits until a machine has shown the line for a device.
func awaitDevice(ctx context.Context, s *session.Session, d *session.Client, id string) (meeting.Taken, error) {
	tick := time.NewTicker(look)
	defer tick.Stop()
	for {
		all, err := devices(ctx, s, d)
		if err != nil {
			return meeting.Taken{}, err
		}
		for _, t := range all {
			if t.invitation == id {
				return t.Taken, nil
			}
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return meeting.Taken{}, ctx.Err()
		}
	}
}

// device is a machine that has asked, or a key that the owner's agent has lent its voice.
type device struct {
	meeting.Taken
	Number     string `json:"number"`
	invitation string
	tokens     []string // that may be revoked
}

// lent is what is read of a capability.
type lent struct {
	CID, State, Audience string
	Role                 *string
	Capabilities         []struct{ Can string }
}

// devices are the machines that have asked, and the keys that may do everything as the
// owner's agent.
func devices(ctx context.Context, s *session.Session, d *session.Client) ([]device, error) {
	var made admin.InvitesReply
	if err := get(ctx, s, d, http.MethodGet, "/control/invites", nil, &made); err != nil {
		return nil, err
	}
	var caps struct{ Issued []lent }
	if err := get(ctx, s, d, http.MethodGet, "/api/mesh/capabilities", nil, &caps); err != nil {
		return nil, err
	}
	var out []device
	at := map[string]int{}
	for _, m := range made.Invitations {
		for _, t := range m.Taken {
			if m.Device {
				at[t.Key] = len(out)
				out = append(out, device{Taken: t, Number: number(t.Key), invitation: m.ID})
			}
		}
	}
	for _, c := range caps.Issued {
		if c.Role != nil || len(c.Capabilities) != 1 || c.Capabilities[0].Can != "*" {
			continue
		}
		i, known := at[c.Audience]
		if !known {
			i, at[c.Audience] = len(out), len(out)
			out = append(out, device{Taken: meeting.Taken{Key: c.Audience}, Number: number(c.Audience)})
		}
		out[i].State = c.State
		if c.State == "active" {
			out[i].tokens = append(out[i].tokens, c.CID)
		}
	}
	return out, nil
}

// number is what both machines show of a device's key, for a person to compare.
func number(key string) string {
	sum := sha256.Sum256([]byte("mesh-device-v1\x00" + key))
	n := binary.BigEndian.Uint64(sum[:8]) % 1_000_000
	return fmt.Sprintf("%03d-%03d", n/1000, n%1000)
}

func named(t meeting.Taken) string {
	if t.Label == "" {
		return "A machine"
	}
	return terminal.OneLine(t.Label, invite.MaxMachine)
}

// find is the one device with a number or key.
func find(ctx context.Context, s *session.Session, d *session.Client, which string) (device, error) {
	all, err := devices(ctx, s, d)
	if err != nil {
		return device{}, err
	}
	var names []string
	for _, t := range all {
		names = append(names, t.Key, t.Number)
	}
	if which, err = s.OneOf(which, names); err != nil {
		return device{}, err
	}
	var found []device
	for _, t := range all {
		if t.Key == which || t.Number == which {
			found = append(found, t)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return device{}, fmt.Errorf("no device has the number or key %s; meshd device list names them", which)
	}
	return device{}, fmt.Errorf("%d devices have the number %s; name the key", len(found), which)
}

func cmdDeviceList(s *session.Session) *cobra.Command {
	return &cobra.Command{
		Use: "list", Short: "List your devices and those that ask", Args: session.Nothing,
		RunE: func(c *cobra.Command, _ []string) (err error) {
			d, err := s.Connect(c.Context(), session.Existing)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, d.Close()) }()
			all, err := devices(c.Context(), s, d)
			if err != nil {
				return err
			}
			if s.JSON {
				return s.PrintJSON(map[string]any{"devices": append([]device{}, all...)})
			}
			if len(all) == 0 {
				s.Say("no devices; meshd device add begins one")
				return nil
			}
			rows := [][]string{{"NUMBER", "STATE", "MACHINE", "ASKED", "KEY"}}
			for _, t := range all {
				asked := ""
				if !t.At.IsZero() {
					asked = t.At.Format(time.RFC3339)
				}
				rows = append(rows, []string{t.Number, t.State, terminal.OneLine(t.Label, invite.MaxMachine), asked, t.Key})
			}
			return s.Table(rows)
		},
	}
}

func cmdDeviceDecide(s *session.Session, may bool) *cobra.Command {
	c := &cobra.Command{
		Use: "refuse DEVICE", Short: "Refuse a device that asks", ValidArgsFunction: completeDevice(s), Args: session.One("number or key of a device"),
		RunE: func(c *cobra.Command, args []string) (err error) {
			d, err := s.Connect(c.Context(), session.Running)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, d.Close()) }()
			t, err := find(c.Context(), s, d, args[0])
			if err != nil {
				return err
			}
			if t.State != meeting.Waiting {
				return fmt.Errorf("the device %s does not ask: it is %s", t.Number, t.State)
			}
			return decide(c.Context(), s, d, t.Taken, may)
		},
	}
	if may {
		c.Use, c.Short = "approve DEVICE", "Let a device that asks write as your agent"
		c.Long = "Let a device that asks write as your agent. Look first whether the other machine shows the same number: whoever\n" +
			"has read the line could have asked before it."
	}
	return c
}

// completeDevice offers the numbers of devices while the node runs.
func completeDevice(s *session.Session) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, begun string) (out []cobra.Completion, _ cobra.ShellCompDirective) {
		home, err := s.HomeDir()
		if err != nil || len(args) > 0 {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		d, err := session.Dial(home)
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		defer func() { _ = d.Close() }() // nobody reads of it while they type
		ctx, cancel := context.WithTimeout(context.Background(), completeWithin)
		defer cancel()
		all, _ := devices(ctx, s, d)
		for _, one := range all {
			if strings.HasPrefix(one.Number, begun) {
				out = append(out, cobra.CompletionWithDesc(one.Number, strings.TrimSpace(one.State+" "+terminal.OneLine(one.Label, invite.MaxMachine))))
			}
		}
		return out, cobra.ShellCompDirectiveNoFileComp
	}
}

// decide lends the device the voice of the owner's agent, or does not.
func decide(ctx context.Context, s *session.Session, d *session.Client, t meeting.Taken, may bool) error {
	if may {
		in := map[string]any{"audience": t.Key, "can": []string{"*"}, "expires_in": int64(deviceTerm / time.Second), "renew": true}
		if _, _, err := d.Do(ctx, http.MethodPost, "/api/mesh/capabilities", nil, in, nil); err != nil {
			return s.Refused(err)
		}
	}
	data, _, err := d.Do(ctx, http.MethodPost, "/control/devices", nil, admin.DeviceOrder{Key: t.Key, May: may}, nil)
	if err != nil {
		return s.Refused(err)
	}
	if s.JSON {
		return s.PrintRaw(data)
	}
	if !may {
		s.Say("refused %s", number(t.Key))
		return nil
	}
	s.Say("approved %s: it writes as your agent until meshd device revoke %s", number(t.Key), number(t.Key))
	return nil
}

func cmdDeviceRevoke(s *session.Session) *cobra.Command {
	return &cobra.Command{
		Use: "revoke DEVICE", Short: "Take the voice of your agent back from a device", ValidArgsFunction: completeDevice(s), Args: session.One("number or key of a device"),
		Long: "Take the voice of your agent back from a device, for good. What it wrote and this node has seen by now stays;\n" +
			"everything else of it has no effect, on no node.",
		RunE: func(c *cobra.Command, args []string) (err error) {
			d, err := s.Connect(c.Context(), session.Existing)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, d.Close()) }()
			t, err := find(c.Context(), s, d, args[0])
			if err != nil {
				return err
			}
			if len(t.tokens) == 0 {
				return fmt.Errorf("the device %s has no right that could be revoked: it is %s", t.Number, t.State)
			}
			for _, cid := range t.tokens {
				if _, _, err := d.Do(c.Context(), http.MethodPost, "/api/mesh/capabilities/"+url.PathEscape(cid)+"/revoke", nil, map[string]string{"why": "device"}, nil); err != nil {
					return s.Refused(err)
				}
			}
			if s.JSON {
				return s.PrintJSON(map[string]any{"revoked": t.tokens, "key": t.Key})
			}
			s.Say("revoked %s", t.Number)
			return nil
		},
	}
}

// deviceKey is the key of this node that an invitation for a device is taken up with. It
// is the same when the same line is used again.
func deviceKey(ctx context.Context, s *session.Session, d *session.Client, id invite.ID) (string, error) {
	home, err := s.HomeDir()
	if err != nil {
		return "", err
	}
	note := filepath.Join(home, store.RunDir, "device-"+id.String())
	switch text, err := os.ReadFile(note); {
	case err == nil:
		return strings.TrimSpace(string(text)), nil
	case !errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("read device key: %w", err)
	}
	var r struct{ DID string }
	if err := get(ctx, s, d, http.MethodPost, "/api/mesh/identity/device", nil, &r); err != nil {
		return "", err
	}
	return r.DID, store.AtomicWrite(note, []byte(r.DID+"\n"), 0o600)
}

// awaitApproval waits until the owner has approved this device there.
func awaitApproval(ctx context.Context, s *session.Session, d *session.Client, in admin.MeetOrder, out *joined) error {
	if !out.Met.Pending {
		return nil
	}
	fmt.Fprintf(s.Err, "asked %s; this machine's number is %s: approve it there (meshd device list)\n", terminal.OneLine(out.Met.Name, invite.MaxMachine), number(in.Device))
	tick := time.NewTicker(look)
	defer tick.Stop()
	for out.Met.Pending {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return ctx.Err()
		}
		var again admin.MeetReply
		if err := get(ctx, s, d, http.MethodPost, "/control/meet", in, &again); err != nil {
			return err
		}
		if again.Met != nil { // else that node is away for a while
			out.Met.Pending = again.Met.Pending
		}
	}
	return nil
}
