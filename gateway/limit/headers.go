package limit

import (
	"fmt"
	"net/http"
	"strconv"

	"github.com/meshd/meshd/crdt/reason"
)

// Headers writes where the caller stands (api §0.7): RateLimit-Limit,
// -Remaining, -Reset and -Policy, and Retry-After on a refusal. Of a disabled
// limiter it writes nothing.
func Headers(h http.Header, d Decision) {
	if d.Window == 0 {
		return
	}
	h.Set("RateLimit-Limit", strconv.Itoa(d.Limit))
	h.Set("RateLimit-Remaining", strconv.Itoa(d.Remaining))
	h.Set("RateLimit-Reset", strconv.Itoa(d.ResetSeconds))
	h.Set("RateLimit-Policy", fmt.Sprintf("%q;q=%d;w=%d", d.Bucket, d.Limit, seconds(d.Window)))
	if !d.OK {
		h.Set("Retry-After", strconv.Itoa(d.RetryAfter))
	}
}

// Refusal returns the rate_limited refusal of d, with details bucket and
// retry_after, or nil when d is OK.
func (d Decision) Refusal() *reason.Refusal {
	if d.OK {
		return nil
	}
	return reason.Refuse(reason.RateLimited, "too many requests; try again in %d s", d.RetryAfter).
		With(map[string]any{"bucket": string(d.Bucket), "retry_after": d.RetryAfter})
}
