// Package disk decides how much a node may still write while its disk fills up. It
// counts what the storage engine will take by itself for logs, tables and
// compactions, so that writes are refused before one fails, and gives way in steps:
// what strangers send is refused first, then the operator is warned, and
// the node's own writes end last.
package disk

import "fmt"

// Level is how far a disk has filled up. Each level includes those before it.
type Level int

// The levels.
const (
	Roomy  Level = iota // everything is taken
	Scarce              // what others send is refused
	Urgent              // whoever runs the node is warned
	Full                // nothing is written
)

// String is the name of the level in status and logs.
func (l Level) String() string { return [...]string{"roomy", "scarce", "urgent", "full"}[l] }

// State is how a disk was found.
type State struct {
	Free     uint64 // bytes that may be written
	Headroom uint64 // bytes of them that the engine will take by itself
	Least    uint64 // bytes that must stay free beside those
	Level    Level
}

// Text says what the state means, for people.
func (s State) Text() string {
	what := map[Level]string{
		Roomy: "everything is taken", Scarce: "changes of others are refused", Urgent: "changes of others are refused, the node's own writes soon", Full: "nothing is written",
	}
	return fmt.Sprintf("%d MiB free, of which the store takes %d MiB by itself: %s", s.Free>>20, s.Headroom>>20, what[s.Level])
}

// Guard remembers the level, so that room which comes and goes does not make it
// flap. It is not safe for concurrent use.
type Guard struct{ level Level }

// Look judges a disk by its free bytes, those that the engine will take by itself
// and the least that must stay free: Full below the least, Urgent below five
// quarters of it, Scarce below three halves. A level ends a sixteenth of the least
// above where it begins.
func (g *Guard) Look(free, headroom, least uint64) State {
	left := free - min(free, headroom)
	level := levelOf(left, least)
	if level < g.level {
		level = max(level, min(g.level, levelOf(left-min(left, least/16), least)))
	}
	g.level = level
	return State{Free: free, Headroom: headroom, Least: least, Level: level}
}

func levelOf(left, least uint64) Level {
	switch {
	case left < least:
		return Full
	case left < least+least/4:
		return Urgent
	case left < least+least/2:
		return Scarce
	}
	return Roomy
}
