package apidoc

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/meshd/meshd/identity/role"
)

// roles writes which role may do what in a team: of members, and of bearers of role
// tokens and of capabilities that cover what the role does.
func (d *document) roles(b *bytes.Buffer) {
	names := role.Names()
	b.WriteString("\n## roles\n\nWhat a role may do in its team, with an API key of the member, or with a role token or a capability for the team. " +
		"Those of an agent act as that agent; others only read. A policy of the team may let viewers write messages.\n\n| operation | " + strings.Join(names, " | ") + " | ability |\n|---" +
		strings.Repeat("|---", len(names)) + "|---|\n")
	for _, path := range slices.Sorted(maps.Keys(d.Paths)) {
		for _, method := range []string{"get", "post", "put", "patch", "delete"} {
			op, ok := d.Paths[path][method]
			if !ok || op.Role == "" {
				continue
			}
			fmt.Fprintf(b, "| `%s %s` |", strings.ToUpper(method), path)
			for _, name := range names {
				cell := " "
				if role.Rank(name) >= role.Rank(op.Role) {
					cell = " yes "
				}
				b.WriteString(cell + "|")
			}
			fmt.Fprintf(b, " `%s` |\n", op.Ability)
		}
	}
}
