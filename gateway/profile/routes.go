package profile

import (
	"strconv"
	"strings"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/endpoint"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/identity/ucan"
)

// Routes are the endpoints of this room.
func Routes(s *Service) []endpoint.Route {
	patch := endpoint.Route{Method: "PATCH", Path: "/api/mesh/profile", Summary: "Edit the caller's page", Needs: auth.Own(ucan.ProfileEdit),
		Bucket: limit.Write, Body: ProfileForm.Form, Reply: (*ProfileReply)(nil), Codes: []reason.Code{reason.NoFields, reason.SecretDetected, reason.VersionConflict},
		Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
			version, err := r.Version()
			if err != nil {
				return endpoint.Answer{}, err
			}
			return endpoint.Value(s.EditProfile(r.Context(), r.Caller, ProfileForm.Read(r.Values), version))
		}}
	put := patch
	put.Method = "PUT"
	return []endpoint.Route{patch, put,
		{Method: "GET", Path: "/api/mesh/profile", Summary: "The caller's page", Needs: auth.Own(ucan.AccountRead), Bucket: limit.Read,
			Reply: (*ProfileReply)(nil), Cache: endpoint.Private, Handle: func(r *endpoint.Request) (endpoint.Answer, error) { return serveOwn(s, r) }},
	}
}

// serveOwn answers with a tag that begins with the page's version, so that the
// tag can come back in If-Match.
func serveOwn(s *Service, r *endpoint.Request) (endpoint.Answer, error) {
	reply, err := s.Profile(r.Context(), r.Caller)
	if err != nil {
		return endpoint.Answer{}, err
	}
	raw, err := endpoint.JSON(reply)
	if err != nil {
		return endpoint.Answer{}, err
	}
	tag := `"` + strconv.Itoa(reply.Version) + "-" + strings.Trim(endpoint.ETag(raw, false), `"`) + `"`
	return endpoint.Answer{Raw: raw, Kind: "application/json"}.With("ETag", tag), nil
}
