// Package recon finds out in few bytes how two copies of a set of changes
// differ, and keeps beside the set what makes that cheap.
//
// A [Set] contains items, pairs of a timestamp and an id, in (hlc, id) order, and
// grows only. With every insert it keeps two summaries:
//
//   - A tree of sums. The [Sum] of any range of items, and so its fingerprint,
//     costs a walk from the root to two leaves. [Respond] and [Initiator] speak
//     the range protocol over it: negentropy v1, byte for byte, whose cost grows
//     with the differences and with how far they are scattered.
//   - A rateless sketch. A [Sketch] is a stream of coded symbols of which about
//     1.4 for each differing id are enough, wherever the differences lie. The
//     side that asks feeds them to a [Peeler]. A responder only copies bytes.
//
// Two sides with equal (count, fingerprint), see [Set.FP], have the same set and
// need neither. Otherwise ask for a sketch first and for ranges where the sketch
// does not resolve:
//
//	p := recon.NewPeeler(set.Sketch(), remoteCount)
//	for from, n := p.Next(); n > 0; from, n = p.Next() {
//		resolved, err := p.Add(from, askPeer(from, n))
//		...
//	}
//
// Nothing here does input or output, reads a clock or starts a goroutine. What a
// peer sends is checked for form and bounded in work and memory, but it is not
// believed: a peer may lie about its set, so what a session finds missing here
// has to be fetched and verified, and what it does not find may still exist.
package recon
