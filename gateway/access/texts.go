package access

import (
	"slices"

	"github.com/meshd/meshd/crdt/reason"
	"github.com/meshd/meshd/gateway/call"
	"github.com/meshd/meshd/node/gate"
)

// RefuseSecret refuses a text that looks like a credential.
func (s *Service) RefuseSecret(field, text string) error {
	if findings := s.mesh.CheckText(field, text); len(findings) > 0 {
		return reason.Refuse(findings[0].Code, "%s looks like it contains a secret", field).With(map[string]any{"field": field})
	}
	return nil
}

// RefuseSecrets refuses texts that look like they contain a credential.
func (s *Service) RefuseSecrets(texts map[string]string) error {
	var names []string
	for name, text := range texts {
		if text != "" {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	var found []gate.Finding
	for _, name := range names {
		found = append(found, s.mesh.CheckText(name, texts[name])...)
	}
	if len(found) == 0 {
		return nil
	}
	return reason.Refuse(found[0].Code, "%s looks like it contains a credential", found[0].Field).
		With(map[string]any{"matches": call.Matches(found)})
}
