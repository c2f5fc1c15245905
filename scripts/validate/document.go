package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/meshd/meshd/lang/target"
	"github.com/meshd/meshd/lang/target/artefact"
)

// keep writes what was proven: for the program, and for readers. Targets that
// this run did not look at keep what they had.
func keep(rows []*row) error {
	proofs := map[string]target.Verified{}
	for _, t := range target.All() {
		proofs[t.ID] = t.Verified
	}
	for _, r := range rows {
		if r.verified.Level != "none" {
			proofs[r.target.ID] = r.verified
		}
	}
	raw, err := artefact.JSON(proofs)
	if err != nil {
		return err
	}
	if err := os.WriteFile("lang/target/verified.json", raw, 0o644); err != nil {
		return err
	}
	return os.WriteFile("docs/targets.md", []byte(document(proofs)), 0o644)
}

func document(proofs map[string]target.Verified) string {
	var b strings.Builder
	b.WriteString(`# Compile targets

Written by ` + "`go run ./scripts/validate --write`" + ` from the registry and from what the tools said; do not edit.

What a source can be compiled to, with the tool that read the results of all examples without complaint. Level *engine*: a
real engine or runtime loaded it; *validator*: a checker of the format accepted it; *syntax*: only a grammar, our own reader or signatures of our own did.

| target | also called | files | media type | level | tool |
|---|---|---|---|---|---|
`)
	for _, t := range target.All() {
		p := proofs[t.ID]
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s | %s |\n", t.ID, strings.Join(t.Aliases, ", "), strings.Join(t.Files, ", "), t.MediaType, p.Level,
			strings.TrimSpace(p.Tool+" "+p.Version))
	}
	b.WriteString(`
## What each target carries

F: in full. P: approximated, the compile says how (TGT003). X: left out or kept as data, the compile says so (TGT002). –: outside of the target's purpose.

| target |`)
	for _, f := range artefact.Features {
		fmt.Fprintf(&b, " %s |", f)
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(artefact.Features)) + "\n")
	for _, t := range target.All() {
		fmt.Fprintf(&b, "| `%s` |", t.ID)
		for _, f := range artefact.Features {
			level := string(t.Features[f])
			if level == "-" {
				level = "–"
			}
			fmt.Fprintf(&b, " %s |", level)
		}
		b.WriteString("\n")
	}
	b.WriteString("\n## Options\n\nEvery target takes `strict`, `quality` and `node`.\n\n| target | option | type | default | meaning |\n|---|---|---|---|---|\n")
	for _, t := range target.All() {
		for _, o := range t.Options() {
			fmt.Fprintf(&b, "| `%s` | `%s` | %s | %v | %s |\n", t.ID, o.Name, o.Type, o.Default, o.Description)
		}
	}
	return b.String()
}
