package rest_test

import (
	"crypto/ed25519"
	"encoding/base64"
	"fmt"
	"maps"
	"strings"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/service/servicetest"
)

// What must never be read in a refusal.
const (
	leaked = "AKIAIOSFODNN7REALKEY"
	echoed = "hunter2hunter2"
)

// nested is deeper than a body may be.
func nested() any {
	v := any(1)
	for range 40 {
		v = []any{v}
	}
	return v
}

// written asks to contribute an entry that passes but for some fields.
func written(who string, pairs ...any) ask {
	body := contribution("by " + who)
	for i := 0; i < len(pairs); i += 2 {
		body[pairs[i].(string)] = pairs[i+1]
	}
	return ask{who: who, method: "POST", path: "/api/mesh/contribute", body: body, tool: "contribute_knowledge", args: body}
}

// opened asks for an agent.
func opened(body fields) ask {
	return ask{method: "POST", path: "/api/mesh/register", body: body, tool: "register_agent", args: body}
}

// refused is the case of a request that is refused by both faces as it stands.
func refused(code reason.Code, a ask) refusalCase {
	return refusalCase{code: code, provoke: func(w *refusalWorld) { w.both(code, a) }}
}

// refusedByHTTP is one that no tool can send.
func refusedByHTTP(code reason.Code, why string, a ask) refusalCase {
	return refusalCase{code: code, provoke: func(w *refusalWorld) { w.http(code, a) }, noTool: why}
}

const wholeMessage = "of the whole message, which no tool sees"

// refusalsOfCallers are about who asks, and with what.
var refusalsOfCallers = []refusalCase{
	refused(reason.AuthRequired, ask{method: "GET", path: "/api/mesh/me", tool: "get_me"}),
	refused(reason.InvalidToken, ask{key: "mesh_sk_" + strings.Repeat("A", 43), method: "GET", path: "/api/mesh/me", tool: "get_me"}),
	{code: reason.AmbiguousCredentials, noTool: wholeMessage, provoke: func(w *refusalWorld) {
		two := map[string]string{"X-API-Key": w.keys["cy"]}
		w.http(reason.AmbiguousCredentials, ask{who: "bo", header: two, method: "GET", path: "/api/mesh/feed"})
	}},
	{code: reason.CredentialInURL, noTool: wholeMessage, provoke: func(w *refusalWorld) {
		w.http(reason.CredentialInURL, ask{method: "GET", path: "/api/mesh/feed?key=" + w.keys["bo"]})
	}},
	{code: reason.ScopeMissing, provoke: func(w *refusalWorld) {
		a := written("bo")
		a.who, a.key = "", w.extraKey(w.keys["bo"], "mesh:read")
		w.both(reason.ScopeMissing, a)
	}},
	{code: reason.KeyRevoked, provoke: func(w *refusalWorld) {
		key := w.extraKey(w.keys["bo"], "mesh:read", "keys")
		if r := w.do(apiCall{method: "DELETE", path: "/api/mesh/key", key: key}); r.StatusCode != 200 {
			w.t.Fatalf("revoked: %s", r.raw)
		}
		w.both(reason.KeyRevoked, ask{key: key, method: "GET", path: "/api/mesh/me", tool: "get_me"})
	}},
	{code: reason.Suspended, provoke: func(w *refusalWorld) {
		w.want(w.do(apiCall{method: "POST", path: "/api/admin/agents/dee/suspend", owner: w.ids["eve"], body: `{"reason":"x"}`}), 200, "")
		w.both(reason.Suspended, written("dee"))
		w.want(w.do(apiCall{method: "POST", path: "/api/admin/agents/dee/restore", owner: w.ids["eve"], body: `{"reason":"x"}`}), 200, "")
	}},
	refusedByHTTP(reason.MethodNotAllowed, wholeMessage, ask{method: "PUT", path: "/api/mesh/contribute", body: fields{}}),
	refusedByHTTP(reason.UnsupportedMediaType, wholeMessage, ask{method: "POST", path: "/api/mesh/contribute/check", body: "type=gotcha", header: map[string]string{"Content-Type": "text/plain"}}),
	refused(reason.BodyTooLarge, ask{method: "POST", path: "/api/validate", body: fields{"code": strings.Repeat("x", 262_145)}, tool: "validate_source", args: fields{"code": strings.Repeat("x", 262_145)}}),
	refused(reason.InvalidJSON, written("bo", "metadata", nested())),
	refused(reason.InvalidParam, ask{method: "GET", path: "/api/mesh/feed?sort=relevance", tool: "get_feed", args: fields{"sort": "relevance"}}),
	refused(reason.InvalidCursor, ask{method: "GET", path: "/api/mesh/feed?cursor=x", tool: "get_feed", args: fields{"cursor": "x"}}),
	refused(reason.ValidationFailed, written("bo", "domain", strings.Repeat("a", 65))),
	refused(reason.NoFields, ask{who: "bo", method: "PATCH", path: "/api/mesh/profile", body: fields{}, tool: "update_profile"}),
	refused(reason.MissingField, ask{who: "bo", method: "PUT", path: "/api/mesh/agent/bo/scene", body: fields{}, tool: "set_scene"}),
	refusedByHTTP(reason.VersionConflict, "of If-Match, which no tool has", ask{who: "bo", method: "PATCH", path: "/api/mesh/profile", body: fields{"bio": "x"}, header: map[string]string{"If-Match": "99"}}),
	refusedByHTTP(reason.ViewBehind, "of ?min_seq=, which no tool has", ask{method: "GET", path: "/api/mesh/feed?min_seq=999999999"}),

	refused(reason.InvalidName, opened(fields{"name": "-", "generate_wallet": true})),
	refused(reason.NameTaken, opened(fields{"name": "ADA", "generate_wallet": true})),
	refused(reason.ProofRequired, opened(fields{"name": "fay", "nonce": "n"})),
	refused(reason.InvalidDID, opened(fields{"name": "fay", "did": "did:web:a", "nonce": "n", "signature": "s"})),
	refused(reason.InvalidWallet, opened(fields{"name": "fay", "wallet_address": "0x", "nonce": "n", "signature": "s"})),
	{code: reason.NonceInvalid, provoke: func(w *refusalWorld) {
		w.both(reason.NonceInvalid, opened(fields{"name": "fay", "wallet_address": walletOf(w.t, 9).Address().String(), "nonce": "n", "signature": "s"}))
	}},
	{code: reason.SignatureInvalid, provoke: func(w *refusalWorld) {
		wrong := func() ask { // each one burns its nonce
			body := w.proof("fay", servicetest.Key(90))
			body["signature"] = base64.RawURLEncoding.EncodeToString(make([]byte, ed25519.SignatureSize))
			return opened(body)
		}
		w.http(reason.SignatureInvalid, wrong())
		w.mcp(reason.SignatureInvalid, wrong())
	}},
	{code: reason.WalletTaken, provoke: func(w *refusalWorld) {
		first, second, third := w.proof("gus", servicetest.Key(91)), w.proof("hal", servicetest.Key(91)), w.proof("hal", servicetest.Key(91))
		w.want(w.post("/api/mesh/register", first), 201, "")
		w.http(reason.WalletTaken, opened(second))
		w.mcp(reason.WalletTaken, opened(third))
	}},
}

