package rest_test

import (
	"archive/zip"
	"bytes"
	"encoding/base64"
	"image/png"
	"strings"
	"testing"
)

const lamp = `object "Lamp" @clickable { geometry: "cone" color: #fa3 }`

func TestCompile(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	post := func(body map[string]any, header map[string]string) reply {
		return w.do(apiCall{method: "POST", path: "/api/compile", body: encode(t, body), header: header})
	}
	r := w.want(post(map[string]any{"code": lamp, "target": "GLB"}, nil), 200, "")
	file := r.json["files"].([]any)[0].(map[string]any)
	raw, err := base64.StdEncoding.DecodeString(r.json["output"].(string))
	if err != nil || !bytes.HasPrefix(raw, []byte("glTF")) || file["encoding"] != "base64" || file["mime"] != "model/gltf-binary" || r.json["target"] != "glb" {
		t.Errorf("%v %.300s", err, r.raw)
	}
	if len(r.json["losses"].([]any)) == 0 || len(r.json["warnings"].([]any)) == 0 || len(r.json["node_ids"].(map[string]any)) != 1 {
		t.Errorf("%.900s", r.raw)
	}
	tag := r.Header.Get("ETag")
	if again := post(map[string]any{"code": lamp, "target": "GLB"}, map[string]string{"If-None-Match": tag}); again.StatusCode != 304 || tag == "" {
		t.Errorf("%d for %q", again.StatusCode, tag)
	}
	if other := post(map[string]any{"code": lamp + " ", "target": "GLB"}, map[string]string{"If-None-Match": tag}); other.StatusCode != 200 {
		t.Errorf("another source has the same tag: %d", other.StatusCode)
	}
	page := post(map[string]any{"code": lamp, "target": "html"}, map[string]string{"Accept": "text/plain"})
	if page.StatusCode != 200 || !strings.HasPrefix(string(page.raw), "<!DOCTYPE html>") || !strings.Contains(page.Header.Get("Content-Disposition"), "attachment") {
		t.Errorf("%d %v %.60s", page.StatusCode, page.Header, page.raw)
	}
	many := w.do(apiCall{method: "POST", path: "/api/compile?download=1", body: encode(t, map[string]any{"code": lamp, "target": "obj"})})
	z, err := zip.NewReader(bytes.NewReader(many.raw), int64(len(many.raw)))
	if err != nil || len(z.File) != 2 || z.File[0].Name != "scene.obj" || z.File[0].Method != zip.Store {
		t.Errorf("%v %v", err, many.Header)
	}

	unknown := w.want(post(map[string]any{"code": lamp, "target": "htlm"}, nil), 400, "unknown_target")
	if d := unknown.json["details"].(map[string]any); d["nearest"] != "html" || len(d["targets"].([]any)) < 10 {
		t.Errorf("%s", unknown.raw)
	}
	if d := w.want(post(map[string]any{"code": lamp, "target": "docker"}, nil), 400, "unknown_target").json["details"].(map[string]any); d["planned"] != true {
		t.Errorf("%v", d)
	}
	bad := w.want(post(map[string]any{"code": "object \"a\" {\n  x: \n}", "target": "glb"}, nil), 422, "source_invalid")
	if d := bad.json["details"].(map[string]any)["diagnostics"].([]any)[0].(map[string]any); d["code"] != "SYN008" || d["line"] != 2.0 {
		t.Errorf("%s", bad.raw)
	}
	w.want(post(map[string]any{"code": `import { a } from "/etc/passwd" ` + lamp, "target": "glb"}, nil), 422, "source_invalid")
	w.want(post(map[string]any{"code": lamp, "target": "glb", "options": map[string]any{"embed": true}}, nil), 422, "options_invalid")
	w.want(post(map[string]any{"code": lamp, "target": "glb", "options": map[string]any{"strict": true}}, nil), 422, "unsupported_construct")
	w.want(post(map[string]any{"target": "glb"}, nil), 400, "missing_field")
	w.want(post(map[string]any{"code": strings.Repeat("é", 262_145), "target": "glb"}, nil), 413, "body_too_large")
	w.want(post(map[string]any{"code": strings.Repeat("a", 2<<20), "target": "glb"}, nil), 413, "body_too_large")
	long := "// " + strings.Repeat("é", 262_000) + "\n" + lamp
	w.want(post(map[string]any{"code": long, "target": "scene-json"}, nil), 200, "")
}

