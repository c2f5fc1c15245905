package check

// What the checker works on (language.md §14 and §11.2).
const (
	MaxChain       = 32     // templates that use each other in a row (LIM010)
	MaxNesting     = 12     // levels of blocks before LNT003 is reported
	MaxAlike       = 4      // nodes that differ only in place before LNT010 is reported
	MaxExpand      = 64     // steps of aliases and parents looked through for one type
	MaxTypeText    = 60     // characters of a type in a message
	MaxSymbols     = 65_536 // declarations, and references, of one file that are kept for editors
	MaxSuggestions = 100    // names of one file for which a near one is looked up
	MaxCandidates  = 4096   // names among which one is looked up; among more it is not looked for
	MaxSteps       = 4096   // comparisons for one assignment; a type beyond that fits
)
