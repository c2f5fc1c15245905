// Package attest makes and checks signed statements about things: that an
// author stands behind a set of changed files, that a program when played with
// these inputs ends in this state, that an entry of the log has the history it
// claims.
//
// The first two are in-toto Statements v1 in DSSE envelopes, signed with
// Ed25519: start with SignCode and OpenCode, SignPlay and OpenPlay. Trailers is
// the form of a code attestation that fits a commit message, Claim that of a
// play which fits a request. Judge is the provenance validator. docs/attest.md
// shows how to check each by hand.
//
// Nothing here reads files, runs programs or asks a clock: callers bring bytes,
// a Replayer and Lookups. The package does not say whom to trust: every function
// names the key that signed, and the caller decides what that key may say.
package attest
