package scene

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"maps"
	"math"
	"slices"
	"unicode/utf8"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/lang/ast"
	"github.com/meshd/meshd/lang/description"
	"github.com/meshd/meshd/lang/diag"
	"github.com/meshd/meshd/lang/estimate"
	"github.com/meshd/meshd/lang/picture"
	"github.com/meshd/meshd/lang/raster"
	"github.com/meshd/meshd/lang/scene"
	"github.com/meshd/meshd/lang/target"
)

// RenderRequest describes a picture.
type RenderRequest struct {
	call.Request
	Code string `field:"code"`
	FileFields
	Scene        json.RawMessage `field:"scene"`
	SourceFormat string          `field:"source_format"`
	Format       string          `field:"format"`
	Resolution   json.RawMessage `field:"resolution"`
	Camera       json.RawMessage `field:"camera"`
	Duration     int             `field:"duration"`
	Quality      string          `field:"quality"`
}

// RenderForm reads a RenderRequest.
var RenderForm = call.Define[RenderRequest](call.Form{
	{Name: "code", Aliases: []string{"source"}, Max: MaxCode, Judged: true, Help: "The source text; this, files or scene is required."},
	filesField, entryField,
	{Name: "scene", Kind: call.Object, Help: "A description of the scene, in the place of code."},
	{Name: "source_format", Enum: []string{"auto", "holo", "hs", "hsplus"}, Default: "auto", Help: "Format of the source."},
	{Name: "format", Max: maxChoice, Default: "png", Judged: true, Help: "png, webp, svg (a plan seen from above) or gif (a turn around the scene)."},
	{Name: "resolution", Kind: call.Numbers, Items: sides, Min: raster.MinSide, Max: raster.MaxSide, Help: fmt.Sprintf("[width, height], together at most %d pixels; [800, 600] without it.", raster.MaxPixels)},
	{Name: "camera", Kind: call.Object, Help: "{position: [x, y, z], target: [x, y, z], fov}; without it everything is in view."},
	{Name: "duration", Kind: call.Int, Min: minTurn, Max: maxTurn, Default: 3000, Help: "Milliseconds of a gif."},
	{Name: "quality", Enum: []string{"draft", "preview", "production"}, Default: "preview", Help: "How much work goes into the picture."},
})

// RenderReply is a picture.
type RenderReply struct {
	Success    bool           `json:"success"`
	Format     string         `json:"format"`
	Width      int            `json:"width"`
	Height     int            `json:"height"`
	Bytes      int            `json:"bytes"`
	SHA256     string         `json:"sha256"`
	Image      string         `json:"image" doc:"the picture in base64"`
	URL        string         `json:"url" doc:"where the picture can be had for a day"`
	PreviewURL string         `json:"previewUrl"`
	EmbedCode  string         `json:"embedCode"`
	Warnings   []RenderNotice `json:"warnings"`

	picture Made
}

// RenderNotice is something the picture lacks.
type RenderNotice struct {
	Code    string `json:"code"`
	Message string `json:"message"`
}

// Picture is the picture as it is.
func (r *RenderReply) Picture() Made { return r.picture }

var pictureTypes = map[string]string{"png": "image/png", "webp": "image/webp", "svg": "image/svg+xml", "gif": "image/gif"}

// Render draws one source in software. Nothing that it names is fetched.
func (s *Service) Render(ctx context.Context, r RenderRequest) (*RenderReply, error) {
	kind := r.Format
	if pictureTypes[kind] == "" {
		return nil, reason.Refuse(reason.UnsupportedFormat, "pictures of that format are not made here").With(map[string]any{"formats": []string{"png", "webp", "svg", "gif"}})
	}
	o, err := pictureOptions(r)
	if err != nil {
		return nil, err
	}
	load, err := drawn(r)
	if err != nil {
		return nil, err
	}
	var src target.Source
	reply := &RenderReply{Success: true, Format: kind, Width: o.Width, Height: o.Height, Warnings: []RenderNotice{}}
	var data []byte
	var warnings []raster.Warning
	err = s.work.Do(ctx, renderTime, reason.RenderTimeout, func(step func() error) (err error) {
		if src, err = load(); err != nil {
			return err
		}
		sc, found, err := target.Scene(src, serverLimits, step)
		if err != nil {
			return err
		}
		for _, d := range found {
			if d.Severity == diag.Warning {
				reply.Warnings = append(reply.Warnings, RenderNotice{string(d.Code), d.String()})
			}
		}
		o.Step = step
		switch kind {
		case "svg":
			data, warnings, err = picture.Plan(sc, o.Width, o.Height)
		case "webp":
			data, warnings, err = picture.WebP(sc, o)
		case "gif":
			data, warnings, err = picture.Turntable(sc, o, r.Duration)
		default:
			data, warnings, err = picture.PNG(sc, o)
		}
		return err
	})
	if err != nil {
		return nil, renderRefusal(src, err)
	}
	for _, w := range warnings {
		reply.Warnings = append(reply.Warnings, RenderNotice{w.Code, w.Text})
	}
	sum := sha256.Sum256(data)
	reply.SHA256, reply.Bytes, reply.Image = hex.EncodeToString(sum[:]), len(data), base64.StdEncoding.EncodeToString(data)
	s.work.Keep(ctx, 5*len(data))
	name := reply.SHA256 + "." + kind
	reply.picture = Made{Data: data, MediaType: pictureTypes[kind]}
	s.pictures.keep(name, reply.picture, s.now())
	reply.URL = s.baseURL() + "/r/" + name
	reply.PreviewURL = reply.URL
	reply.EmbedCode = fmt.Sprintf(`<img src="%s" width="%d" height="%d" alt="%s">`, html.EscapeString(reply.URL), o.Width, o.Height, "Picture of a scene")
	return reply, nil
}

