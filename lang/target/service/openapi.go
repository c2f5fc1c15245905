package service

import (
	"cmp"
	"slices"
	"strings"

	"github.com/meshd/meshd/lang/target/artefact"
)

// OpenAPI makes openapi.json of the endpoints of the source.
func OpenAPI(in *artefact.Input) (*artefact.Output, error) {
	list, err := routes(in)
	if err != nil {
		return nil, err
	}
	s := in.Scene
	paths := map[string]map[string]any{}
	out := &artefact.Output{}
	for _, r := range list {
		if paths[r.Path] == nil {
			paths[r.Path] = map[string]any{}
		}
		paths[r.Path][r.Method] = operation(&r)
		if r.node != "" {
			out.Places = append(out.Places, artefact.Place{ID: r.node, Place: "/paths/" + strings.ReplaceAll(strings.ReplaceAll(r.Path, "~", "~0"), "/", "~1") + "/" + r.Method})
		}
	}
	problem := map[string]any{"type": "object", "required": []string{"error"}, "properties": map[string]any{"error": typed("string"), "message": typed("string")}}
	raw, err := artefact.JSON(map[string]any{
		"openapi": "3.1.0", "info": map[string]any{"title": cmp.Or(s.Name, "Service"), "version": cmp.Or(text("version", s.Metadata), "1.0.0"), "x-generated": in.Header()},
		"paths": paths, "components": map[string]any{"schemas": map[string]any{"Error": problem}},
	})
	if err != nil {
		return nil, err
	}
	out.Files = []artefact.File{{Path: "openapi.json", MediaType: "application/json", Data: raw}}
	return out, nil
}

func operation(r *route) map[string]any {
	content := func(schema map[string]any) map[string]any {
		return map[string]any{"application/json": map[string]any{"schema": schema}}
	}
	op := map[string]any{
		"operationId": r.ID, "summary": r.Summary, "x-source": r.Source,
		"responses": map[string]any{
			"200":     map[string]any{"description": "Done", "content": content(map[string]any{})},
			"default": map[string]any{"description": "Refused", "content": content(map[string]any{"$ref": "#/components/schemas/Error"})},
		},
	}
	var params []any
	for _, name := range r.params() {
		params = append(params, map[string]any{"name": name, "in": "path", "required": true, "schema": typed("string")})
	}
	for _, q := range r.Query {
		params = append(params, map[string]any{"name": q.Name, "in": "query", "required": q.Required, "schema": typed(q.Type)})
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
