package watch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
	"github.com/meshd/meshd/cmd/meshd/terminal"
	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/node/control"
	"github.com/meshd/meshd/node/store"
)

func cmdWatch(s *session.Session) *cobra.Command {
	w := watch{session: s, pause: watchPause}
	var own bool
	var team, since string
	var kinds []string
	var domain string
	var tail int
	c := &cobra.Command{
		Use: "watch", Short: "Print events as they happen, one a line", Args: session.Nothing,
		Long: "Print what happens in public, one line an event; with --own what happens to the agent alone, with --team what\n" +
			"happens in a team. It waits for a node that does not run, and goes on after a restart where it was. Ctrl-C ends\n" +
			"it, or --count. With --json each line is an event as the API sends it.",
		RunE: func(c *cobra.Command, _ []string) error {
			if err := errors.Join(session.NotWith(c, "own", "team"), session.NotWith(c, "since", "tail")); err != nil {
				return err
			}
			if w.count < 0 {
				return session.Usage("--count cannot be less than 0")
			}
			if _, err := strconv.ParseUint(since, 10, 64); since != "" && err != nil {
				return session.Usage("--since needs a place of the stream, the seq of an event, not %q", since)
			}
			w.path, w.place = "/api/mesh/events", since
			switch {
			case own:
				w.path = "/api/mesh/me/events"
			case team != "":
				w.path = session.TeamPath(team, "/events")
			}
			w.query = url.Values{}
			if len(kinds) > 0 {
				w.query.Set("kinds", strings.Join(kinds, ","))
			}
			if domain != "" {
				w.query.Set("domain", domain)
			}
			if c.Flags().Changed("tail") {
				w.query.Set("tail", strconv.Itoa(tail))
			}
			home, err := s.HomeDir()
			if err != nil {
				return err
			}
			if _, err := store.Inspect(home); err != nil {
				return err
			}
			w.dial = func() (*session.Client, error) {
				d, err := session.Dial(home)
				if err != nil {
					return nil, err
				}
				d.As = w.as
				return d, nil
			}
			return w.run(c.Context())
		},
	}
	f := c.Flags()
	f.BoolVar(&own, "own", false, "what happens to the agent alone")
	f.StringVar(&team, "team", "", "id of a `GUILD`: what happens in its team")
	f.StringSliceVar(&kinds, "kinds", nil, "only these kinds, such as entry.created or bounty.*")
	f.StringVar(&domain, "domain", "", "only events about entries of this `DOMAIN`")
	f.IntVar(&tail, "tail", 0, "begin with this many older events")
	f.StringVar(&since, "since", "", "begin after this place of the stream, the seq of an event; 0 for all that is kept")
	f.IntVar(&w.count, "count", 0, "end after this many events")
	f.StringVar(&w.as, "as", "", "name of another `AGENT` of this node")
	return c
}

// watch follows one stream across connections.
type watch struct {
	session *session.Session
	dial    func() (*session.Client, error)
	as      string
	path    string
	query   url.Values
	place   string // after which the stream goes on, "" for now
	count   int    // events to print, 0 for all
	printed int
	pause   time.Duration // before the second attempt to connect; doubles up to maxWatchPause
}

// errEnough ends a watch that has printed what was asked for.
var errEnough = errors.New("enough events")

// run prints events until ctx ends, enough were printed, or the node refuses.
func (w *watch) run(ctx context.Context) error {
	pause, said := w.pause, false
	for {
		before := w.place
		err := w.follow(ctx)
		var refused *session.APIError
		switch {
		case errors.Is(err, errEnough):
			return nil
		case ctx.Err() != nil:
			return ctx.Err()
		case errors.As(err, &refused) && refused.Status < http.StatusInternalServerError && refused.Status != http.StatusTooManyRequests:
			return w.session.Refused(err)
		case !lost(err):
			return err
		}
		if w.place != before { // it was connected
			pause, said = w.pause, false
		}
		if !said && !w.session.Quiet {
			fmt.Fprintf(w.session.Err, "meshd: %v; waiting for the node\n", err)
			said = true
		}
		timer := time.NewTimer(pause)
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return ctx.Err()
		}
		pause = min(2*pause, maxWatchPause)
	}
}

