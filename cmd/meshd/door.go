package main

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

	"github.com/meshd/meshd/gateway/admin"
	"github.com/meshd/meshd/node/control"
	"github.com/meshd/meshd/node/store"
)

// door is the way to a node: the socket of the running one, or the node opened
// in this process. Both answer the same requests.
type door struct {
	client *http.Client
	base   string
	as     string    // name of the agent to act as, "" for the owner's
	inside *instance // nil when a node runs
}

// need says what a command needs of the home.
type need int

// The needs of commands.
const (
	running  need = iota // a node that runs
	existing             // a home that exists
	writable             // a home, made when there is none and --home names none
)

// door opens the way to the node of this home.
func (p *program) door(ctx context.Context, n need) (*door, error) {
	home, err := p.homeDir()
	if err != nil {
		return nil, err
	}
	client, err := control.Dial(home)
	if err == nil {
		return &door{client: client, base: control.BaseURL}, nil
	}
	if n == running || !errors.Is(err, control.ErrNotRunning) {
		return nil, err
	}
	if n == existing {
		if _, err := store.Inspect(home); err != nil {
			return nil, err
		}
	}
	in, err := p.openHome(ctx)
	if err != nil {
		return nil, err
	}
	return &door{client: &http.Client{Transport: direct{in.handler}}, base: control.BaseURL, inside: in}, nil
}

// openHome opens the node of this home in the process, without peers, and says
// where the secrets of a new owner lie. A home that --home names must be there;
// that of the environment or the platform is made.
func (p *program) openHome(ctx context.Context) (*instance, error) {
	dir, cfg, err := p.settings()
	if err != nil {
		return nil, err
	}
	if p.home != "" { // else a mistyped path would become a second identity
		if _, err := store.Inspect(dir); err != nil {
			return nil, err
		}
	}
	quietLibraries()
	home, err := store.Open(dir, store.Options{Command: commandLine()})
	if err != nil {
		return nil, err
	}
	in, err := open(ctx, home, cfg, newLog(p.err, cfg.Config.Log, slog.LevelWarn))
	if err != nil {
		return nil, err
	}
	if in.owner.Created && !p.quiet {
		fmt.Fprintf(p.err, "made %s: agent %s, API key in %s, recovery key in %s (move that elsewhere)\n",
			home.Dir(), in.owner.Agent.Name, in.owner.APIKeyFile, in.owner.RecoveryFile)
	}
	return in, nil
}

// commandLine is what another process is told about this one.
func commandLine() string {
	return strings.Join(append([]string{"meshd"}, os.Args[1:]...), " ")
}

// close ends the way, and the node when it was opened here.
func (d *door) close() error {
	d.client.CloseIdleConnections()
	if d.inside != nil {
		return d.inside.close()
	}
	return nil
}

// apiError is a refusal as the API tells it.
type apiError struct {
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

func (e *apiError) Error() string {
	text := fmt.Sprintf("%s: %s", e.Code, oneLine(e.Text, 500))
	if id, ok := e.Details["existing_id"].(string); ok {
		text += " (" + oneLine(id, 80) + ")"
	}
	if e.Quality != nil && len(e.Quality.Reasons) > 1 {
		text += " [" + oneLine(strings.Join(e.Quality.Reasons, ", "), 200) + "]"
	}
	return text
}

// do sends a request and returns the JSON of a good answer; a refusal is an
// *apiError. in is encoded as JSON, nil sends no body.
func (d *door) do(ctx context.Context, method, path string, query url.Values, in any, header http.Header) (json.RawMessage, http.Header, error) {
	var body io.Reader
	if in != nil {
		data, err := json.Marshal(in)
		if err != nil {
			return nil, nil, fmt.Errorf("encode request: %w", err)
		}
		body = bytes.NewReader(data)
	}
	resp, err := d.send(ctx, method, path, query, body, "application/json", header)
	if err != nil {
		return nil, nil, err
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(io.LimitReader(resp.Body, maxReply))
	if err != nil {
		return nil, nil, fmt.Errorf("read answer: %w", err)
	}
	return data, resp.Header, nil
}

// send is do for bodies of any kind; the caller closes the answer.
func (d *door) send(ctx context.Context, method, path string, query url.Values, body io.Reader, kind string, header http.Header) (*http.Response, error) {
	address := d.base + path
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
	if d.as != "" {
		req.Header.Set(admin.As, d.as)
	}
	resp, err := d.client.Do(req)
	if err != nil {
		return nil, fmt.Errorf("ask the node: %w", err)
	}
	if resp.StatusCode < 300 {
		return resp, nil
	}
	defer resp.Body.Close()
	data, err := io.ReadAll(io.LimitReader(resp.Body, maxReply))
	if err != nil {
		return nil, fmt.Errorf("read answer: %w", err)
	}
	refused := &apiError{Status: resp.StatusCode, raw: data}
	if json.Unmarshal(data, refused) != nil || refused.Code == "" {
		return nil, fmt.Errorf("the node answered %s", resp.Status)
	}
	return nil, refused
}

// ask sends one request and hands its answer to show, or prints it as it is with
// --json.
func (p *program) ask(ctx context.Context, n need, method, path string, query url.Values, in any, show func(json.RawMessage) error) error {
	return p.withAnswer(ctx, n, method, path, query, in, func(data json.RawMessage) error {
		if p.json {
			return p.printRaw(data)
		}
		return show(data)
	})
}

// refused prints the error object of a refusal with --json.
func (p *program) refused(err error) error {
	var r *apiError
	if p.json && errors.As(err, &r) {
		return errors.Join(err, p.printRaw(r.raw))
	}
	return err
}

// decode reads an answer into v.
func decode(data json.RawMessage, v any) error {
	if err := json.Unmarshal(data, v); err != nil {
		return fmt.Errorf("read answer: %w", err)
	}
	return nil
}

// withAnswer opens the door, sends one request and hands its answer on.
func (p *program) withAnswer(ctx context.Context, n need, method, path string, query url.Values, in any, use func(json.RawMessage) error) (err error) {
	d, err := p.door(ctx, n)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, d.close()) }()
	data, _, err := d.do(ctx, method, path, query, in, nil)
	if err != nil {
		return p.refused(err)
	}
	return use(data)
}
