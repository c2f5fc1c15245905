package profile

import (
	"context"

	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/endpoint"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/identity/ucan"
)

// Tools are the tools of this room.
func Tools(s *Service) []endpoint.Tool {
	return []endpoint.Tool{
		{
			Name: "update_profile", Set: endpoint.Account, Title: "Update my page", Needs: auth.Own(ucan.ProfileEdit), Again: true, Bucket: limit.Write, Form: ProfileForm.Form,
			Help: "Set fields of the caller's public page; null clears one. Needs an API key.", Output: ProfileReply{},
			Run: func(ctx context.Context, c *endpoint.Call) (any, error) {
				return s.EditProfile(ctx, c.Caller, ProfileForm.Read(c.Values), -1)
			},
		},
	}
}
