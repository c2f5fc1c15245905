// Package admission decides how much of what strangers write a node keeps at
// hand: for each member that is new here whether it is taken, held with its body
// until its author's rate allows it, or kept as a head alone because its author
// uses more of this node's disk than its share.
//
// It never decides what is a member. Two nodes with different limits have the
// same sets, and the same rows wherever both have the body; they differ in what
// they show and pass on. DESIGN.md says why, and what an attacker can gain.
//
// New makes a Desk. Ask it with Givers before a signature is verified, then Judge
// each change whose signature is good. Release, called every second, says which of
// the held may go. The package reads no clock but the one it is given, starts no
// goroutine, and its memory is bounded whatever comes.
package admission
