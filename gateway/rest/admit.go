package rest

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/call"
)

const (
	corsMethods = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"
	corsHeaders = "Authorization, ucans, ucan, X-UCAN-Proofs, Content-Type, Content-Digest, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, " +
		"MCP-Protocol-Version, Mcp-Method, Mcp-Name, Mcp-Session-Id, PAYMENT-SIGNATURE, Signature, Signature-Input, X-API-Key, " +
		"X-MCP-API-Key, X-MCP-Toolsets, X-CSRF-Token, X-PAYMENT, X-Request-Id, X-UCAN-Proofs"
	corsExposed = "ETag, ucan-cache-expiry, Link, Location, Retry-After, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, RateLimit-Policy, " +
		"X-Request-Id, X-Mesh-Lag, X-Mesh-Next, X-Mesh-Replicated, X-Deployment-Id, X-Deployment-Delivery, PAYMENT-REQUIRED, " +
		"PAYMENT-RESPONSE, X-PAYMENT-RESPONSE, Idempotent-Replayed"
	mcpPath = "/mcp"
)

// admit decides whether a request may come in at all, before anybody looks at
// it, and writes the headers for other origins.
//
// In the local role two things are kept out: a name that resolves to this
// machine by somebody else's DNS, known by its Host; and a web page of another
// origin, known by what browsers send. MCP takes pages of this machine and those
// the owner allows. In the public role every origin may call, without cookies.
func (h *Handler) admit(out http.Header, r *http.Request) error {
	origin := r.Header.Get("Origin")
	if h.cfg.Public {
		if r.URL.Path == mcpPath && len(h.cfg.AllowedOrigins) > 0 && origin != "" && !h.allowed(origin) {
			return reason.Refuse(reason.Forbidden, "this web origin may not call MCP here")
		}
		if !h.forGuests(r) { // what a cookie opens is for pages of this origin alone
			writeCORS(out, "*")
		}
		return nil
	}
	if !loopbackHost(r.Host) {
		return call.Hinted(reason.Forbidden, "this listener answers to loopback names only", "use http://localhost or http://127.0.0.1")
	}
	if origin == "" {
		return refuseEmbedded(r)
	}
	if sameOrigin(origin, r) || h.formOfConsole(origin, r) {
		return nil
	}
	if r.URL.Path == mcpPath && (h.allowed(origin) || loopbackOrigin(origin)) {
		writeCORS(out, origin)
		out.Add("Vary", "Origin")
		return nil
	}
	return call.Hinted(reason.Forbidden, "requests from web pages of another origin are refused", "call this node from a program, or from a page it serves")
}

// formOfConsole lets the forms of the owner's console in: its pages send no referrer,
// and such a page's forms have no origin. The browser says that they are of this site,
// and the console looks at it again.
func (h *Handler) formOfConsole(origin string, r *http.Request) bool {
	return origin == "null" && r.Header.Get("Sec-Fetch-Site") == "same-origin" && h.forConsole(r)
}

// refuseEmbedded refuses what a page of another site loads without an Origin
// header, such as an image or a script. Following a link is fine.
func refuseEmbedded(r *http.Request) error {
	site, mode := r.Header.Get("Sec-Fetch-Site"), r.Header.Get("Sec-Fetch-Mode")
	if (site == "cross-site" || site == "same-site") && mode != "navigate" {
		return call.Hinted(reason.Forbidden, "requests from web pages of another origin are refused", "")
	}
	return nil
}

func (h *Handler) allowed(origin string) bool { return slices.Contains(h.cfg.AllowedOrigins, origin) }

func writeCORS(out http.Header, origin string) {
	out.Set("Access-Control-Allow-Origin", origin)
	out.Set("Access-Control-Allow-Methods", corsMethods)
	out.Set("Access-Control-Allow-Headers", corsHeaders)
	out.Set("Access-Control-Expose-Headers", corsExposed)
	out.Set("Access-Control-Max-Age", strconv.Itoa(corsAge))
}

// loopbackHost reports whether a Host header names this machine: localhost,
// 127.0.0.0/8 or ::1, with or without a port.
func loopbackHost(host string) bool {
	name := host
	if h, port, err := net.SplitHostPort(host); err == nil {
		if _, err := strconv.ParseUint(port, 10, 16); err != nil {
			return false
		}
		name = h
	} else if strings.HasPrefix(host, "[") && strings.HasSuffix(host, "]") {
		name = host[1 : len(host)-1]
	}
	if strings.EqualFold(name, "localhost") {
		return true
	}
	addr, err := netip.ParseAddr(name)
	return err == nil && addr.Zone() == "" && addr.Unmap().IsLoopback()
}

func loopbackOrigin(origin string) bool {
	u, err := url.Parse(origin)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && loopbackHost(u.Host)
}

func sameOrigin(origin string, r *http.Request) bool {
	u, err := url.Parse(origin)
	return err == nil && u.Scheme == "http" && strings.EqualFold(u.Host, r.Host)
}
