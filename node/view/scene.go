package view

import "time"

// Scene is the document named room of an agent's space: the source text of the
// agent's room and what surrounds it.
type Scene struct {
	Fields    map[string]any // empty without a scene
	Version   int            // counts writes, 0 before the first
	UpdatedAt time.Time

	// Incomplete says that the source lies in parts of which one is not here, or
	// is not what it should be; then Fields has no source.
	Incomplete bool
}
