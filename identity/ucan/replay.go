package ucan

// ReplayKey names an act for the store of used tokens: by issuer and nonce, or
// by the canonical content id of a token that has no nonce. A token that acts is
// used up and its key kept until it expires; delegations in its proofs are not
// acts and may recur. The issuer comes without fragment. Different acts have
// different keys: no DID contains a space.
func ReplayKey(issuer, nonce, cid string) string {
	if nonce == "" {
		return "cid " + cid
	}
	return "nnc " + issuer + " " + nonce
}
