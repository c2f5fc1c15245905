package bounty

// Times are milliseconds, since logical time counts them (api §10.3). They are
// part of what every node computes and can not be configured.
const (
	Lease         = 72 * hour      // a claim, and again after each request for changes
	AutoAccept    = 14 * 24 * hour // a submission that nobody answered
	AutoPay       = 72 * hour      // an accepted submission that nobody paid
	DisputeWindow = 14 * 24 * hour // from when the state was entered
	DisputeEnd    = 30 * 24 * hour // a dispute without a verdict

	MaxRounds = 5 // requests for changes for one claim

	// MaxSteps bounds the confirmed steps. Beyond it a home confirms none but those
	// that lead to the end, so that nobody can lock up the reward by many steps.
	MaxSteps = 1000

	// MaxVotes bounds the confirmed proposals and votes of one member, which are
	// none of those steps.
	MaxVotes = 50

	hour = 60 * 60 * 1000
)
