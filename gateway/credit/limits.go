package credit

// Limits of the ledger as it is shown.
const (
	maxGrant = 1_000_000 // credits of one grant: 10,000 USD
	maxMemo  = 120       // characters of a reason in the ledger
)