// lostError is a connection that ended, or was never made.
type lostError struct{ cause error }

func (e lostError) Error() string { return e.cause.Error() }

func (e lostError) Unwrap() error { return e.cause }

// lost reports whether another attempt may do better.
func lost(err error) bool {
	var refused *session.APIError
	return errors.As(err, new(lostError)) || errors.As(err, &refused)
}

// follow connects once and prints events until the connection ends.
func (w *watch) follow(ctx context.Context) (err error) {
	d, err := w.dial()
	if errors.Is(err, control.ErrNotRunning) {
		return lostError{err}
	}
	if err != nil {
		return err
	}
	defer d.HTTP.CloseIdleConnections()
	query, header := w.query, http.Header{}
	if w.place != "" {
		query = maps.Clone(w.query)
		query.Del("tail") // older events came the first time
		header.Set("Last-Event-ID", w.place)
	}
	resp, err := d.Stream(ctx, http.MethodGet, w.path, query, nil, "", header)
	if refused := (*session.APIError)(nil); errors.As(err, &refused) {
		return err
	}
	if err != nil {
		return lostError{err}
	}
	defer resp.Body.Close()
	all := newFrames(resp.Body)
	for {
		f, err := all.next()
		switch {
		case errors.Is(err, errEventLine):
			return err
		case errors.Is(err, io.EOF):
			return lostError{errors.New("the stream ended")}
		case err != nil:
			return lostError{err}
		}
		if err := w.take(f); err != nil {
			return err
		}
	}
}

// take prints one frame, or does what it says about the stream.
func (w *watch) take(f frame) error {
	switch f.kind {
	case "hello":
	case "reset":
		fmt.Fprintln(w.session.Err, "meshd: events are missing here: the node does not keep what is older")
	case "bye":
		var why struct{ Code string }
		if err := session.Decode(f.data, &why); err != nil {
			return err
		}
		bye := fmt.Errorf("the node ended the stream: %s", terminal.OneLine(why.Code, 80))
		switch reason.Code(why.Code) {
		case reason.SlowConsumer, reason.Overloaded, reason.NotReady: // the last from a node that ends
			return lostError{bye}
		}
		return bye
	default:
		if err := w.print(f); err != nil {
			return err
		}
		w.printed++
	}
	if f.id != "" {
		w.place = f.id
	}
	if w.count > 0 && w.printed == w.count {
		return errEnough
	}
	return nil
}

// print writes one event as a line.
func (w *watch) print(f frame) error {
	if w.session.JSON {
		if !json.Valid(f.data) {
			return errEventLine
		}
		_, err := fmt.Fprintf(w.session.Out, "%s\n", f.data)
		return err
	}
	var e struct {
		TS   string                     `json:"ts"`
		Data map[string]json.RawMessage `json:"data"`
	}
	if err := session.Decode(f.data, &e); err != nil {
		return err
	}
	line := terminal.OneLine(e.TS, 40) + "  " + terminal.OneLine(f.kind, 40) + " "
	for _, name := range slices.Sorted(maps.Keys(e.Data)) {
		if value := fact(e.Data[name]); value != "" {
			line += " " + terminal.OneLine(name, 40) + "=" + value
		}
	}
	_, err := fmt.Fprintln(w.session.Out, line)
	return err
}

// fact is a value of an event in one word; a text of several is quoted, so that
// it cannot pass for further facts.
func fact(raw json.RawMessage) string {
	var text string
	if json.Unmarshal(raw, &text) != nil {
		if s := terminal.OneLine(string(raw), 200); s != "null" {
			return s
		}
		return ""
	}
	if text = terminal.OneLine(text, 200); strings.ContainsAny(text, " \"=") {
		return strconv.Quote(text)
	}
	return text
}
