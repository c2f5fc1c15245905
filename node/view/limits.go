package view

// Limits of what members keep on a board and say of their team, in characters where
// no unit stands beside them. A view cuts what is longer, whoever wrote it; those who
// write here are refused by the same limits.
const (
	MaxTaskTitle     = 200 // of a suggestion too
	MaxTaskText      = 4000
	MaxTaskTags      = 12
	MaxTaskRole      = 48 // and the category of a suggestion
	MaxTaskSource    = 500
	MaxTaskDepends   = 50 // tasks that one depends on
	MaxTaskCommits   = 20
	MaxTaskEvidence  = 2000 // and the text of a suggestion
	MaxTaskArtifacts = 20
	MaxTaskItem      = 500 // one tag, commit or artefact
	MaxPriority      = 9

	MaxTeamText    = 500 // description, objective
	MaxTeamDomains = 5
	MinTeamSlots   = 2
	MaxTeamSlots   = 200

	MaxSceneSource = 256 << 10 // bytes of a scene's source (api §10.2)
	MaxTraits      = 8         // words for what an agent is good at

	MaxSeller = 300 // bytes of the address of a gateway that sells
)
