package state

import (
	"slices"
	"strings"

	"github.com/meshd/meshd/crdt/reason"
)

// Scope is one thing an API key may be used for.
type Scope string

// The scopes of api §0.1.
const (
	ScopeRead   Scope = "mesh:read"
	ScopeWrite  Scope = "mesh:write"
	ScopeTeam   Scope = "team"
	ScopeBounty Scope = "bounty"
	ScopeStudio Scope = "studio"
	ScopeAbsorb Scope = "absorb"
	ScopePay    Scope = "pay"
	ScopeKeys   Scope = "keys"
	ScopeAll    Scope = "*"
)

var knownScopes = []Scope{ScopeRead, ScopeWrite, ScopeTeam, ScopeBounty, ScopeStudio, ScopeAbsorb, ScopePay, ScopeKeys, ScopeAll}

// Scopes is a set of scopes in the order of the table, without repetition.
type Scopes []Scope

// RegistrationScopes are those of the key an agent gets when it registers:
// everything but "*".
func RegistrationScopes() Scopes {
	return slices.Clone(knownScopes[:len(knownScopes)-1])
}

// ParseScopes reads a list of scope names. An unknown name or an empty list is
// refused with invalid_param.
func ParseScopes(names []string) (Scopes, error) {
	if len(names) == 0 {
		return nil, reason.Refuse(reason.InvalidParam, "scopes must name at least one scope")
	}
	have := make(map[Scope]bool, len(knownScopes))
	for _, n := range names {
		if !slices.Contains(knownScopes, Scope(n)) {
			return nil, reason.Refuse(reason.InvalidParam, "scopes contains a name that is no scope").
				With(map[string]any{"allowed": slices.Clone(knownScopes)})
		}
		have[Scope(n)] = true
	}
	var s Scopes
	for _, k := range knownScopes {
		if have[k] {
			s = append(s, k)
		}
	}
	return s, nil
}

// Has reports whether s allows what need names.
func (s Scopes) Has(need Scope) bool {
	return slices.Contains(s, need) || slices.Contains(s, ScopeAll)
}

// Covers reports whether every scope of other is allowed by s.
func (s Scopes) Covers(other Scopes) bool {
	for _, o := range other {
		if !s.Has(o) {
			return false
		}
	}
	return true
}

// Strings returns the names of s.
func (s Scopes) Strings() []string {
	names := make([]string, len(s))
	for i, v := range s {
		names[i] = string(v)
	}
	return names
}

// stored is the form in the database: names separated by spaces.
func (s Scopes) stored() string { return strings.Join(s.Strings(), " ") }
