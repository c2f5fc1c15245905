package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"

	"github.com/grafana/grafana-foundation-sdk/go/cog"
	"github.com/grafana/grafana-foundation-sdk/go/cog/plugins"
	"github.com/grafana/grafana-foundation-sdk/go/dashboard"
)

// query is an expression of a panel.
type query struct {
	panel, expr string
}

// readDashboard judges the file by Grafana's own schema, which knows the fields of a
// dashboard, of each kind of panel and of queries to Prometheus, and returns the
// queries.
func readDashboard(path string) (qs []query, variables int, err error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return nil, 0, err
	}
	plugins.RegisterDefaultPlugins()
	var board dashboard.Dashboard
	for _, err := range []error{board.UnmarshalJSONStrict(raw), board.Validate()} {
		var faults cog.BuildErrors
		if err != nil && !(errors.As(err, &faults) && len(faults) == 0) { // a list of none is an error there
			return nil, 0, fmt.Errorf("%s: %w", path, err)
		}
	}
	var plain struct {
		Panels []struct {
			ID      int
			Title   string
			GridPos struct{ X, Y, W, H int }
			Targets []struct{ Expr string }
		}
		Templating struct{ List []struct{ Name string } }
	}
	if err := json.Unmarshal(raw, &plain); err != nil {
		return nil, 0, err
	}
	ids, places := map[int]bool{}, map[[2]int]string{}
	for _, p := range plain.Panels {
		if ids[p.ID] {
			return nil, 0, fmt.Errorf("%s: two panels have the id %d", path, p.ID)
		}
		ids[p.ID] = true
		for x := p.GridPos.X; x < p.GridPos.X+p.GridPos.W; x++ {
			for y := p.GridPos.Y; y < p.GridPos.Y+p.GridPos.H; y++ {
				if other := places[[2]int{x, y}]; other != "" || x >= 24 {
					return nil, 0, fmt.Errorf("%s: %q has no place of its own (%q)", path, p.Title, other)
				}
				places[[2]int{x, y}] = p.Title
			}
		}
		for _, t := range p.Targets {
			qs = append(qs, query{p.Title, t.Expr})
		}
	}
	return qs, len(plain.Templating.List), nil
}
