// Package meet has the verbs that bring nodes together: invitations, joining by one,
// and the owner's own second device.
package meet

import (
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/meshd/meshd/cmd/meshd/session"
)

// Commands are the verbs of this package.
func Commands(s *session.Session) []*cobra.Command {
	return []*cobra.Command{cmdInvite(s), cmdJoin(s), cmdDevice(s)}
}

// span reads how long something lasts: 90m, 36h or 7d.
func span(name, text string) (time.Duration, error) {
	if days, ok := strings.CutSuffix(text, "d"); ok {
		if n, err := strconv.Atoi(days); err == nil && n > 0 && n < 1<<16 {
			return time.Duration(n) * 24 * time.Hour, nil
		}
	} else if d, err := time.ParseDuration(text); err == nil && d >= time.Second {
		return d, nil
	}
	return 0, session.Usage("--%s wants a span of a second or more such as 90m, 36h or 7d, not %q", name, text)
}