// refusalsOfEntries are those of the gate.
var refusalsOfEntries = []refusalCase{
	refused(reason.InvalidType, written("bo", "type", "rumour")),
	refused(reason.TooShort, written("bo", "content", "Too short.")),
	refused(reason.TooLong, written("bo", "content", strings.Repeat("word ", 900))),
	refused(reason.TooFewWords, written("bo", "content", strings.Repeat("abcdefghij", 5)+" two three.")),
	refused(reason.RawSessionDump, written("bo", "content", "User: how do I do this?\nAssistant: like this, of course.\nUser: thanks a lot for that.\nAssistant: you are welcome, any time.")),
	refused(reason.ShellLog, written("bo", "content", "$ cd /srv/app && git pull\n$ make build\n$ systemctl restart app\n$ tail -f /var/log/app.log\n$ curl -s localhost:8080/health")),
	refused(reason.SecretDetected, written("bo", "title", leaked)),
	refused(reason.CredentialEcho, written("bo", "content", lesson+" password="+echoed)),
	refused(reason.ReceiptMismatch, written("bo", "receipt_sha256", strings.Repeat("0", 64), "receipt", fields{"a": 1})),
	refused(reason.UnknownReference, written("bo", "reuses", []string{"ent_nothing"})),
	{code: reason.Duplicate, provoke: func(w *refusalWorld) {
		w.as("bo", "POST", "/api/mesh/contribute", contribution("twice"), 201, "")
		w.both(reason.Duplicate, written("bo", "content", contribution("twice")["content"]))
	}},
	{code: reason.NearDuplicate, provoke: func(w *refusalWorld) {
		long := lesson
		for i := range 60 {
			long += fmt.Sprintf(" Case %d took %d ms.", i, i*i)
		}
		w.as("bo", "POST", "/api/mesh/contribute", written("bo", "content", long+" It was Monday.").body, 201, "")
		w.both(reason.NearDuplicate, written("bo", "content", long+" It was Tuesday."))
	}},
	{code: reason.NotOwner, provoke: func(w *refusalWorld) {
		id := w.as("cy", "POST", "/api/mesh/contribute", contribution("by its owner"), 201, "")["id"].(string)
		w.both(reason.NotOwner, written("bo", "supersedes", id))
	}},
	{code: reason.Retracted, provoke: func(w *refusalWorld) {
		id := w.as("cy", "POST", "/api/mesh/contribute", contribution("for a moment"), 201, "")["id"].(string)
		w.as("cy", "DELETE", "/api/mesh/entry/"+id, nil, 200, "")
		w.both(reason.Retracted, ask{who: "bo", method: "GET", path: "/api/mesh/entry/" + id, tool: "get_entry", args: fields{"id": id}})
	}},
	{code: reason.Purged, provoke: func(w *refusalWorld) {
		id := w.as("cy", "POST", "/api/mesh/contribute", contribution("for the last time"), 201, "")["id"].(string)
		w.settle()
		w.want(w.do(apiCall{method: "POST", path: "/api/admin/quarantine/" + id + "/purge", owner: w.ids["eve"], body: `{"reason":"A name."}`}), 200, "")
		w.both(reason.Purged, ask{who: "bo", method: "GET", path: "/api/mesh/entry/" + id, tool: "get_entry", args: fields{"id": id}})
	}},
	refused(reason.EntryNotFound, ask{method: "GET", path: "/api/mesh/entry/ent_x", tool: "get_entry", args: fields{"id": "ent_x"}}),
	{code: reason.SelfVote, provoke: func(w *refusalWorld) {
		id := w.as("cy", "POST", "/api/mesh/contribute", contribution("and praised"), 201, "")["id"].(string)
		w.both(reason.SelfVote, ask{who: "cy", method: "POST", path: "/api/mesh/entry/" + id + "/vote", body: fields{}, tool: "vote", args: fields{"id": id}})
	}},
	{code: reason.TooDeep, provoke: func(w *refusalWorld) {
		id := w.as("cy", "POST", "/api/mesh/contribute", contribution("and discussed"), 201, "")["id"].(string)
		body := fields{"content": "So it is."}
		for range 4 {
			body["parent_id"] = w.as("bo", "POST", "/api/mesh/entry/"+id+"/comment", body, 201, "")["comment"].(fields)["id"]
		}
		args := maps.Clone(body)
		args["id"] = id
		w.both(reason.TooDeep, ask{who: "bo", method: "POST", path: "/api/mesh/entry/" + id + "/comment", body: body, tool: "comment", args: args})
	}},
}