// drawn is the source to draw, or the files of one, read by a bench; in the place of
// them a description of a scene is written out as a source.
func drawn(r RenderRequest) (load func() (target.Source, error), err error) {
	if r.Scene == nil {
		given, err := given(SourceFields{Code: r.Code, Format: r.SourceFormat}, r.FileFields)
		if err != nil {
			return nil, err
		}
		return func() (target.Source, error) { return given.load(), nil }, nil
	}
	if r.Code != "" || len(r.Files) > 0 {
		return nil, call.Invalid(call.Fault("scene", "stands in the place of code and files; give one of them"))
	}
	return func() (none target.Source, err error) {
		text, err := Described(r.Scene, scene.ServerNodes)
		if err != nil {
			return none, err
		}
		if n := utf8.RuneCountInString(text); n > MaxCode {
			return none, reason.Refuse(reason.BodyTooLarge, "the scene is too large").With(map[string]any{"field": "scene", "max": MaxCode, "actual": n})
		}
		return target.Load(nil, "main.holo", []byte(text), ast.Holo), nil
	}, nil
}

// RenderedPicture is a picture that was drawn within the last day.
func (s *Service) RenderedPicture(name string) (Made, error) {
	p, ok := s.pictures.find(name, s.now())
	if !ok {
		return Made{}, reason.Refuse(reason.NotFound, "no such picture, or it is older than a day")
	}
	return p, nil
}

// pictureOptions reads size, camera and quality.
func pictureOptions(r RenderRequest) (picture.Options, error) {
	o := picture.Options{Width: 800, Height: 600, Quality: picture.Quality(r.Quality)}
	if len(r.Resolution) > 0 && string(r.Resolution) != "null" {
		var size [2]int
		if err := json.Unmarshal(r.Resolution, &size); err != nil {
			return o, call.Invalid(call.Fault("resolution", "is [width, height]"))
		}
		o.Width, o.Height = size[0], size[1]
		if o.Width < raster.MinSide || o.Width > raster.MaxSide || o.Height < raster.MinSide || o.Height > raster.MaxSide || o.Width*o.Height > raster.MaxPixels {
			return o, call.Invalid(call.Fault("resolution", "is %d to %d pixels a side and %d together", raster.MinSide, raster.MaxSide, raster.MaxPixels))
		}
	}
	if len(r.Camera) > 0 && string(r.Camera) != "null" {
		var c struct {
			Position *scene.Vec `json:"position"`
			Target   *scene.Vec `json:"target"`
			FOV      float64    `json:"fov"`
		}
		if err := json.Unmarshal(r.Camera, &c); err != nil || c.FOV != 0 && (c.FOV < minFOV || c.FOV > maxFOV) {
			return o, call.Invalid(call.Fault("camera", "is {position: [x, y, z], target: [x, y, z], fov: %d to %d}", minFOV, maxFOV))
		}
		if err := cameraKeys(r.Camera); err != nil {
			return o, err
		}
		o.From.FOV = c.FOV
		if c.Position != nil {
			o.From.Given, o.From.Position = true, *c.Position
			if c.Target != nil {
				o.From.Target = *c.Target
			}
			for i := range 3 {
				if math.Abs(o.From.Position[i]) > scene.MaxCoord || math.Abs(o.From.Target[i]) > scene.MaxCoord {
					return o, call.Invalid(call.Fault("camera", "is too far away"))
				}
			}
		}
	}
	return o, nil
}

// cameraKeys refuses what a camera does not have.
func cameraKeys(raw []byte) error {
	var given map[string]json.RawMessage
	if err := json.Unmarshal(raw, &given); err != nil {
		return call.Invalid(call.Fault("camera", "is no object"))
	}
	known := []string{"position", "target", "fov"}
	var bad []call.Problem
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if !slices.Contains(known, name) {
			bad = append(bad, call.Unknown("camera", name, known))
		}
	}
	return call.Invalid(bad...)
}

// renderRefusal says why a picture was not drawn.
func renderRefusal(src target.Source, err error) error {
	var over *estimate.Excess
	if errors.As(err, &over) {
		err = target.Exceeded(src, over)
	}
	var refused *raster.Error
	if errors.As(err, &refused) {
		code := reason.ArtifactTooLarge
		switch refused.Code {
		case raster.BadSize, raster.BadOption, raster.BadCamera:
			code = reason.ValidationFailed
		case raster.BadLight, raster.BadMesh, raster.BadMaterial, raster.BadTexture, raster.BadSky:
			code = reason.SourceInvalid
		}
		return reason.Refuse(code, "%s", refused.Error()).With(map[string]any{"picture": string(refused.Code)})
	}
	return compileRefusal(err)
}

// Described is the source that a description of at most so many nodes becomes.
func Described(raw []byte, maxNodes int) (string, error) {
	d, err := description.Read(raw, maxNodes)
	var bad *description.Error
	if errors.As(err, &bad) {
		return "", reason.Refuse(reason.SceneInvalid, "%s", bad.Error()).With(map[string]any{"path": bad.Path})
	}
	if err != nil {
		return "", err
	}
	return d.Holo(), nil
}
