package prompt

// What one prompt may ask for. Beyond it the answer is a Refusal.
const (
	MaxPrompt  = 2000 // characters
	MaxCount   = 200  // things of one kind at once, as the vocabulary says
	MaxParts   = 1200 // nodes that one prompt makes
	MaxThings  = 400  // things that one prompt makes
	MaxScene   = 4000 // nodes of a scene that is changed
	MaxUnknown = 50   // words in NotUnderstood
	MaxSize    = 100  // metres of a side of a thing
	MinSize    = 0.02 // metres of a side of a thing
	MaxFar     = 500  // metres from the middle

	gap   = 0.15 // metres between neighbours
	touch = 0.01 // metres that things may stand in each other
)
