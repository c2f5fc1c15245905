package oauth

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/meshd/meshd/identity/jose"
)

// keys are those of one issuer. Of a file they are there for good; of an address they
// are fetched when they are first needed, again after refreshAfter, and when a token
// names a key that is not among them, but never twice within retryAfter. While one
// request fetches, those that can be judged by the keys at hand do not wait.
type keys struct {
	issuer, url string
	client      *http.Client
	incidents   Incidents
	log         *slog.Logger

	mu      sync.Mutex // guards the rest
	set     []jose.Key
	version int           // counts the sets fetched
	fetched time.Time     // the newest success
	tried   time.Time     // the newest attempt
	running chan struct{} // closed when the attempt under way has ended; nil: none
	fault   error         // of the newest attempt
}

func newKeys(i Issuer, incidents Incidents, log *slog.Logger) *keys {
	return &keys{issuer: i.URL, url: i.KeysURL, set: i.Keys, incidents: incidents, log: log, client: &http.Client{
		// The settings say where the keys are, nobody else.
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		Timeout:       fetchTime,
	}}
}

// get is the set to judge a token by, with its version, or ErrUnavailable.
func (k *keys) get(ctx context.Context, now time.Time) ([]jose.Key, int, error) {
	if k.url == "" {
		return k.set, 0, nil
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.usable(now) && now.Sub(k.fetched) < refreshAfter {
		return k.set, k.version, nil
	}
	k.attempt(ctx, now, k.usable(now))
	if k.usable(now) {
		return k.set, k.version, nil
	}
	if k.fault == nil { // the caller went away before the answer came
		return nil, 0, fmt.Errorf("%w: not fetched yet", ErrUnavailable)
	}
	return nil, 0, fmt.Errorf("%w: %w", ErrUnavailable, k.fault)
}

// renew asks for a set in which a key may be that is not in the one of a version, and
// reports whether there is one. One that came since then is not asked for again.
func (k *keys) renew(ctx context.Context, now time.Time, version int) ([]jose.Key, bool) {
	if k.url == "" {
		return nil, false
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.version == version {
		k.attempt(ctx, now, false)
	}
	return k.set, k.version != version
}

// usable reports whether tokens may be judged by the set. mu is held.
func (k *keys) usable(now time.Time) bool { return len(k.set) > 0 && now.Sub(k.fetched) < staleAfter }

// attempt fetches the set unless that was tried a moment ago. Who need not wait does
// not. mu is held, but not while waiting.
func (k *keys) attempt(ctx context.Context, now time.Time, hurry bool) {
	if k.running == nil {
		if since := now.Sub(k.tried); !k.tried.IsZero() && since >= 0 && since < retryAfter {
			return
		}
		k.tried, k.running = now, make(chan struct{})
		go k.fetch(context.WithoutCancel(ctx), now, k.running)
	}
	if hurry {
		return
	}
	running := k.running
	k.mu.Unlock()
	select {
	case <-running:
	case <-ctx.Done():
	}
	k.mu.Lock()
}

// fetch makes one attempt and says how it ended, to the operator too.
func (k *keys) fetch(ctx context.Context, now time.Time, done chan struct{}) {
	set, err := k.ask(ctx)
	k.mu.Lock()
	k.fault, k.running = err, nil
	if err == nil {
		k.set, k.fetched = set, now
		k.version++
	}
	k.mu.Unlock()
	component := "oauth keys of " + k.issuer
	switch {
	case err != nil:
		k.log.Warn("keys of an OAuth issuer are not fetched", "issuer", k.issuer, "url", k.url, "error", err)
		if k.incidents != nil {
			k.incidents.Fail(component, err.Error())
		}
	case k.incidents != nil:
		k.incidents.Recover(component)
	}
	close(done)
}

func (k *keys) ask(ctx context.Context) ([]jose.Key, error) {
	ctx, cancel := context.WithTimeout(ctx, fetchTime)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, k.url, nil)
	if err != nil {
		return nil, fmt.Errorf("ask for keys: %w", err)
	}
	r.Header.Set("Accept", "application/jwk-set+json, application/json")
	res, err := k.client.Do(r)
	if err != nil {
		return nil, fmt.Errorf("ask for keys: %w", err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("ask for keys: HTTP status %d", res.StatusCode)
	}
	raw, err := io.ReadAll(io.LimitReader(res.Body, jose.MaxKeySet+1))
	if err != nil {
		return nil, fmt.Errorf("read keys: %w", err)
	}
	return jose.ParsePublished(raw)
}
