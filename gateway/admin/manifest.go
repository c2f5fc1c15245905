package admin

import (
	"context"
	"net/http"

	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/node/manifest"
)

// Manifests is what the handlers need to read and sign the manifest of the network;
// *manifest.Manifests is one.
type Manifests interface {
	State(ctx context.Context) (manifest.State, error)
	OwnKey(ctx context.Context) (did.Key, error)
	Set(ctx context.Context, o manifest.Order) (manifest.State, bool, error)
	Propose(ctx context.Context, o manifest.Order) (manifest.Draft, error)
	Sign(ctx context.Context, d manifest.Draft) ([]byte, error)
}

var _ Manifests = (*manifest.Manifests)(nil)

// ManifestReply is the answer of POST /control/manifest.
type ManifestReply struct {
	manifest.State
	Changed bool `json:"changed"`
}

// OwnKeyReply is the answer of POST /control/manifest/key.
type OwnKeyReply struct {
	Key string `json:"key"`
}

// SignedManifest is the answer of POST /control/manifest/sign.
type SignedManifest struct {
	Line string `json:"line"` // as POST /control/import takes it
}

// answerWith replies with what ask finds, or refuses with its error.
func answerWith[T any](h *handlers, w http.ResponseWriter, ask func() (T, error)) {
	v, err := ask()
	if err != nil {
		h.fail(w, err)
		return
	}
	h.reply(w, v)
}

func (h *handlers) manifest(w http.ResponseWriter, r *http.Request) {
	answerWith(h, w, func() (manifest.State, error) { return h.Manifests.State(r.Context()) })
}

func (h *handlers) setManifest(r *http.Request, in manifest.Order) (out ManifestReply, err error) {
	out.State, out.Changed, err = h.Manifests.Set(r.Context(), in)
	return out, err
}

func (h *handlers) draftManifest(r *http.Request, in manifest.Order) (manifest.Draft, error) {
	return h.Manifests.Propose(r.Context(), in)
}

func (h *handlers) signManifest(r *http.Request, in manifest.Draft) (SignedManifest, error) {
	line, err := h.Manifests.Sign(r.Context(), in)
	return SignedManifest{string(line)}, err
}

func (h *handlers) ownKey(w http.ResponseWriter, r *http.Request) {
	answerWith(h, w, func() (OwnKeyReply, error) {
		k, err := h.Manifests.OwnKey(r.Context())
		return OwnKeyReply{k.String()}, err
	})
}
