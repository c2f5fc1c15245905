package account

import "time"

// Limits of what agents lend to other keys.
const (
	maxCapability        = 30 * 24 * time.Hour // longest term of a capability (api §10.3)
	maxGatewayCapability = 24 * time.Hour      // of one for another agent's key, as a gateway's is
	termPoll             = time.Minute         // between two looks at terms that end
	presentTerm          = 5 * time.Minute     // of a token by which an agent acts at a gateway, once
)
