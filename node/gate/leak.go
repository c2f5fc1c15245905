package gate

import (
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/rs/zerolog"
	"github.com/zricethezav/gitleaks/v8/config"
	"github.com/zricethezav/gitleaks/v8/detect"
	"github.com/zricethezav/gitleaks/v8/logging"

	"github.com/meshd/meshd/crdt/reason"
)

// leaks runs the default rules of gitleaks. Nothing of that module is seen
// outside this file.
type leaks struct {
	// A detector must not be used by two goroutines at once; who takes one out
	// puts it back.
	pool chan *detect.Detector
}

// leakConfig parses the rules once: it takes a tenth of a second and goes
// through global state of the module's configuration reader.
var leakConfig = sync.OnceValues(func() (config.Config, error) {
	// The module logs what it finds, to standard error. No text may get there.
	logging.Logger = logging.Logger.Level(zerolog.Disabled)
	d, err := detect.NewDetectorDefaultConfig()
	if err != nil {
		return config.Config{}, err
	}
	return d.Config, nil
})

func newLeaks() (*leaks, error) {
	cfg, err := leakConfig()
	if err != nil {
		return nil, err
	}
	n := min(runtime.GOMAXPROCS(0), maxDetectors)
	l := &leaks{pool: make(chan *detect.Detector, n)}
	for range n {
		d := detect.NewDetector(cfg)
		// Else the words "gitleaks:allow" in a line would let its secrets pass.
		d.IgnoreGitleaksAllow = true
		l.pool <- d
	}
	return l, nil
}

// find returns the places of secrets in text. It waits while all detectors are
// in use.
func (l *leaks) find(text string) []hit {
	d := <-l.pool
	found := d.DetectString(text)
	l.pool <- d

	var hits []hit
	seen := make(map[[2]string]bool)
	for _, f := range found {
		key := [2]string{f.RuleID, f.Secret}
		if f.Secret == "" || seen[key] || !credible(f.RuleID, f.Match, f.Secret) {
			continue
		}
		seen[key] = true
		// The module's columns are of the match and count from the line feed before
		// it, so the place is found anew: every occurrence is one.
		for from := 0; ; {
			i := strings.Index(text[from:], f.Secret)
			if i < 0 {
				break
			}
			hits = append(hits, hit{reason.SecretDetected, f.RuleID, from + i, from + i + len(f.Secret)})
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
