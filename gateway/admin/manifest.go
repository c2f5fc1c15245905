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

func (h *handlers) setManifest(w http.ResponseWriter, r *http.Request) {
	answerWith(h, w, func() (out ManifestReply, err error) {
		var in manifest.Order
		if err := readUpTo(w, r, maxManifest, &in); err != nil {
			return out, err
		}
		out.State, out.Changed, err = h.Manifests.Set(r.Context(), in)
		return out, err
	})
}

func (h *handlers) draftManifest(w http.ResponseWriter, r *http.Request) {
	answerWith(h, w, func() (manifest.Draft, error) {
		var in manifest.Order
		if err := readUpTo(w, r, maxManifest, &in); err != nil {
			return manifest.Draft{}, err
		}
		return h.Manifests.Propose(r.Context(), in)
	})
}

func (h *handlers) signManifest(w http.ResponseWriter, r *http.Request) {
	answerWith(h, w, func() (out SignedManifest, err error) {
		var in manifest.Draft
		if err := readUpTo(w, r, maxManifest, &in); err != nil {
			return out, err
		}
		line, err := h.Manifests.Sign(r.Context(), in)
		return SignedManifest{string(line)}, err
	})
}

func (h *handlers) ownKey(w http.ResponseWriter, r *http.Request) {
	answerWith(h, w, func() (OwnKeyReply, error) {
		k, err := h.Manifests.OwnKey(r.Context())
		return OwnKeyReply{k.String()}, err
	})
}
