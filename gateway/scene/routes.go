package scene

import (
	"archive/zip"
	"bytes"
	"fmt"
	"net/http"
	"time"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/auth"
	"github.com/meshd/meshd/gateway/endpoint"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/identity/ucan"
	"github.com/meshd/meshd/lang/target/artefact"
)

// Routes are the endpoints of this room.
func Routes(s *Service) []endpoint.Route {
	source := []reason.Code{reason.MissingField, reason.BodyTooLarge}
	made := endpoint.With(source, reason.SourceInvalid, reason.ArtifactTooLarge, reason.Overloaded)
	return []endpoint.Route{
		{Method: "POST", Path: "/api/compile", Bucket: limit.Compile, Body: CompileForm.Form, Reply: (*CompileReply)(nil),
			Summary: "Compile a source; with Accept: text/plain or ?download=1 the files themselves", Needs: auth.Everybody(auth.Gateway, ucan.SourceCompile),
			Size: endpoint.MaxSourceBody, Timeout: endpoint.CompileTime, Handle: func(r *endpoint.Request) (endpoint.Answer, error) { return serveCompile(s, r) },
			Codes: endpoint.With(made, reason.UnknownTarget, reason.OptionsInvalid, reason.UnsupportedConstruct, reason.CompileTimeout)},
		{Method: "POST", Path: "/api/render", Bucket: limit.Render, Body: RenderForm.Form, Reply: (*RenderReply)(nil),
			Summary: "Draw a source; with Accept: image/* the picture itself", Needs: auth.Everybody(auth.Gateway, ucan.SourceCompile), Size: endpoint.MaxSourceBody, Timeout: endpoint.RenderTime, Handle: func(r *endpoint.Request) (endpoint.Answer, error) { return serveRender(s, r) },
			Codes: endpoint.With(made, reason.UnsupportedFormat, reason.SceneInvalid, reason.RenderTimeout)},
		{Method: "GET", Path: "/api/targets", Summary: "What sources can be compiled to", Bucket: limit.Read, Reply: (*TargetsReply)(nil), Cache: endpoint.Unchanged,
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) { return endpoint.Answer{Value: s.Targets()}, nil }},
		{Method: "GET", Path: "/r/{name}", Summary: "A picture that was drawn within the last day", Bucket: limit.Read, Cache: endpoint.Unchanged,
			Codes: []reason.Code{reason.NotFound},
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				p, err := s.RenderedPicture(r.PathValue("name"))
				if err != nil {
					return endpoint.Answer{}, err
				}
				return pictureAnswer(p), nil
			}},
		{Method: "POST", Path: "/api/parse", Summary: "Read a source text", Needs: auth.Everybody(auth.Gateway, ucan.SourceCompile), Bucket: limit.Compile, Body: ParseForm.Form, Size: endpoint.MaxSourceBody,
			Reply: (*ParseReply)(nil), Codes: source,
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.Parse(r.Context(), ParseForm.Read(r.Values)))
			}},
		{Method: "POST", Path: "/api/validate", Summary: "Check a source text", Needs: auth.Everybody(auth.Gateway, ucan.SourceCompile), Bucket: limit.Compile, Body: ValidateForm.Form, Size: endpoint.MaxSourceBody,
			Reply: (*ValidateReply)(nil), Codes: source,
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.Validate(r.Context(), ValidateForm.Read(r.Values)))
			}},
		{Method: "GET", Path: "/api/traits", Summary: "The traits of the language", Bucket: limit.Read, Query: TraitsForm.Form,
			Reply: (*TraitsReply)(nil), Codes: []reason.Code{reason.InvalidParam, reason.UnknownCategory}, Cache: endpoint.Unchanged,
			Handle: func(r *endpoint.Request) (endpoint.Answer, error) {
				return endpoint.Value(s.Traits(TraitsForm.Read(r.Values)))
			}},
	}
}

// serveCompile answers with the reply, or with the files themselves.
func serveCompile(s *Service, r *endpoint.Request) (endpoint.Answer, error) {
	tag := `"` + CompileTag(CompileForm.Read(r.Values)) + `"`
	raw := r.URL.Query().Get("download") == "1" || r.Accepts("text/plain")
	if !raw && r.Matches(tag) {
		return endpoint.Answer{Status: http.StatusNotModified}.With("ETag", tag), nil
	}
	reply, err := s.Compile(r.Context(), CompileForm.Read(r.Values))
	if err != nil {
		return endpoint.Answer{}, err
	}
	if !raw {
		return endpoint.Answer{Value: reply}.With("ETag", tag).With("Vary", "Accept"), nil
	}
	files := reply.Raw()
	if len(files) == 1 {
		f := &files[0]
		return endpoint.Answer{Raw: f.Data, Kind: f.MediaType}.Download(f.Path).With("Vary", "Accept"), nil
	}
	packed, err := pack(files)
	if err != nil {
		return endpoint.Answer{}, err
	}
	return endpoint.Answer{Raw: packed, Kind: "application/zip"}.Download(reply.Target+".zip").With("Vary", "Accept"), nil
}

// pack puts files into an archive in their order, with the one time that
// archives begin at.
func pack(files []artefact.File) ([]byte, error) {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, f := range files {
		w, err := z.CreateHeader(&zip.FileHeader{Name: f.Path, Method: zip.Store, Modified: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)})
		if err != nil {
			return nil, fmt.Errorf("pack %s: %w", f.Path, err)
		}
		if _, err := w.Write(f.Data); err != nil {
			return nil, fmt.Errorf("pack %s: %w", f.Path, err)
		}
	}
	if err := z.Close(); err != nil {
		return nil, fmt.Errorf("pack: %w", err)
	}
	return b.Bytes(), nil
}

// serveRender answers with the reply, or with the picture itself.
func serveRender(s *Service, r *endpoint.Request) (endpoint.Answer, error) {
	// A misspelt option would give another picture than the one that was wanted.
	if err := r.Values.Strict(); err != nil {
		return endpoint.Answer{}, err
	}
	reply, err := s.Render(r.Context(), RenderForm.Read(r.Values))
	if err != nil {
		return endpoint.Answer{}, err
	}
	if r.Accepts("image") {
		return pictureAnswer(reply.Picture()).With("Vary", "Accept"), nil
	}
	return endpoint.Answer{Value: reply}.With("Vary", "Accept"), nil
}

// pictureAnswer sends a picture so that an SVG cannot run or load anything.
func pictureAnswer(p Made) endpoint.Answer {
	return endpoint.Answer{Raw: p.Data, Kind: p.MediaType}.With("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox")
}
