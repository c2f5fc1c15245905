// Operator tries what an operator of a gateway is given, with the programs it is for:
//
//   - the dashboard is read by Grafana's own schema (no Grafana draws it),
//   - the alert rules and their tests go through promtool,
//   - two gateways run under load, a Prometheus with the configuration of
//     docs/prometheus scrapes them, and every query of the dashboard and every rule is
//     answered by it; then one gateway ends, and the rule about that becomes pending.
//
// It needs prometheus and promtool (Debian: prometheus) and a built meshd:
//
//	make operator
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"gopkg.in/yaml.v3"
)

// patience is how long anything may take until it happens.
const patience = 2 * time.Minute

func main() {
	meshd := flag.String("meshd", "../../bin/meshd", "the program that is tried")
	docs := flag.String("docs", "../../docs", "folder with grafana and prometheus")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	ctx, cancel := context.WithTimeout(ctx, 5*patience)
	defer cancel()
	if err := try(ctx, *meshd, *docs); err != nil {
		fmt.Fprintln(os.Stderr, "operator:", err)
		os.Exit(1)
	}
}

func try(ctx context.Context, program, docs string) (err error) {
	queries, variables, err := readDashboard(filepath.Join(docs, "grafana/gateway.json"))
	if err != nil {
		return err
	}
	fmt.Printf("dashboard  %d queries, %d variables, by the schema of Grafana; not drawn\n", len(queries), variables)
	rules := filepath.Join(docs, "prometheus/alerts.yaml")
	for _, args := range [][]string{{"check", "rules", rules}, {"test", "rules", filepath.Join(docs, "prometheus/alerts_test.yaml")}} {
		if out, err := exec.CommandContext(ctx, "promtool", args...).CombinedOutput(); err != nil {
			return fmt.Errorf("promtool %s: %w\n%s", strings.Join(args, " "), err, out)
		}
	}
	alerts, err := readAlerts(rules)
	if err != nil {
		return err
	}
	fmt.Printf("rules      %d, checked and tested by promtool\n", len(alerts))

	dir, err := os.MkdirTemp("", "operator-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	first, err := startGateway(program, filepath.Join(dir, "first"), "")
	defer first.stop()
	if err != nil {
		return err
	}
	second, err := startGateway(program, filepath.Join(dir, "second"), first.peer)
	defer second.stop()
	if err != nil {
		return err
	}
	prom, err := startPrometheus(filepath.Join(docs, "prometheus"), dir, first.monitor, second.monitor)
	defer prom.stop()
	if err != nil {
		return err
	}
	if err := first.load(); err != nil {
		return err
	}
	// Rates need two scrapes after the load, and gateways that have met.
	for _, expr := range []string{
		`count(count_over_time(process_start_time_seconds{job="meshd"}[1m]) >= 3) == 2`,
		`sum(meshd_p2p_connections) >= 2`,
		`sum(increase(meshd_sync_sessions_total{result="ok"}[1m])) > 0`,
		`sum(rate(meshd_http_rate_limited_total[5m])) > 0`,
	} {
		if err := prom.until(ctx, expr); err != nil {
			return err
		}
		if err := first.ask(20); err != nil { // counters that move between two scrapes
			return err
		}
	}
	if err := prom.answers(ctx, queries); err != nil {
		return err
	}
	if err := prom.evaluates(ctx, alerts); err != nil {
		return err
	}
	second.stop()
	if err := prom.until(ctx, `ALERTS{alertname="MeshdDown", alertstate="pending", instance="`+second.monitor+`"}`); err != nil {
		return err
	}
	fmt.Println("firing     MeshdDown is pending since the second gateway ended")
	return nil
}

// alert is a rule of the file.
type alert struct {
	Alert, Expr string
}

func readAlerts(path string) (all []alert, err error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var file struct{ Groups []struct{ Rules []alert } }
	if err := yaml.Unmarshal(raw, &file); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	for _, g := range file.Groups {
		all = append(all, g.Rules...)
	}
	return all, nil
}

var metricName = regexp.MustCompile(`\b(?:meshd|process|go)_[a-z0-9_]+`)
