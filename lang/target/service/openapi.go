package service

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/target/artefact"
)

// OpenAPI makes openapi.json of the endpoints of the source, with the types that it
// declares.
func OpenAPI(in *artefact.Input) (*artefact.Output, error) {
	all, err := routes(in)
	if err != nil {
		return nil, err
	}
	s := in.Scene
	schemas := map[string]any{}
	for name, one := range all.types.All() {
		schemas[name] = one
	}
	problem := "Error"
	for schemas[problem] != nil {
		problem += "Answer"
	}
	schemas[problem] = map[string]any{
		"type": "object", "required": []string{"error"}, "description": "Why nothing was done.",
		"properties": map[string]any{
			"error":     described("string", "What went wrong, in a word: bad_input, not_found, refused, fault, or what the action says."),
			"message":   described("string", "The same for people."),
			"code":      described("string", "Of the program, when an action failed: RUN001 …"),
			"operation": described("string", "The operation of the host that nobody offers."),
		},
	}
	paths := map[string]map[string]any{}
	out := &artefact.Output{}
	tags := map[string]bool{}
	for _, r := range all.list {
		if paths[r.Path] == nil {
			paths[r.Path] = map[string]any{}
		}
		paths[r.Path][r.Method] = operation(&r, "#/components/schemas/"+problem)
		if r.tag != "" {
			tags[r.tag] = true
		}
		if r.node != "" {
			out.Places = append(out.Places, artefact.Place{ID: r.node, Place: "/paths/" + strings.ReplaceAll(strings.ReplaceAll(r.Path, "~", "~0"), "/", "~1") + "/" + r.Method})
		}
	}
	info := map[string]any{"title": cmp.Or(s.Name, "Service"), "version": cmp.Or(text("version", s.Metadata), "1.0.0"), "x-generated": in.Header()}
	if d := text("description", s.Metadata); d != "" {
		info["description"] = d
	}
	doc := map[string]any{"openapi": "3.1.0", "info": info, "paths": paths, "components": map[string]any{"schemas": schemas}}
	if len(tags) > 0 {
		var list []any
		for _, t := range slices.Sorted(maps.Keys(tags)) {
			list = append(list, map[string]any{"name": t})
		}
		doc["tags"] = list
	}
	raw, err := artefact.JSON(doc)
	if err != nil {
		return nil, err
	}
	out.Files = []artefact.File{{Path: "openapi.json", MediaType: "application/json", Data: raw}}
	return out, nil
}

func described(kind, text string) map[string]any {
	return map[string]any{"type": kind, "description": text}
}

func content(schema map[string]any) map[string]any {
	return map[string]any{"application/json": map[string]any{"schema": schema}}
}

func operation(r *route, problem string) map[string]any {
	refused := func(text string) map[string]any {
		return map[string]any{"description": text, "content": content(map[string]any{"$ref": problem})}
	}
	responses := map[string]any{"default": refused("Refused")}
	result := r.result
	if result == nil {
		result = map[string]any{}
	}
	if !r.nothing {
		responses["200"] = map[string]any{"description": "Done", "content": content(result)}
	}
	if r.nothing || r.Call != nil && r.result == nil {
		responses["204"] = map[string]any{"description": "Done, with nothing to say"}
	}
	if r.takesBody() || len(r.Query) > 0 || len(r.Params) > 0 {
		responses["400"] = refused("What was sent does not fit")
	}
	op := map[string]any{"operationId": r.ID, "summary": r.Summary, "x-source": r.Source, "responses": responses}
	if r.description != "" && r.description != r.Summary {
		op["description"] = r.description
	}
	if r.Call != nil {
		op["x-action"] = r.Call.Name
	}
	if r.tag != "" {
		op["tags"] = []string{r.tag}
	}
	var params []any
	for _, f := range r.Params {
		params = append(params, map[string]any{"name": f.Name, "in": "path", "required": true, "schema": f.Schema})
	}
	for _, q := range r.Query {
		params = append(params, map[string]any{"name": q.Name, "in": "query", "required": q.Required, "schema": q.Schema})
	}
	if params != nil {
		op["parameters"] = params
	}
	if r.takesBody() {
		must := slices.ContainsFunc(r.Body, func(f input) bool { return f.Required })
		op["requestBody"] = map[string]any{"required": must, "content": content(schema(r.Body))}
	}
	return op
}
