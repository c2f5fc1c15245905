package network

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/cmd/meshd/terminal"
	"github.com/meshd/meshd/gateway/admin"
	"github.com/meshd/meshd/node/manifest"
)

func cmdManifest(s *session.Session) *cobra.Command {
	c := &cobra.Command{
		Use: "manifest", Short: "Show and sign what the roots say about the network", Args: session.Subcommand,
		Long: "The manifest names the gateways of the network, its labelers and addresses to begin with, signed by a root. What\n" +
			"a gateway in it says that it served counts towards reputation, its agents are called name@host elsewhere, and\n" +
			"it may write for guests; the labels of a labeler in it cost reputation. The newest manifest is in force.",
		Example: "  meshd network manifest show\n" +
			"  meshd network manifest set --gateway mesh.example=did:key:z6Mk... --labeler did:key:z6Mk...\n" +
			"  meshd network manifest set --remove-gateway mesh.example --out draft.json\n" +
			"  meshd network manifest sign draft.json --out signed.ndjson    # where the root lies; then meshd import signed.ndjson",
		RunE: func(c *cobra.Command, _ []string) error { return c.Help() },
	}
	c.AddCommand(cmdShow(s), cmdSet(s), cmdSign(s))
	return c
}

func cmdShow(s *session.Session) *cobra.Command {
	return &cobra.Command{
		Use: "show", Short: "Show the manifest in force, and the roots", Args: session.Nothing,
		RunE: func(c *cobra.Command, _ []string) error {
			return s.Ask(c.Context(), session.Existing, http.MethodGet, "/control/manifest", nil, nil, func(s *session.Session, data json.RawMessage) error {
				var st manifest.State
				if err := session.Decode(data, &st); err != nil {
					return err
				}
				return show(s, st)
			})
		},
	}
}

func show(s *session.Session, st manifest.State) error {
	facts := []string{"network", terminal.OneLine(st.Name, 80) + "  " + st.Network}
	for _, r := range st.Roots {
		signs := "Ed25519"
		if r.PQ != "" {
			signs = "Ed25519 and ML-DSA-65"
		}
		if r.Here {
			signs += ", in this vault"
		}
		facts = append(facts, "root", r.Key+"  "+signs)
	}
	facts = append(facts, "key of this node", st.OwnKey)
	m := st.Manifest
	if m == nil {
		return s.Facts(append(facts, "manifest", "none")...)
	}
	facts = append(facts, "manifest", m.ID, "signed by", m.Root, "at", m.At.Format(time.RFC3339))
	for _, g := range m.Gateways {
		facts = append(facts, "gateway", terminal.OneLine(g.Host, 253)+"  "+g.Key+agentOf(g.Agent))
	}
	for _, l := range m.Labelers {
		facts = append(facts, "labeler", l.Key+agentOf(l.Agent))
	}
	for _, a := range m.Bootstrap {
		facts = append(facts, "bootstrap", terminal.OneLine(a, 256))
	}
	return s.Facts(facts...)
}

func agentOf(id string) string {
	if id == "" {
		return "  (no agent that is known here)"
	}
	return "  " + id
}

func cmdSet(s *session.Session) *cobra.Command {
	var o manifest.Order
	var gateways []string
	var out string
	c := &cobra.Command{
		Use: "set", Short: "Change the manifest and sign it with a root of this vault", Args: session.Nothing,
		Long: "Change what the manifest says, sign it with a root of this vault and publish it. What is not named stays. A key\n" +
			"is a did:key, an agent that is known here, or self for this node's own (meshd network key on another one prints\n" +
			"its). With --out the change is written to a file instead, for a root that lies elsewhere, and nothing is signed.",
		Example: "  meshd network manifest set --gateway mesh.example=self --labeler self\n" +
			"  meshd network manifest set --bootstrap /dns4/mesh.example/tcp/4001/p2p/12D3KooW...\n" +
			"  meshd network manifest set --remove-labeler did:key:z6Mk... --out draft.json",
		RunE: func(c *cobra.Command, _ []string) error {
			for _, text := range gateways {
				host, key, ok := strings.Cut(text, "=")
				if !ok {
					return session.Usage("--gateway is HOST=KEY, not %q", text)
				}
				o.Gateways = append(o.Gateways, manifest.Gateway{Host: host, Key: key})
			}
			if out != "" {
				return propose(s, c, o, out)
			}
			return s.Ask(c.Context(), session.Existing, http.MethodPost, "/control/manifest", nil, o, func(s *session.Session, data json.RawMessage) error {
				var r admin.ManifestReply
				if err := session.Decode(data, &r); err != nil {
					return err
				}
				if !r.Changed {
					s.Say("the manifest says all that already")
				}
				return show(s, r.State)
			})
		},
	}
	f := c.Flags()
	f.StringArrayVar(&gateways, "gateway", nil, "HOST=KEY of a gateway to list; another key replaces that of the host")
	f.StringArrayVar(&o.Labelers, "labeler", nil, "key of a labeler to list")
	f.StringArrayVar(&o.Bootstrap, "bootstrap", nil, "address of a peer to begin with, which nodes dial from their next start")
	f.StringArrayVar(&o.RemoveGateways, "remove-gateway", nil, "host of a gateway to list no more")
	f.StringArrayVar(&o.RemoveLabelers, "remove-labeler", nil, "key of a labeler to list no more")
	f.StringArrayVar(&o.RemoveBootstrap, "remove-bootstrap", nil, "address to name no more")
	f.StringVar(&o.Root, "root", "", "did:key of the root that signs, where there are several")
	f.StringVar(&out, "out", "", "write a draft to this file instead of signing")
	return c
}

