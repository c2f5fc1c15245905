package call

// The paths that texts for callers name.
const (
	ChallengePath        = "POST /api/mesh/register/challenge"
	RegisterPath         = "POST /api/mesh/register"
	RecoverChallengePath = "POST /api/mesh/key/challenge"
	RotateIdentityPath   = "POST /api/mesh/identity/rotate"
	RecoverPath          = "POST /api/mesh/key/recover"
	LoginChallengePath   = "POST /api/mesh/login/challenge"
	LoginPath            = "POST /api/mesh/login"
	BindPath             = "POST /api/mesh/identity/bind"
)
