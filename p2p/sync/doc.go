// Package sync makes sets of changes equal on two nodes: the stream protocol
// /mesh/recon/1 (wire §16). Gossip is fast and may lose; this is what makes
// every node have the same.
//
// The opener of a stream is the initiator, and only it sends requests. Both say hello
// with count and fingerprint of each set, and equal sets are done. Otherwise
// a newcomer pulls in order; everybody else learns the difference from a
// sketch, or from ranges where the sketch does not resolve, wants what is
// missing here and pushes what is missing there.
//
// New makes a Service over a libp2p host and the node's Replica; Serve answers
// peers and runs a pass with two of them every half minute to minute.
// SyncNow runs passes at once, FetchChanges asks one peer for changes by id.
//
// A peer is believed in nothing: frames are decoded strictly and bounded,
// changes are judged by the Replica, a sketch is checked against the
// fingerprint it stands for, a pass has an end whatever the peer does, and
// nothing is lost when it ends early: the next one starts from what is stored.
// Each message of the protocol has its own file, frame_*.go.
package sync
