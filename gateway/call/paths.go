package call

// The paths that texts for callers name.
const (
	ChallengePath        = "POST /api/mesh/register/challenge"
	RegisterPath         = "POST /api/mesh/register"
	RecoverChallengePath = "POST /api/mesh/key/challenge"
	RotateIdentityPath   = "POST /api/mesh/identity/rotate"
	RecoverPath          = "POST /api/mesh/key/recover"
	BindPath             = "POST /api/mesh/identity/bind"
)
