package mcp_test

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"testing"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// TestPreviewOfScenes: the tools that make something to look at name one page, in both
// ways that hosts know; it is listed, read with its policy, and named by its bytes. Tools
// answer clients that know nothing of it as before.
func TestPreviewOfScenes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	for _, version := range []string{modern, older} {
		s := w.dial(version, "")
		list, err := s.ListTools(t.Context(), nil)
		must(t, err)
		uri := ""
		for _, tool := range list.Tools {
			ui, _ := tool.Meta["ui"].(map[string]any)
			shows := tool.Name == "compile_source" || tool.Name == "render_scene"
			if (ui != nil) != shows {
				t.Errorf("%s has %v", tool.Name, tool.Meta)
			}
			if !shows {
				continue
			}
			named, _ := ui["resourceUri"].(string)
			if named == "" || tool.Meta["ui/resourceUri"] != named || uri != "" && uri != named {
				t.Errorf("%s has %v", tool.Name, tool.Meta)
			}
			uri = named
		}
		resources, err := s.ListResources(t.Context(), nil)
		must(t, err)
		listed := false
		for _, r := range resources.Resources {
			listed = listed || r.URI == uri && r.MIMEType == "text/html;profile=mcp-app" && strings.Contains(encode(t, r.Meta), `"connectDomains":[]`)
		}
		if !listed {
			t.Errorf("%s is not listed", uri)
		}
		r, err := s.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: uri})
		must(t, err)
		page := r.Contents[0]
		sum := sha256.Sum256([]byte(page.Text))
		if len(r.Contents) != 1 || uri != "ui://scene/"+hex.EncodeToString(sum[:]) || page.MIMEType != "text/html;profile=mcp-app" || !strings.Contains(encode(t, page.Meta), `"connectDomains":[]`) {
			t.Errorf("%s is %d bytes of %s, %v", uri, len(page.Text), page.MIMEType, page.Meta)
		}
		for _, part := range []string{"default-src 'none'; script-src 'sha256-", "connect-src 'none'", "ui/initialize"} {
			if !strings.Contains(page.Text, part) {
				t.Errorf("the page lacks %q", part)
			}
		}
		if _, err := s.ReadResource(t.Context(), &sdk.ReadResourceParams{URI: "ui://scene/" + strings.Repeat("0", 64)}); err == nil {
			t.Error("another page is there")
		}
	}
}