func TestRender(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	post := func(body map[string]any, header map[string]string) reply {
		return w.do(apiCall{method: "POST", path: "/api/render", body: encode(t, body), header: header})
	}
	r := w.want(post(map[string]any{"code": lamp, "resolution": []int{64, 48}}, nil), 200, "")
	raw, err := base64.StdEncoding.DecodeString(r.json["image"].(string))
	if err != nil {
		t.Fatal(err)
	}
	if img, err := png.Decode(bytes.NewReader(raw)); err != nil || img.Bounds().Dx() != 64 || img.Bounds().Dy() != 48 {
		t.Errorf("%v", err)
	}
	url := r.json["url"].(string)
	kept := w.get(strings.TrimPrefix(url, base))
	if kept.StatusCode != 200 || !bytes.Equal(kept.raw, raw) || kept.Header.Get("Content-Type") != "image/png" {
		t.Errorf("%s: %d %v", url, kept.StatusCode, kept.Header)
	}
	again := w.want(post(map[string]any{"code": lamp, "resolution": []int{64, 48}}, nil), 200, "")
	if again.json["sha256"] != r.json["sha256"] {
		t.Error("two pictures of one scene differ")
	}
	svg := post(map[string]any{"code": lamp, "format": "svg", "resolution": []int{64, 48}}, map[string]string{"Accept": "image/*"})
	if svg.StatusCode != 200 || svg.Header.Get("Content-Type") != "image/svg+xml" || !strings.Contains(svg.Header.Get("Content-Security-Policy"), "sandbox") {
		t.Errorf("%d %v", svg.StatusCode, svg.Header)
	}
	gif := post(map[string]any{"code": lamp, "format": "gif", "resolution": []int{32, 32}, "duration": 400}, map[string]string{"Accept": "image/gif"})
	if gif.StatusCode != 200 || !bytes.HasPrefix(gif.raw, []byte("GIF89a")) {
		t.Errorf("%d %.40s", gif.StatusCode, gif.raw)
	}
	webp := post(map[string]any{"code": lamp, "format": "webp", "resolution": []int{64, 48}}, map[string]string{"Accept": "image/webp"})
	if webp.StatusCode != 200 || webp.Header.Get("Content-Type") != "image/webp" || !bytes.HasPrefix(webp.raw, []byte("RIFF")) || !bytes.Equal(webp.raw[8:16], []byte("WEBPVP8L")) {
		t.Errorf("%d %.40q", webp.StatusCode, webp.raw)
	}
	described := map[string]any{"v": 1, "nodes": []any{map[string]any{"name": "Ball", "type": "mesh", "primitive": "sphere", "color": "#ff0000",
		"position": []int{0, 0, 0}, "rotation": []int{0, 0, 0}, "scale": 1, "parent_id": nil}}}
	same := w.want(post(map[string]any{"scene": described, "resolution": []int{64, 48}}, nil), 200, "")
	if raw, err := base64.StdEncoding.DecodeString(same.json["image"].(string)); err != nil || !reddish(raw) {
		t.Errorf("a described ball is not drawn: %v", err)
	}
	w.want(post(map[string]any{"scene": map[string]any{"v": 2}}, nil), 422, "scene_invalid")
	w.want(post(map[string]any{"scene": described, "code": lamp}, nil), 422, "validation_failed")
	w.want(post(map[string]any{"format": "png"}, nil), 400, "missing_field")
	w.want(post(map[string]any{"code": lamp, "format": "mp4"}, nil), 422, "unsupported_format")
	w.want(post(map[string]any{"code": lamp, "resolution": []int{4096, 4096}}, nil), 422, "validation_failed")
	w.want(post(map[string]any{"code": lamp, "resolution": []int{64}}, nil), 422, "validation_failed")
	w.want(post(map[string]any{"code": lamp, "camera": map[string]any{"fov": 500}}, nil), 422, "validation_failed")
	w.want(w.get("/r/"+strings.Repeat("0", 64)+".png"), 404, "not_found")
}

// An option that is misspelt would change nothing, unseen; it is refused with the one
// that it most likely means.
func TestUnknownOptionsAreRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, tc := range []struct {
		path, key     string
		value         any
		field, nearby string
	}{
		{"/api/render", "qualty", "draft", "qualty", `the nearest is "quality"`},
		{"/api/render", "options", map[string]any{"width": 64}, "options", ""},
		{"/api/render", "camera", map[string]any{"fvo": 60}, "camera.fvo", `the nearest is "fov"`},
		{"/api/render", "camera", map[string]any{"zoom": 2}, "camera.zoom", ""},
	} {
		r := w.want(w.do(apiCall{method: "POST", path: tc.path, body: encode(t, map[string]any{"code": lamp, tc.key: tc.value})}), 422, "validation_failed")
		fields := r.json["details"].(map[string]any)["fields"].([]any)
		got := fields[0].(map[string]any)
		text := got["message"].(string)
		if len(fields) != 1 || got["field"] != tc.field || got["code"] != "unknown_field" || !strings.HasSuffix(text, tc.nearby) || tc.nearby == "" && strings.Contains(text, "nearest") {
			t.Errorf("%s: %v", tc.key, fields)
		}
	}
	r := w.want(w.do(apiCall{method: "POST", path: "/api/compile", body: encode(t, map[string]any{"code": lamp, "target": "glb", "options": map[string]any{"qualty": "draft"}})}), 422, "options_invalid")
	if d := r.json["details"].(map[string]any); d["option"] != "qualty" || d["nearest"] != "quality" {
		t.Errorf("of a compile: %v", d)
	}
}

// reddish says whether the middle of a picture is red.
func reddish(raw []byte) bool {
	img, err := png.Decode(bytes.NewReader(raw))
	if err != nil {
		return false
	}
	b := img.Bounds()
	r, g, _, _ := img.At(b.Dx()/2, b.Dy()/2).RGBA()
	return r > 2*g
}

func TestTargets(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	r := w.want(w.get("/api/targets"), 200, "")
	list := r.json["targets"].([]any)
	if float64(len(list)) != r.json["count"] || len(list) < 10 {
		t.Errorf("%.200s", r.raw)
	}
	for _, e := range list {
		tg := e.(map[string]any)
		for _, key := range []string{"id", "name", "aliases", "category", "media_type", "files", "deployable", "status", "verified", "features", "options_schema"} {
			if _, there := tg[key]; !there {
				t.Errorf("%v has no %s", tg["id"], key)
			}
		}
	}
}
