package session

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"strings"

	"github.com/meshd/meshd/cmd/meshd/instance"
	"github.com/meshd/meshd/cmd/meshd/terminal"
	"github.com/meshd/meshd/gateway/admin"
	"github.com/meshd/meshd/node/control"
	"github.com/meshd/meshd/node/store"
)

// Need says what a command needs of the home.
type Need int

// The needs of commands.
const (
	Running  Need = iota // a node that runs
	Existing             // a home that exists
	Writable             // a home, made when there is none and --home names none
)

// Client is the way to a node: the socket of the running one, or the node opened
// in this process. Both answer the same requests.
type Client struct {
	HTTP     *http.Client
	Base     string
	As       string             // name of the agent to act as, "" for the owner's
	Instance *instance.Instance // nil when a node runs
}

// Dial opens the way to the node that runs in a home; control.ErrNotRunning when none
// does.
func Dial(home string) (*Client, error) {
	client, err := control.Dial(home)
	if err != nil {
		return nil, err
	}
	return &Client{HTTP: client, Base: control.BaseURL}, nil
}

// Connect opens the way to the node of this home.
func (s *Session) Connect(ctx context.Context, n Need) (*Client, error) {
	home, err := s.HomeDir()
	if err != nil {
		return nil, err
	}
	d, err := Dial(home)
	if err == nil {
		return d, nil
	}
	if n == Running || !errors.Is(err, control.ErrNotRunning) {
		return nil, err
	}
	if n == Existing {
		if _, err := store.Inspect(home); err != nil {
			return nil, err
		}
	}
	in, err := s.OpenHome(ctx)
	if err != nil {
		return nil, err
	}
	return &Client{HTTP: &http.Client{Transport: direct{in.Handler}}, Base: control.BaseURL, Instance: in}, nil
}

// OpenHome opens the node of this home in the process, without peers, and says
// where the secrets of a new owner lie. A home that --home names must be there;
// that of the environment or the platform is made.
func (s *Session) OpenHome(ctx context.Context) (*instance.Instance, error) {
	dir, cfg, err := s.Settings()
	if err != nil {
		return nil, err
	}
	if s.Home != "" { // else a mistyped path would become a second identity
		if _, err := store.Inspect(dir); err != nil {
			return nil, err
		}
	}
	instance.QuietLibraries()
	home, err := store.Open(dir, store.Options{Command: CommandLine()})
	if err != nil {
		return nil, err
	}
	in, err := instance.Open(ctx, home, cfg, instance.NewLog(s.Err, cfg.Config.Log, slog.LevelWarn))
	if err != nil {
		return nil, err
	}
	if in.Owner.Created && !s.Quiet {
		fmt.Fprintf(s.Err, "made %s: agent %s, API key in %s, recovery key in %s (move that elsewhere)\n",
			home.Dir(), in.Owner.Agent.Name, in.Owner.APIKeyFile, in.Owner.RecoveryFile)
	}
	return in, nil
}

// CommandLine is what another process learns about this one.
func CommandLine() string {
	return strings.Join(append([]string{"meshd"}, os.Args[1:]...), " ")
}

// Close ends the way, and the node when it was opened here.
func (d *Client) Close() error {
	d.HTTP.CloseIdleConnections()
	if d.Instance != nil {
		return d.Instance.Close()
	}
	return nil
}

// Do sends a request and returns the JSON of a good answer; a refusal is an
// *APIError. in is encoded as JSON, nil sends no body.
func (d *Client) Do(ctx context.Context, method, path string, query url.Values, in any, header http.Header) (json.RawMessage, http.Header, error) {
	var body io.Reader
	if in != nil {
		data, err := json.Marshal(in)
		if err != nil {
			return nil, nil, fmt.Errorf("encode request: %w", err)
		}
		body = bytes.NewReader(data)
	}
	resp, err := d.Stream(ctx, method, path, query, body, "application/json", header)
	if err != nil {
		return nil, nil, err
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(io.LimitReader(resp.Body, MaxReply))
	if err != nil {
		return nil, nil, fmt.Errorf("read answer: %w", err)
	}
	return data, resp.Header, nil
}

// Stream is Do for bodies of any kind; the caller closes the answer.
func (d *Client) Stream(ctx context.Context, method, path string, query url.Values, body io.Reader, kind string, header http.Header) (*http.Response, error) {
	address := d.Base + path
	if len(query) > 0 {
		address += "?" + query.Encode()
	}
	req, err := http.NewRequestWithContext(ctx, method, address, body)
	if err != nil {
		return nil, fmt.Errorf("make request: %w", err)
	}
	for name, values := range header {
		req.Header[name] = values
	}
	if body != nil {
		req.Header.Set("Content-Type", kind)
	}
	if d.As != "" {
		req.Header.Set(admin.As, d.As)
	}
	resp, err := d.HTTP.Do(req)
	if err != nil {
		return nil, fmt.Errorf("ask the node: %w", err)
	}
	if resp.StatusCode < 300 {
		return resp, nil
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(io.LimitReader(resp.Body, MaxReply))
	if err != nil {
		return nil, fmt.Errorf("read answer: %w", err)
	}
	refused := &APIError{Status: resp.StatusCode, raw: data}
	if json.Unmarshal(data, refused) != nil || refused.Code == "" {
		return nil, fmt.Errorf("the node answered %s", resp.Status)
	}
	return nil, refused
}

// Decode reads an answer into v.
func Decode(data json.RawMessage, v any) error {
	if err := json.Unmarshal(data, v); err != nil {
		return fmt.Errorf("read answer: %w", err)
	}
	return nil
}

// APIError is a refusal of the API.
type APIError struct {
	Status  int
	Text    string         `json:"error"`
	Code    string         `json:"code"`
	Hint    string         `json:"hint"`
	Details map[string]any `json:"details"`
	Quality *struct {
		Reasons []string `json:"reasons"`
	} `json:"quality"`
	raw json.RawMessage
}

// Answer is the whole body of the refusal.
func (e *APIError) Answer() json.RawMessage { return e.raw }

func (e *APIError) Error() string {
	text := fmt.Sprintf("%s: %s", e.Code, terminal.OneLine(e.Text, 500))
	if id, ok := e.Details["existing_id"].(string); ok {
		text += " (" + terminal.OneLine(id, 80) + ")"
	}
	if e.Quality != nil && len(e.Quality.Reasons) > 1 {
		text += " [" + terminal.OneLine(strings.Join(e.Quality.Reasons, ", "), 200) + "]"
	}
	return text
}

// Refused prints the error object of a refusal with --json.
func (s *Session) Refused(err error) error {
	var r *APIError
	if s.JSON && errors.As(err, &r) {
		return errors.Join(err, s.PrintRaw(r.raw))
	}
	return err
}