// compiled asks for a compile.
func compiled(body fields) ask {
	return ask{method: "POST", path: "/api/compile", body: body, tool: "compile_source", args: body}
}

// drawn asks for a picture.
func drawn(body fields) ask {
	return ask{method: "POST", path: "/api/render", body: body, tool: "render_scene", args: body}
}

const box = `object "a" { geometry: "box" }`

// refusalsOfObjects are about agents, scenes and sources.
var refusalsOfObjects = []refusalCase{
	refused(reason.AgentNotFound, ask{method: "GET", path: "/api/mesh/agent/nobody", tool: "get_agent", args: fields{"id": "nobody"}}),
	refusedByHTTP(reason.NotFound, "what a tool names has a code of its own", ask{who: "bo", method: "POST", path: "/api/mesh/comment/cmt_x/vote", body: fields{}}),
	refused(reason.SceneNotFound, ask{method: "GET", path: "/api/mesh/agent/dee/scene", tool: "get_scene", args: fields{"agent_id": "dee"}}),
	refusedByHTTP(reason.HzOutOfRange, "no tool runs programs", ask{who: "bo", method: "POST", path: "/api/vm/runs", body: fields{"code": box, "hz": 5}}),
	refused(reason.SceneInvalid, ask{who: "bo", method: "PUT", path: "/api/mesh/agent/bo/scene", body: fields{"scene": fields{"v": 2}},
		tool: "set_scene", args: fields{"scene": fields{"v": 2}}}),
	{code: reason.GuestbookClosed, provoke: func(w *refusalWorld) {
		w.as("cy", "PATCH", "/api/mesh/agent/cy/guestbook", fields{"write_access": "closed"}, 200, "")
		w.both(reason.GuestbookClosed, ask{who: "bo", method: "POST", path: "/api/mesh/agent/cy/guestbook", body: fields{"message": "Hello."},
			tool: "post_guestbook", args: fields{"agent_id": "cy", "message": "Hello."}})
	}},
	refused(reason.SourceInvalid, compiled(fields{"code": "object {", "target": "glb"})),
	refused(reason.UnknownTarget, compiled(fields{"code": box, "target": "gbl"})),
	refused(reason.OptionsInvalid, compiled(fields{"code": box, "target": "glb", "options": fields{"x": 1}})),
	refused(reason.UnsupportedConstruct, compiled(fields{"code": `object "a" @clickable { geometry: "box" }`, "target": "glb", "options": fields{"strict": true}})),
	refused(reason.UnsupportedFormat, drawn(fields{"code": box, "format": "mp4"})),
	refused(reason.ArtifactTooLarge, drawn(fields{"code": `@for i in 0..700 { object "a" { geometry: "sphere" segments: 256 position: [i, 0, 0] } }`, "resolution": []int{16, 16}})),
	refused(reason.UnknownCategory, ask{method: "GET", path: "/api/traits?category=physix", tool: "list_traits", args: fields{"category": "physix"}}),
}
