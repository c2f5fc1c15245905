// Package v1 reads, judges and makes UCAN 1.0 tokens (delegations and
// invocations of 1.0.0-rc.1) by github.com/ucan-wg/go-ucan. They open sessions:
// an HTTP request with a container as its bearer, a stream between nodes. They
// never enter the log, whose membership rests on the 0.10 tokens of package v0.
//
// Start with [Read], which takes a container in any of its six encodings, and
// [Bundle.Verify], which judges its one invocation. [Delegate], [Invoke] and
// [Pack] make what they read. [NodeInvocation] and [VerifySync] are the same for
// the hello of a stream. What one dialect grants becomes a token of the other by
// [ToV1] and [ToV0]; a chain never mixes them.
//
// What go-ucan is used for, and what not. It decodes sealed tokens and checks
// their form and signature. Chains and policies are judged here, because its own
// verdict reads the clock, compares the audience of an invocation with the
// subjects of its proofs, and lets a policy pass whole when the first statement
// of an "and" or the first element of an "all" has an optional field that is
// absent. And every token is first checked to be canonical DAG-CBOR: go-ucan
// verifies the signature over its own encoding of what it read, so that without
// this check one signature would fit many byte strings with as many CIDs, and a
// revoked token could be spelled anew.
//
// go-ucan and the libraries below it may panic on hostile input. [Read] turns a
// panic into an error; it is the only place where this happens, and everything
// after it walks data that has passed it.
//
// Ed25519 did:key is the only kind of principal. Nothing here reads a clock or
// a file, or draws randomness; results are immutable and safe for concurrent
// use. Errors are [Findings].
package v1
