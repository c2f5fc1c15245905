package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// prometheus is a server of the trial.
type prometheus struct {
	program
	url string
}

// startPrometheus runs the configuration of the documentation, with these targets and a
// scrape a second. The caller stops it even when there is an error.
func startPrometheus(docs, dir string, targets ...string) (*prometheus, error) {
	p := &prometheus{}
	at, err := freePort()
	if err != nil {
		return p, err
	}
	p.url = "http://" + at
	raw, err := os.ReadFile(filepath.Join(docs, "prometheus.yml"))
	if err != nil {
		return p, err
	}
	rules, err := filepath.Abs(filepath.Join(docs, "alerts.yaml"))
	if err != nil {
		return p, err
	}
	config := string(raw)
	for from, to := range map[string]string{`"127.0.0.1:8421"`: `"` + strings.Join(targets, `", "`) + `"`, "alerts.yaml": rules, "15s": "1s"} {
		if !strings.Contains(config, from) {
			return p, fmt.Errorf("prometheus.yml has no %s", from)
		}
		config = strings.ReplaceAll(config, from, to)
	}
	file := filepath.Join(dir, "prometheus.yml")
	if err := os.WriteFile(file, []byte(config), 0o600); err != nil {
		return p, err
	}
	p.cmd = exec.Command("prometheus", "--config.file="+file, "--storage.tsdb.path="+filepath.Join(dir, "tsdb"), "--web.listen-address="+at, "--log.level=warn")
	p.cmd.Stderr = &p.said
	return p, p.cmd.Start()
}

// get asks the HTTP API of Prometheus.
func (p *prometheus) get(ctx context.Context, path string, form url.Values, into any) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, p.url+path+"?"+form.Encode(), nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	var reply struct {
		Status, Error string
		Data          json.RawMessage
	}
	if err := json.NewDecoder(resp.Body).Decode(&reply); err != nil {
		return fmt.Errorf("%s: %s: %w", path, resp.Status, err)
	}
	if reply.Status != "success" {
		return fmt.Errorf("%s: %s", path, reply.Error)
	}
	return json.Unmarshal(reply.Data, into)
}

// series is how many series an expression has now.
func (p *prometheus) series(ctx context.Context, expr string) (int, error) {
	var data struct{ Result []json.RawMessage }
	if err := p.get(ctx, "/api/v1/query", url.Values{"query": {expr}}, &data); err != nil {
		return 0, fmt.Errorf("%s: %w", expr, err)
	}
	return len(data.Result), nil
}

// until asks again and again until an expression has a series.
func (p *prometheus) until(ctx context.Context, expr string) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	tick := time.NewTicker(200 * time.Millisecond)
	defer tick.Stop()
	for {
		n, err := p.series(ctx, expr)
		if n > 0 {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("never so: %s: %w %s", expr, errors.Join(ctx.Err(), err), p.said.String())
		case <-tick.C:
		}
	}
}

// answers asks every query of the dashboard as a panel does, over a range.
func (p *prometheus) answers(ctx context.Context, queries []query) error {
	var faults []error
	filled := 0
	for _, q := range queries {
		expr := strings.ReplaceAll(q.expr, "$instance", ".*")
		now := time.Now()
		var data struct{ Result []json.RawMessage }
		err := p.get(ctx, "/api/v1/query_range", url.Values{"query": {expr}, "step": {"1"},
			"start": {fmt.Sprint(now.Add(-time.Minute).Unix())}, "end": {fmt.Sprint(now.Unix())}}, &data)
		switch {
		case err != nil:
			faults = append(faults, fmt.Errorf("%s: %s: %w", q.panel, expr, err))
		case len(data.Result) > 0:
			filled++
		default:
			faults = append(faults, fmt.Errorf("%s: no data: %s", q.panel, expr))
		}
	}
	var instances []string
	err := p.get(ctx, "/api/v1/label/instance/values", url.Values{"match[]": {"meshd_gateway_database_up"}}, &instances)
	if err == nil && len(instances) != 2 {
		err = fmt.Errorf("the variable of gateways has %v", instances)
	}
	fmt.Printf("prometheus answers the %d queries of the dashboard, %d with data\n", len(queries), filled)
	return errors.Join(append(faults, err)...)
}

// evaluates looks at how the server's own evaluation of the rules went, and that every
// metric in them exists.
func (p *prometheus) evaluates(ctx context.Context, alerts []alert) error {
	var data struct {
		Groups []struct {
			Rules []struct{ Name, Health, LastError, State string }
		}
	}
	if err := p.get(ctx, "/api/v1/rules", nil, &data); err != nil {
		return err
	}
	var faults []error
	health := map[string]string{}
	for _, g := range data.Groups {
		for _, r := range g.Rules {
			health[r.Name] = r.Health
			if r.Health != "ok" || r.State == "firing" {
				faults = append(faults, fmt.Errorf("rule %s: %s %s %s", r.Name, r.Health, r.State, r.LastError))
			}
		}
	}
	for _, a := range alerts {
		if health[a.Alert] == "" {
			faults = append(faults, fmt.Errorf("rule %s is not evaluated", a.Alert))
		}
		for _, name := range metricName.FindAllString(a.Expr, -1) {
			n, err := p.series(ctx, name)
			if err == nil && n == 0 {
				err = fmt.Errorf("rule %s: no series of %s", a.Alert, name)
			}
			faults = append(faults, err)
		}
	}
	fmt.Printf("prometheus evaluates the %d rules, none fires\n", len(alerts))
	return errors.Join(faults...)
}
