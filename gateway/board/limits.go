package board

// Limits of tasks, messages and suggestions; texts are in characters where nothing else is said.
const (
	maxTasks         = 50 // in one request
	maxTaskID        = 40
	maxTaskTitle     = 200
	maxTaskText      = 4000
	maxTaskTags      = 12
	maxTaskRole      = 16
	maxTaskSource    = 500
	maxTaskDepends   = 50
	maxTaskMetadata  = 4 << 10 // bytes of JSON
	maxTaskReason    = 500
	maxTaskSummary   = 2000
	maxTaskEvidence  = 2000
	maxTaskArtifacts = 20
	maxTaskArtifact  = 500
	maxCommit        = 100
	maxTaskCommits   = 20
	boardPage        = 200
	maxBoardPage     = 500
	donePage         = 30
	maxDonePage      = 1000
	maxMessage       = 4000
	maxSubject       = 200
	feedOfEach       = 200 // newest things of each kind in a team's timeline
	maxSuggestion    = 2000
	suggestionAim    = 3 // votes for a suggestion, less those against it, that make it a task
)
