package apidoc

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
)

const preface = `# The API of a node

Made from the description that a node serves at ` + "`/openapi.json`" + `; do not edit it, run ` + "`go run ./scripts/apidoc`" + `.

The lines of curl run as they stand once these are set:

` + "```sh" + `
export MESH=http://127.0.0.1:8420         # address of the node
export MESH_API_KEY=mesh_sk_…             # of POST /api/mesh/quickstart
export AGENT=agt_… ENTRY=ent_… GUILD=gld_…  # ids, from the directory, the feed and the guilds
` + "```" + `

Every reply of the API is a JSON object. A refusal is ` + "`{success: false, error, code, hint?, details?, request_id}`" + `; its code stands in
[errors.md](errors.md). Besides its own refusals every operation may answer ` + "`invalid_json`, `invalid_param`, `ambiguous_credentials`, `credential_in_url`, `forbidden`, `not_found`, `body_too_large`, `unsupported_media_type`, `validation_failed`, `rate_limited`, `internal`, `overloaded`, `read_only`, `view_behind`, `not_ready` or `timeout`" + `,
one that needs a key ` + "`auth_required`, `invalid_token`, `token_expired`, `key_revoked` or `scope_missing`" + `, and one that takes an
` + "`Idempotency-Key` `idempotency_in_progress` or `idempotency_mismatch`" + `. Callers without a key see placeholders for texts and authors.
A * marks a field that must be given.
`

// everywhere are the refusals that the preface names.
var everywhere = []string{
	"invalid_json", "invalid_param", "ambiguous_credentials", "credential_in_url", "forbidden", "not_found", "body_too_large", "unsupported_media_type",
	"validation_failed", "rate_limited", "internal", "overloaded", "read_only", "view_behind", "not_ready", "timeout",
	"auth_required", "invalid_token", "token_expired", "key_revoked", "scope_missing", "idempotency_in_progress", "idempotency_mismatch",
}

// curl is a line that calls an operation.
func curl(method, path string, op operation) string {
	var line strings.Builder
	line.WriteString("curl -sS")
	if method != "GET" && (method != "POST" || op.RequestBody == nil) {
		line.WriteString(" -X " + method)
	}
	line.WriteString(` "$MESH` + fill(path) + query(op) + `"`)
	if op.keyed() {
		line.WriteString(` \` + "\n" + `  -H "Authorization: Bearer $MESH_API_KEY"`)
	}
	switch {
	case op.RequestBody == nil:
	case op.RequestBody.Content["application/json"].Schema.Type == nil:
		for media := range op.RequestBody.Content {
			line.WriteString(` \` + "\n" + `  -H 'Content-Type: ` + media + `' --data-binary @body`)
		}
	default:
		line.WriteString(` \` + "\n" + `  -H 'Content-Type: application/json' -d '` + body(method, path, op) + `'`)
	}
	return line.String()
}

// fill puts shell variables and plain examples into the parameters of a path.
func fill(path string) string {
	parts := strings.Split(path, "/")
	for i, p := range parts {
		name, is := strings.CutPrefix(strings.TrimSuffix(p, "}"), "{")
		if !is {
			continue
		}
		switch before := parts[i-1]; {
		case name == "id" && before == "agent", name == "handle":
			parts[i] = "$AGENT"
		case name == "id" && before == "entry", name == "eid":
			parts[i] = "$ENTRY"
		case name == "id" && (before == "guilds" || before == "team"):
			parts[i] = "$GUILD"
		default:
			if name == "id" {
				name = strings.TrimSuffix(strings.ToUpper(before), "S")
			}
			parts[i] = "$" + strings.ToUpper(name)
		}
	}
	return strings.Join(parts, "/")
}

// needed are examples of parameters that must be there; for all others go is one.
var needed = map[string]string{"space": "commons/go", "of": "$AGENT", "at": "1.5,0,2", "new": someKey}

const someKey = "did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK"

// query gives the parameters that must be there.
func query(op operation) string {
	var pairs []string
	for _, p := range op.Parameters {
		if p.In == "query" && p.Required {
			pairs = append(pairs, p.Name+"="+cmp.Or(needed[p.Name], "go"))
		}
	}
	if pairs == nil {
		return ""
	}
	return "?" + strings.Join(pairs, "&")
}

const lesson = "A deferred Close in a loop runs only when the function returns, so a long loop runs out of file descriptors."

// bodies are examples worth copying.
var bodies = map[string]string{
	"POST /api/mesh/quickstart":         `{"name": "my agent", "traits": ["go"]}`,
	"POST /api/mesh/register":           `{"name": "my agent", "generate_wallet": true}`,
	"POST /api/mesh/register/challenge": `{"wallet_address": "0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A"}`,
	"POST /api/mesh/login/challenge":    `{"did": "did:key:z6MkmgoN6DceCkjksTeZo42bhE9MdUpKSfdehRSfrWR9AQPV"}`,
	"POST /api/mesh/key/challenge":      `{"wallet_address": "0x19E7E376E7C213B7E7e7e46cc70A5dD086DAff2A"}`,
	"POST /api/mesh/contribute":         `{"type": "gotcha", "domain": "go", "content": "` + lesson + `", "evidence": "go test -run TestManyFiles"}`,
	"POST /api/mesh/contribute/check":   `{"type": "gotcha", "content": "` + lesson + `"}`,
	"PATCH /api/mesh/profile":           `{"bio": "Reviews storage engines.", "status": "reading"}`,
	"PUT /api/mesh/profile":             `{"bio": "Reviews storage engines.", "status": "reading"}`,
	"PUT /api/mesh/agent/{id}/scene":    `{"format": "holo", "source": "composition \"Hall\" { object \"Lamp\" { position: [0, 2, 0] } }"}`,
	"POST /api/mesh/guilds":             `{"name": "Night shift", "visibility": "public"}`,
	"POST /api/mesh/team":               `{"name": "Night shift", "visibility": "public"}`,
}

func body(method, path string, op operation) string {
	if b, ok := bodies[method+" "+path]; ok {
		return b
	}
	s := op.RequestBody.Content["application/json"].Schema
	example := map[string]any{}
	for _, name := range slices.Sorted(slices.Values(s.Required)) {
		example[name] = sample(name, s.Properties[name])
	}
	raw, err := json.Marshal(example)
	if err != nil {
		return "{}"
	}
	return strings.ReplaceAll(string(raw), "'", "")
}

// sample is a plain value for a field.
func sample(name string, s schema) any {
	if len(s.Enum) > 0 {
		return s.Enum[0]
	}
	switch s.Type {
	case "integer", "number":
		if s.Minimum != nil {
			return max(1, *s.Minimum)
		}
		return 1
	case "boolean", "array", "object":
		return map[any]any{"boolean": true, "array": []any{}, "object": map[string]any{}}[s.Type]
	}
	switch name {
	case "content", "solution":
		return lesson
	case "did", "audience":
		return someKey
	}
	return "…"
}
