package vrr

import (
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"github.com/meshd/meshd/lang/target/artefact"
)

// secret matches names of parameters that stand for a right to ask.
var secret = regexp.MustCompile(`(?i)(^|[_.-])(key|apikey|token|secret|pass|passwd|password|pwd|auth|authorization|sig|signature|credential|credentials|session)($|[_.-])|(?i)(access|api|auth)_?(key|token)`)

// named says whether a text is meant as an address, and not as the name of a
// source or the topic of a broker.
func named(text string) bool { return strings.Contains(text, "://") }

// endpoint is the address of a source as the page asks it, and as its policy
// lists it. An address names one resource, and no secret: what stands in a page is
// read by everybody.
func endpoint(target, node, text string) (address, allowed string, err error) {
	unfit := func(why string, args ...any) error {
		return artefact.Unfit(target, fmt.Sprintf("that the endpoint of %s %s", node, fmt.Sprintf(why, args...)))
	}
	u, bad := url.Parse(text)
	if bad != nil || u.Host == "" || u.Opaque != "" || strings.ContainsAny(text, " \t\r\n\"'<>\\`{}|^") {
		return "", "", unfit("is an address, which %q is not", clip(text))
	}
	switch u.Scheme {
	case "http", "https", "ws", "wss":
	default:
		return "", "", unfit("begins with http, https, ws or wss, not with %s", clip(u.Scheme))
	}
	if u.User != nil {
		return "", "", unfit("holds no name or password; whoever opens the page reads it")
	}
	query, bad := url.ParseQuery(u.RawQuery)
	if bad != nil {
		return "", "", unfit("has a query that can be read")
	}
	for name := range query {
		if secret.MatchString(name) {
			return "", "", unfit("holds no secret; whoever opens the page reads the %q in it", clip(name))
		}
	}
	if u.Hostname() == "" || strings.ContainsAny(u.Host, "*,;") {
		return "", "", unfit("has the name of one host")
	}
	path := u.EscapedPath()
	if path == "" || strings.HasSuffix(path, "/") {
		return "", "", unfit("names one resource: a path that is empty or ends in / would let the page ask for everything below it")
	}
	u.Fragment, u.RawFragment = "", ""
	// The policy is split at spaces, commas and semicolons.
	allowed = u.Scheme + "://" + u.Host + strings.NewReplacer(",", "%2C", ";", "%3B", "'", "%27").Replace(path)
	return u.String(), allowed, nil
}

func clip(s string) string {
	if len(s) > 80 {
		return s[:80] + "…"
	}
	return s
}
