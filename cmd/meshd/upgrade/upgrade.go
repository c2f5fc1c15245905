// Package upgrade has the verb that says whether another version of the program can take
// a home over, and that puts an archive of a release in the place of the program.
package upgrade

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/background"
	"github.com/meshd/meshd/cmd/meshd/release"
	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/node/store"
)

// Commands are the verbs of this package.
func Commands(s *session.Session) []*cobra.Command {
	var o options
	c := &cobra.Command{
		Use: "upgrade [FILE|URL]", Short: "Say what this program and home are, or replace the program by a release",
		Args: session.AtMostOne("archive of a release"),
		Long: "Replace this program by the one in the archive of a release, once the archive matches its line in SHA256SUMS, the\n" +
			"program in it runs here, and it reads the home. The program before stays beside it as meshd.old. A node in the\n" +
			"background is restarted; one of a terminal or a service is restarted there. A program that a Debian package or an\n" +
			"image has installed is replaced by the next package or image, and refused here.\n\n" +
			"With --check nothing is changed: the version, how it was installed, the formats of the home, and with an archive\n" +
			"what its program would do with them. The exit code is 14 when the home cannot be opened by it.\n\n" +
			"No server is asked whether there is a newer version. SHA256SUMS is read from beside the archive, or from --sums.\n" +
			"A sum from the server that sends the archive proves nothing, so a URL needs --key, a public key by which\n" +
			"SHA256SUMS.sig is checked, or --sums with a file that came another way.",
		Example: "  meshd upgrade --check\n" +
			"  meshd upgrade --check ./meshd_0.2.0_linux_amd64.tar.gz\n" +
			"  meshd upgrade ./meshd_0.2.0_linux_amd64.tar.gz --key release.pub.pem",
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 1 {
				o.archive = args[0]
			}
			return o.run(c.Context(), s)
		},
	}
	f := c.Flags()
	f.BoolVar(&o.check, "check", false, "only say what there is and what would happen")
	f.StringVar(&o.sums, "sums", "", "file with the checksums (default SHA256SUMS beside the archive)")
	f.StringVar(&o.key, "key", "", "Ed25519 public key (PEM) that must have signed SHA256SUMS, in SHA256SUMS.sig")
	return []*cobra.Command{c}
}

type options struct {
	archive, sums, key string
	check              bool
}

func (o options) run(ctx context.Context, s *session.Session) error {
	switch {
	case o.archive == "" && !o.check:
		return session.Usage("upgrade needs the archive of a release, or --check; no server is asked for one")
	case o.archive == "" && o.sums+o.key != "":
		return session.Usage("--sums and --key are about an archive")
	case remote(o.archive) && o.sums == "" && o.key == "":
		return session.Usage("a URL needs --key FILE or --sums FILE: sums from the server that sends the archive prove nothing")
	case remote(o.sums):
		return session.Usage("--sums is a file that came another way than the archive")
	}
	program, err := self()
	if err != nil {
		return err
	}
	home, err := s.HomeDir()
	if err != nil {
		return err
	}
	r := report{Version: release.Version(), Program: program, install: installed("/", program)}
	mine := formatsOfThis()
	if r.Home, err = survey(ctx, s, home, mine); err != nil {
		return err
	}
	if o.archive == "" {
		return errors.Join(r.show(s), r.Home.refused(mine))
	}
	if !o.check && !r.replaceable() {
		return fmt.Errorf("%s was installed by %s: %s", program, r.text(), r.Next)
	}
	next, err := o.unpack(ctx, s, program)
	if err != nil {
		return err
	}
	defer next.drop()
	r.Archive = &next.candidate
	refused := r.Home.refused(next.formats)
	if refused == nil && r.Home != nil {
		r.Archive.Does = r.Home.under(next.formats)
	}
	if o.check {
		return errors.Join(r.show(s), refused)
	}
	if refused != nil {
		return fmt.Errorf("%s stays: %w", program, refused)
	}
	old, err := next.replace(program)
	if err != nil {
		return err
	}
	return o.finish(ctx, s, done{From: r.Version, To: next.Version, Program: program, Old: old})
}

// done is what an upgrade has changed.
type done struct {
	From      string `json:"from"`
	To        string `json:"to"`
	Program   string `json:"program"`
	Old       string `json:"old"`
	Restarted bool   `json:"restarted"`
	Next      string `json:"next,omitempty"`
}

// finish restarts a node in the background, with the new program.
func (o options) finish(ctx context.Context, s *session.Session, d done) error {
	home, err := s.HomeDir()
	if err != nil {
		return err
	}
	switch n, ours, err := background.Find(ctx, home); {
	case err != nil: // none runs, or one that does not answer, which meshd status shows
	case !ours:
		d.Next = fmt.Sprintf("process %d still is the version before: restart it where it was started (a terminal, or its service)", n.PID)
	default:
		if _, err := background.Restart(ctx, s); err != nil {
			return fmt.Errorf("%s is %s now, but its node has not started; the way back, unless the home was migrated: mv %s %s && meshd start: %w", d.Program, d.To, d.Old, d.Program, err)
		}
		d.Restarted = true
	}
	if s.JSON {
		return s.PrintJSON(d)
	}
	s.Say("%s is %s now, before %s; the program before is %s", d.Program, d.To, d.From, d.Old)
	if d.Restarted {
		s.Say("the node in the background was restarted")
	}
	if d.Next != "" {
		s.Say("%s", d.Next)
	}
	return nil
}

// report is what --check prints.
type report struct {
	Version string `json:"version"`
	Program string `json:"program"`
	install
	Home    *homeReport `json:"home,omitempty"`    // nil: there is none
	Archive *candidate  `json:"archive,omitempty"` // nil: none was given
}

func (r report) show(s *session.Session) error {
	if s.JSON {
		return s.PrintJSON(r)
	}
	facts := []string{"version", r.Version, "program", r.Program, "installed", r.text(), "newer", r.Next}
	if h := r.Home; h == nil {
		facts = append(facts, "home", "there is none")
	} else {
		facts = append(facts, "home", h.Dir, "", h.text(), "", h.Does)
	}
	if a := r.Archive; a != nil {
		facts = append(facts, "archive", fmt.Sprintf("%s, %s", a.Version, a.proof()), "", a.Does)
	}
	return s.Facts(facts...)
}

func remote(name string) bool {
	return strings.HasPrefix(name, "https://") || strings.HasPrefix(name, "http://")
}

// exists reports whether a home is there.
func exists(home string) (*store.Home, error) {
	h, err := store.Inspect(home)
	if errors.Is(err, store.ErrNoStore) {
		return nil, nil
	}
	return h, err
}
