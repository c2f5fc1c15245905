package rest

import (
	"archive/zip"
	"bytes"
	"fmt"
	"mime"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/limit"
	"github.com/meshd/meshd/gateway/scene"
	"github.com/meshd/meshd/lang/target/artefact"
)

// compileRoutes turn sources into artefacts and pictures, for everybody.
func compileRoutes() []route {
	source := []reason.Code{reason.MissingField, reason.BodyTooLarge, reason.SourceInvalid, reason.ArtifactTooLarge, reason.Overloaded}
	return []route{
		{method: "GET", path: "/api/targets", summary: "What sources can be compiled to", bucket: limit.Read, reply: (*scene.TargetsReply)(nil), cache: unchanged,
			handle: func(h *Handler, r *request) (answer, error) { return answer{value: h.service.Scenes.Targets()}, nil }},
		{method: "POST", path: "/api/compile", bucket: limit.Compile, body: scene.CompileForm, reply: (*scene.CompileReply)(nil),
			summary: "Compile a source; with Accept: text/plain or ?download=1 the files themselves",
			size:    maxSource, timeout: timeCompile, handle: compile,
			codes: append([]reason.Code{reason.UnknownTarget, reason.OptionsInvalid, reason.UnsupportedConstruct, reason.CompileTimeout}, source...)},
		{method: "POST", path: "/api/render", bucket: limit.Render, body: scene.RenderForm, reply: (*scene.RenderReply)(nil),
			summary: "Draw a source; with Accept: image/* the picture itself", size: maxSource, timeout: timeRender, handle: render,
			codes: append([]reason.Code{reason.UnsupportedFormat, reason.SceneInvalid, reason.RenderTimeout}, source...)},
		{method: "GET", path: "/r/{name}", summary: "A picture that was drawn within the last day", bucket: limit.Read, cache: unchanged,
			codes: []reason.Code{reason.NotFound},
			handle: func(h *Handler, r *request) (answer, error) {
				p, err := h.service.Scenes.RenderedPicture(r.PathValue("name"))
				if err != nil {
					return answer{}, err
				}
				return pictureAnswer(p), nil
			}},
	}
}

// pictureAnswer sends a picture so that an SVG cannot run or load anything.
func pictureAnswer(p scene.Picture) answer {
	return answer{raw: p.Data, kind: p.MediaType}.with("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; sandbox")
}

func compile(h *Handler, r *request) (answer, error) {
	tag := `"` + scene.CompileTag(r.values) + `"`
	raw := r.URL.Query().Get("download") == "1" || accepts(r.Header.Values("Accept"), "text/plain")
	if !raw && matches(r.Header.Get("If-None-Match"), tag) {
		return answer{status: http.StatusNotModified}.with("ETag", tag), nil
	}
	reply, err := h.service.Scenes.Compile(r.Context(), r.values)
	if err != nil {
		return answer{}, err
	}
	if !raw {
		return answer{value: reply}.with("ETag", tag).with("Vary", "Accept"), nil
	}
	files := reply.Raw()
	if len(files) == 1 {
		f := &files[0]
		return answer{raw: f.Data, kind: f.MediaType}.with("Content-Disposition", attachment(f.Path)).with("Vary", "Accept"), nil
	}
	packed, err := pack(files)
	if err != nil {
		return answer{}, err
	}
	return answer{raw: packed, kind: "application/zip"}.with("Content-Disposition", attachment(reply.Target+".zip")).with("Vary", "Accept"), nil
}

func attachment(name string) string {
	return mime.FormatMediaType("attachment", map[string]string{"filename": name})
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

func render(h *Handler, r *request) (answer, error) {
	reply, err := h.service.Scenes.Render(r.Context(), r.values)
	if err != nil {
		return answer{}, err
	}
	if accepts(r.Header.Values("Accept"), "image") {
		return pictureAnswer(reply.Picture()).with("Vary", "Accept"), nil
	}
	return answer{value: reply}.with("Vary", "Accept"), nil
}

// accepts says whether the first type of an Accept is the wanted one, or of the
// wanted kind.
func accepts(accept []string, want string) bool {
	parts := slices.Collect(strings.SplitSeq(strings.Join(accept, ","), ","))
	kind, _, err := mime.ParseMediaType(parts[0])
	return err == nil && (kind == want || strings.HasPrefix(kind, want+"/"))
}
