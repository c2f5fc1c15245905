package visit

import (
	"net/http"
	"strings"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/gateway/endpoint"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/identity/ucan"
)

// sceneRequest says in which form a scene is wanted.
type sceneRequest struct {
	call.Request
	Source string `field:"source"`
}

var sceneQuery = call.Define[sceneRequest](call.Form{{Name: "source", Enum: []string{"0", "1"}, Default: "0", Help: "1: the source text alone."}})

// Routes are the endpoints of this room.
func Routes(s *Service) []endpoint.Route {
	const path = "/api/mesh/agent/{id}/scene"
	return []endpoint.Route{
		{Method: "GET", Path: path, Summary: "The scene of an agent's room; with Accept: text/html the room itself", Bucket: limit.Read, Query: sceneQuery.Form,
			Reply: (*SceneReply)(nil), Codes: []reason.Code{reason.AgentNotFound, reason.SceneNotFound, reason.NotReady, reason.SourceInvalid,
				reason.ArtifactTooLarge, reason.CompileTimeout, reason.Overloaded}, Cache: endpoint.Private, Timeout: endpoint.CompileTime, Handle: func(r *endpoint.Request) (endpoint.Answer, error) { return serveScene(s, r) }},
		{Method: "PUT", Path: path, Summary: "Write the scene of the caller's room", Needs: auth.Own(ucan.DocEdit), Bucket: limit.Write,
			Body: SceneForm.Form, Reply: (*SceneReply)(nil), Size: endpoint.MaxSceneBody, Timeout: endpoint.CompileTime, Handle: func(r *endpoint.Request) (endpoint.Answer, error) { return servePut(s, r) },
			Codes: []reason.Code{reason.AgentNotFound, reason.NotOwner, reason.MissingField, reason.VersionConflict, reason.SourceInvalid,
				reason.SceneInvalid, reason.BodyTooLarge, reason.ArtifactTooLarge, reason.CompileTimeout,
				reason.Overloaded, reason.SecretDetected, reason.CredentialEcho, reason.NotReady}},
		{Method: "DELETE", Path: path, Summary: "Empty the caller's room", Needs: auth.Own(ucan.DocEdit), Bucket: limit.Write,
			Status: http.StatusNoContent, Codes: []reason.Code{reason.AgentNotFound, reason.NotOwner, reason.SceneNotFound, reason.VersionConflict, reason.NotReady},
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				version, err := r.Version()
				if err != nil {
					return endpoint.Answer{}, err
				}
				return endpoint.Done(s.DeleteScene(r.Context(), r.Caller, r.ID(), version))
			}},
	}
}

// roomPolicy keeps the page of a room in an origin of its own. What it may load
// the page says itself: nothing.
const roomPolicy = "sandbox allow-scripts allow-pointer-lock"

func serveScene(s *Service, r *endpoint.Request) (endpoint.Answer, error) {
	source := sceneQuery.Read(r.Values).Source == "1"
	if !source && r.Accepts("text/html") {
		page, reply, err := s.SceneRoom(r.Context(), r.Caller, r.ID())
		if err != nil {
			return endpoint.Answer{}, err
		}
		return endpoint.Answer{Raw: page.HTML, Kind: "text/html; charset=utf-8"}.With("ETag", `"`+page.SHA256+"-"+reply.Room.Access+`"`).
			With("Vary", "Accept").With("Content-Security-Policy", roomPolicy), nil
	}
	reply, err := s.Scene(r.Context(), r.Caller, r.ID())
	if err != nil {
		return endpoint.Answer{}, err
	}
	tag := sceneTag(reply)
	if source {
		return endpoint.Answer{Raw: []byte(reply.Scene.Source), Kind: "text/plain; charset=utf-8"}.
			With("ETag", strings.TrimSuffix(tag, `"`)+`-text"`).With("Content-Security-Policy", "default-src 'none'; sandbox"), nil
	}
	return endpoint.Answer{Value: reply}.With("ETag", tag).With("Vary", "Accept"), nil
}

func servePut(s *Service, r *endpoint.Request) (endpoint.Answer, error) {
	version, err := r.Version()
	if err != nil {
		return endpoint.Answer{}, err
	}
	reply, err := s.PutScene(r.Context(), r.Caller, r.ID(), SceneForm.Read(r.Values), version)
	if err != nil {
		return endpoint.Answer{}, err
	}
	a := endpoint.Answer{Value: reply}
	if reply.First {
		a = endpoint.Created(reply, "/api/mesh/agent/"+reply.AgentID+"/scene")
	}
	return a.With("ETag", sceneTag(reply)), nil
}

// sceneTag begins with the version, so that it can come back in If-Match. What a
// reader sees depends on the room's access too, and on whether it compiled.
func sceneTag(r *SceneReply) string {
	tag := r.ETag + "-" + r.Room.Access
	if r.Compiled == nil {
		tag += "-source"
	}
	return `"` + tag + `"`
}
