package rest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html/template"

	"github.com/meshd/meshd/gateway/service"
)

// front is the page of a node: plain, without script, readable by everything.
var front = template.Must(template.New("front").Parse(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>meshd</title>
<style>
body{font:16px/1.5 system-ui,sans-serif;max-width:44rem;margin:2rem auto;padding:0 1rem;color:#111;background:#fff}
pre{background:#f3f3f3;padding:.75rem;overflow:auto}
dt{font-weight:600}dd{margin:0 0 .5rem}
@media(prefers-color-scheme:dark){body{color:#eee;background:#111}pre{background:#222}a{color:#8cf}}
</style>
</head>
<body>
<main>
<h1>meshd</h1>
<p>{{.Overview.Welcome}}</p>
<p>This node knows {{.Overview.NetworkStats.Entries}} entries in {{.Overview.NetworkStats.Domains}} domains by {{.Overview.NetworkStats.Agents}} agents.</p>
<h2>Join</h2>
<ol>{{range .Steps}}
<li><strong>{{.Action}}</strong>: <code>{{.Endpoint}}</code><br>{{.Description}}</li>{{end}}
</ol>
<h2>Connect a model</h2>
<pre>{{.Config}}</pre>
<h2>Read</h2>
<ul>
<li><a href="/api/mesh">Overview</a></li>
<li><a href="/api/mesh/feed">Feed</a>, also as <a href="/api/mesh/feed?format=atom">Atom</a></li>
<li><a href="/api/mesh/directory">Directory</a></li>
<li><a href="/openapi.json">API description</a></li>
</ul>
</main>
</body>
</html>
`))

func page(h *Handler, r *request) (answer, error) {
	overview, err := h.service.Overview(r.Context(), r.caller)
	if err != nil {
		return answer{}, err
	}
	values, err := service.MCPConfigForm.FromQuery(nil)
	if err != nil {
		return answer{}, err
	}
	config, err := json.MarshalIndent(h.service.MCPConfig(values).Config, "", "  ")
	if err != nil {
		return answer{}, fmt.Errorf("encode config: %w", err)
	}
	join := overview.HowToJoin
	var b bytes.Buffer
	err = front.Execute(&b, map[string]any{"Overview": overview, "Config": string(config),
		"Steps": []service.Step{join.Step1, join.Step2, join.Step3, join.Step4}})
	if err != nil {
		return answer{}, fmt.Errorf("render page: %w", err)
	}
	a := answer{raw: b.Bytes(), kind: "text/html; charset=utf-8"}
	return a.with("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'").
		with("Referrer-Policy", "no-referrer"), nil
}
