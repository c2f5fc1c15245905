package effect

// Cycles is how many questions led back to themselves.
func (s *State) Cycles() int { return s.cycles }
