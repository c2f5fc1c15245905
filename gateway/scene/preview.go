package scene

import (
	"crypto/sha256"
	_ "embed" // the bridge
	"encoding/hex"
	"sync"

	"github.com/meshd/meshd/lang/target/html"
)

//go:embed preview.js
var bridge string

// AppType is the media type of a page that a client of MCP shows beside the result of a
// tool (MCP Apps, io.modelcontextprotocol/ui).
const AppType = "text/html;profile=mcp-app"

// PreviewPrefix begins the address of the preview; the SHA-256 of the page follows.
const PreviewPrefix = "ui://scene/"

// Preview is the page that shows what compile_source and render_scene made, and its
// address. The same program gives the same bytes, and another page has another address.
var Preview = sync.OnceValues(func() (uri string, page Made) {
	page = Made{Data: html.Frame("Scene", bridge), MediaType: AppType}
	sum := sha256.Sum256(page.Data)
	return PreviewPrefix + hex.EncodeToString(sum[:]), page
})
