// Package console has the verb that opens the owner's console in a browser.
package console

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"net/http"
	"net/url"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/background"
	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/node/control"
	"github.com/meshd/meshd/node/store"
)

// options are the flags of the verb.
type options struct{ print, confirm, noStart bool }

// Commands are the verbs of this package.
func Commands(s *session.Session) []*cobra.Command {
	var o options
	c := &cobra.Command{
		Use: "open", Short: "Open your console in the browser", Args: session.Nothing,
		Long: "Open the owner's console in the browser, signed in. The link works once and for a minute; it is given to the browser\n" +
			"in a file that nobody else can read, since other users of this machine see what programs are called with. The session\n" +
			"is that browser's alone and ends with the node. The node is started in the background when none runs. On a machine\n" +
			"without a browser, --print prints the link. --confirm prints a code for what the console asks a fresh one for.",
		RunE: func(c *cobra.Command, _ []string) error {
			if o.print && o.confirm {
				return session.Usage("--print prints a link and --confirm a code; take one of them")
			}
			return open(c.Context(), s, o)
		},
	}
	c.Flags().BoolVar(&o.print, "print", false, "print the link and open nothing")
	c.Flags().BoolVar(&o.confirm, "confirm", false, "print a code that confirms an act in a console that is open")
	c.Flags().BoolVar(&o.noStart, "no-start", false, "start no node in the background")
	return []*cobra.Command{c}
}

// made is a code as the node answers.
type made struct {
	Code      string    `json:"code"`
	URL       string    `json:"url,omitempty"`
	ExpiresAt time.Time `json:"expires_at"`
}

// opened is what the verb did.
type opened struct {
	URL       string    `json:"url"`
	Opened    bool      `json:"opened"` // in a browser; false: the link is for somebody to follow
	ExpiresAt time.Time `json:"expires_at"`
}

func open(ctx context.Context, s *session.Session, o options) error {
	home, err := s.HomeDir()
	if err != nil {
		return err
	}
	code, err := ask(ctx, s, home, o)
	if err != nil {
		return err
	}
	if o.confirm {
		if s.JSON {
			return s.PrintJSON(code)
		}
		_, err := fmt.Fprintln(s.Out, code.Code)
		return err
	}
	where := pageOf(code.URL)
	if !o.print {
		browser := browserOf(s)
		if browser == nil {
			s.Say("no browser was found here; follow this link, once and within a minute:")
		} else if err := show(ctx, s, browser, home, code.URL); err != nil {
			fmt.Fprintf(s.Err, "%v; follow this link, once and within a minute:\n", err)
		} else {
			if s.JSON {
				return s.PrintJSON(opened{where, true, code.ExpiresAt})
			}
			s.Say("opened %s in the browser (meshd open --print prints a link instead)", where)
			return nil
		}
	}
	if s.JSON {
		return s.PrintJSON(opened{code.URL, false, code.ExpiresAt})
	}
	_, err = fmt.Fprintln(s.Out, code.URL)
	return err
}

// ask gets a code from the node that runs, which is started when none does.
func ask(ctx context.Context, s *session.Session, home string, o options) (made, error) {
	d, err := session.Dial(home)
	if errors.Is(err, control.ErrNotRunning) && !o.noStart && !o.confirm {
		var n background.Node
		if n, err = background.Start(ctx, s); err != nil {
			return made{}, err
		}
		if n.Started && !s.Quiet {
			background.Announce(s.Err, n)
		}
		d, err = session.Dial(home)
	}
	if err != nil {
		return made{}, err
	}
	defer d.HTTP.CloseIdleConnections()
	in := map[string]string{}
	if o.confirm {
		in["purpose"] = "confirm"
	}
	data, _, err := d.Do(ctx, http.MethodPost, "/control/console", nil, in, nil)
	if err != nil {
		return made{}, err
	}
	var out made
	if err := json.Unmarshal(data, &out); err != nil {
		return made{}, fmt.Errorf("read answer: %w", err)
	}
	return out, nil
}

// pageOf is a link without its code.
func pageOf(link string) string {
	at, _, _ := strings.Cut(link, "/open?")
	return at
}

// browserOf is the program that opens files in the browser of this desktop, nil when
// there is none.
func browserOf(s *session.Session) []string {
	if b := strings.Fields(s.Getenv("BROWSER")); len(b) > 0 && !strings.Contains(b[0], ":") {
		return b
	}
	if runtime.GOOS == "darwin" {
		return []string{"open"}
	}
	if s.Getenv("DISPLAY") == "" && s.Getenv("WAYLAND_DISPLAY") == "" {
		return nil
	}
	path, err := exec.LookPath("xdg-open")
	if err != nil {
		return nil
	}
	return []string{path}
}

// redirect is the name of the file that leads the browser to the link.
const redirect = "open.html"

// show leads the browser to a link. The link is not an argument: those of all
// programs are seen by every user of the machine.
func show(ctx context.Context, s *session.Session, browser []string, home, link string) error {
	path := filepath.Join(home, store.RunDir, redirect)
	quoted := html.EscapeString(link)
	page := `<!doctype html><meta charset="utf-8"><meta name="referrer" content="no-referrer"><meta http-equiv="refresh" content="0;url=` + quoted +
		`"><title>meshd</title><p><a href="` + quoted + `">Open the console</a>` + "\n"
	if err := store.AtomicWrite(path, []byte(page), 0o600); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	to := url.URL{Scheme: "file", Path: path}
	ctx, cancel := context.WithTimeout(ctx, browserTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, browser[0], append(browser[1:], to.String())...)
	cmd.Env = s.Env
	cmd.Cancel = func() error { return nil } // a browser that goes on in the foreground is left alone
	started := cmd.Start()
	if started != nil {
		return fmt.Errorf("start the browser: %w", started)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err := <-ended:
		if err != nil {
			return fmt.Errorf("the browser was not started: %w", err)
		}
		return nil
	case <-ctx.Done():
		return nil // it runs
	}
}

// browserTime bounds how long a command that opens the browser is waited for.
const browserTime = 3 * time.Second