// propose writes a draft to a new file.
func propose(s *session.Session, c *cobra.Command, o manifest.Order, out string) error {
	return s.WithAnswer(c.Context(), session.Existing, http.MethodPost, "/control/manifest/draft", nil, o, func(data json.RawMessage) error {
		var d manifest.Draft
		if err := session.Decode(data, &d); err != nil {
			return err
		}
		text, err := json.MarshalIndent(d, "", "  ")
		if err != nil {
			return fmt.Errorf("encode draft: %w", err)
		}
		if err := writeNew(out, append(text, '\n')); err != nil {
			return err
		}
		if s.JSON {
			return s.PrintJSON(map[string]any{"file": out, "draft": d})
		}
		return s.Facts("draft", out, "to be signed by", d.Root)
	})
}

func cmdSign(s *session.Session) *cobra.Command {
	var out string
	c := &cobra.Command{
		Use: "sign FILE", Short: "Sign a draft with a root of this vault", Args: session.One("file with a draft, or - for standard input"),
		Long: "Sign a draft that meshd network manifest set --out wrote, with a root of this vault, which may never have been\n" +
			"connected. What is signed is shown first, on standard error. The signed change goes to standard output or --out;\n" +
			"meshd import on any node of the network publishes it. A draft of before what this root has signed is refused.",
		Example: "  meshd network manifest sign draft.json --out signed.ndjson",
		RunE:    func(c *cobra.Command, args []string) error { return sign(s, c, args[0], out) },
	}
	c.Flags().StringVar(&out, "out", "", "new file for the signed change")
	return c
}

func sign(s *session.Session, c *cobra.Command, name, out string) error {
	in, err := s.OpenInput(name)
	if err != nil {
		return err
	}
	defer in.Close()
	text, err := io.ReadAll(io.LimitReader(in, session.MaxText))
	if err != nil {
		return fmt.Errorf("read draft: %w", err)
	}
	var d manifest.Draft
	if err := json.Unmarshal(text, &d); err != nil {
		return fmt.Errorf("%s is no draft of a manifest: %w", terminal.OneLine(name, 200), err)
	}
	if out != "" {
		if _, err := os.Lstat(out); err == nil { // nothing is signed for nothing
			return exists(out)
		}
	}
	if !s.Quiet {
		review(s, d)
	}
	return s.WithAnswer(c.Context(), session.Existing, http.MethodPost, "/control/manifest/sign", nil, d, func(data json.RawMessage) error {
		var r admin.SignedManifest
		if err := session.Decode(data, &r); err != nil {
			return err
		}
		if out == "" {
			_, err := io.WriteString(s.Out, r.Line)
			return err
		}
		if err := writeNew(out, []byte(r.Line)); err != nil {
			return err
		}
		if s.JSON {
			return s.PrintJSON(map[string]any{"file": out})
		}
		return s.Facts("signed", out)
	})
}

// review shows what will be signed, whoever wrote the draft.
func review(s *session.Session, d manifest.Draft) {
	line := func(name, value string) { fmt.Fprintf(s.Err, "%-9s  %s\n", name, terminal.OneLine(value, 400)) }
	line("network", d.Network)
	line("root", d.Root)
	for _, g := range d.Gateways {
		line("gateway", g.Host+"  "+g.Key)
	}
	for _, l := range d.Labelers {
		line("labeler", l)
	}
	for _, a := range d.Bootstrap {
		line("bootstrap", a)
	}
}

func exists(file string) error {
	return fmt.Errorf("write %s: it exists, and is left as it is", terminal.OneLine(file, 200))
}

// writeNew writes a file that is not there yet.
func writeNew(file string, data []byte) error {
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) {
		return exists(file)
	}
	if err != nil {
		return fmt.Errorf("write: %w", err)
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}
