package gate

import (
	"slices"
	"strings"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/node/gate/leaks"
)

// leaked returns the places of secrets in text that the rules find and that are
// credible: every occurrence of one is a place.
func leaked(rules *leaks.Rules, text string) []hit {
	var hits []hit
	seen := make(map[[2]string]bool)
	for _, f := range rules.Find(text) {
		key := [2]string{f.Rule, f.Secret}
		if f.Secret == "" || seen[key] || !credible(f.Rule, f.Match, f.Secret) {
			continue
		}
		seen[key] = true
		for from := 0; ; {
			i := strings.Index(text[from:], f.Secret)
			if i < 0 {
				break
			}
			hits = append(hits, hit{reason.SecretDetected, f.Rule, from + i, from + i + len(f.Secret)})
			from += i + len(f.Secret)
		}
	}
	return hits
}

// credible weeds out what the rules take for a secret because they were made
// for source trees, where a false alarm costs a look; here it refuses a lesson.
func credible(rule, match, secret string) bool {
	if placeholder(secret) || fake(secret) {
		return false
	}
	switch rule {
	case "jwt", "jwt-base64":
		return rule == "jwt-base64" || realJWT(secret)
	case "private-key":
		return false // secret.go has the stricter rule: a header without a body is no key
	case "sourcegraph-access-token":
		return strings.HasPrefix(strings.ToLower(secret), "sgp_") // else any commit id beside the name
	case "curl-auth-user":
		_, pass, ok := strings.Cut(strings.Trim(secret, `"'`), ":")
		return ok && !placeholder(pass)
	case "curl-auth-header":
		return randomLooking(secret) || mixed(secret)
	case "generic-api-key":
		name := strings.TrimRight(match[:max(0, strings.Index(match, secret))], "\"'` \t")
		if !strings.HasSuffix(name, "=") && !strings.HasSuffix(name, ":") && !strings.HasSuffix(name, "=>") {
			return false
		}
		return len(secret) >= runLength && randomLooking(secret) && !uuid.MatchString(secret) &&
			!slices.Contains([]nameClass{benignName, weakKey}, classify(lastName(name)))
	}
	return true
}

// lastName returns the name before the sign of an assignment.
func lastName(s string) string {
	s = strings.TrimRight(s, "=:> \t\"'`")
	i := strings.LastIndexFunc(s, func(r rune) bool { return r > 0x7f || !nameByte(byte(r)) })
	return s[i+1:]
}
