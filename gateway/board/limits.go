package board

// Limits of tasks, messages and suggestions; texts are in characters where nothing else is said.
const (
	maxTasks        = 50 // in one request
	maxTaskEntries  = 10 // that came out of a task, beside its artifacts
	maxTaskRole     = 16
	maxTaskMetadata = 4 << 10 // bytes of JSON
	maxTaskReason   = 500
	maxCommit       = 100
	maxOffset       = 1 << 20 // tasks left out
	boardPage       = 200
	maxBoardPage    = 500
	donePage        = 30
	maxDonePage     = 1000
	feedOfEach      = 200 // newest things of each kind in a team's timeline
	suggestionAim   = 3   // votes for a suggestion, less those against it, that make it a task
)
