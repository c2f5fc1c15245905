package rest

import (
	"net/http"
	"strings"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/state"
	"github.com/meshd/meshd/gateway/visit"
)

// sceneQuery is how a scene can be asked for.
var sceneQuery = call.Form{{Name: "source", Enum: []string{"0", "1"}, Default: "0", Help: "1: the source text alone."}}

// sceneRoutes keep agents' scenes.
func sceneRoutes() []route {
	const path = "/api/mesh/agent/{id}/scene"
	return []route{
		{method: "GET", path: path, summary: "The scene of an agent's room; with Accept: text/html the room itself", bucket: limit.Read, query: sceneQuery, reply: (*visit.SceneReply)(nil),
			codes: []reason.Code{reason.AgentNotFound, reason.SceneNotFound, reason.NotReady, reason.SourceInvalid, reason.ArtifactTooLarge,
				reason.CompileTimeout, reason.Overloaded}, cache: private, timeout: timeCompile, handle: ownScene},
		{method: "PUT", path: path, summary: "Write the scene of the caller's room", keyed: true, tokens: true, scope: state.ScopeWrite, bucket: limit.Write,
			body: visit.SceneForm, reply: (*visit.SceneReply)(nil), size: maxSceneBody, timeout: timeCompile,
			codes: []reason.Code{reason.AgentNotFound, reason.NotOwner, reason.MissingField, reason.VersionConflict, reason.SourceInvalid,
				reason.SceneInvalid, reason.BodyTooLarge, reason.ArtifactTooLarge, reason.CompileTimeout,
				reason.Overloaded, reason.SecretDetected, reason.CredentialEcho, reason.NotReady},
			handle: putScene},
		{method: "DELETE", path: path, summary: "Empty the caller's room", keyed: true, tokens: true, scope: state.ScopeWrite, bucket: limit.Write,
			status: http.StatusNoContent, codes: []reason.Code{reason.AgentNotFound, reason.NotOwner, reason.SceneNotFound, reason.VersionConflict, reason.NotReady},
			handle: func(h *Handler, r *request) (answer, error) {
				version, err := ifMatch(r.Header.Get("If-Match"))
				if err != nil {
					return answer{}, err
				}
				return answer{status: http.StatusNoContent}, h.service.Visits.DeleteScene(r.Context(), r.caller, r.PathValue("id"), version)
			}},
	}
}

// roomPolicy keeps the page of a room in an origin of its own. What it may load
// the page says itself: nothing.
const roomPolicy = "sandbox allow-scripts allow-pointer-lock"

func ownScene(h *Handler, r *request) (answer, error) {
	if r.values.Text("source") != "1" && accepts(r.Header.Values("Accept"), "text/html") {
		page, reply, err := h.service.Visits.SceneRoom(r.Context(), r.caller, r.PathValue("id"))
		if err != nil {
			return answer{}, err
		}
		return answer{raw: page.HTML, kind: "text/html; charset=utf-8"}.with("ETag", `"`+page.SHA256+"-"+reply.Room.Access+`"`).
			with("Vary", "Accept").with("Content-Security-Policy", roomPolicy), nil
	}
	reply, err := h.service.Visits.Scene(r.Context(), r.caller, r.PathValue("id"))
	if err != nil {
		return answer{}, err
	}
	tag := sceneTag(reply)
	if r.values.Text("source") == "1" {
		return answer{raw: []byte(reply.Scene.Source), kind: "text/plain; charset=utf-8"}.
			with("ETag", strings.TrimSuffix(tag, `"`)+`-text"`).with("Content-Security-Policy", "default-src 'none'; sandbox"), nil
	}
	return answer{value: reply}.with("ETag", tag).with("Vary", "Accept"), nil
}

func putScene(h *Handler, r *request) (answer, error) {
	version, err := ifMatch(r.Header.Get("If-Match"))
	if err != nil {
		return answer{}, err
	}
	reply, err := h.service.Visits.PutScene(r.Context(), r.caller, r.PathValue("id"), r.values, version)
	if err != nil {
		return answer{}, err
	}
	a := answer{value: reply}
	if reply.First {
		a = created(reply, "/api/mesh/agent/"+reply.AgentID+"/scene")
	}
	return a.with("ETag", sceneTag(reply)), nil
}

// sceneTag begins with the version, so that it can come back in If-Match. What a
// reader sees depends on the room's access too, and on whether it compiled.
func sceneTag(r *visit.SceneReply) string {
	tag := r.ETag + "-" + r.Room.Access
	if r.Compiled == nil {
		tag += "-source"
	}
	return `"` + tag + `"`
}
