package binding

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"math/bits"

	"github.com/meshd/meshd/identity/did"
)

// TicketBits is the worth of a proof-of-work ticket: the leading zero bits of
//
//	SHA-256("mesh-pow-v1\0" ‖ network ‖ author ‖ 8-byte big-endian pow)
//
// A genesis needs as many as its network requires.
func TicketBits(network [16]byte, author did.Key, pow uint64) int {
	buf := ticketMessage(network, author)
	binary.BigEndian.PutUint64(buf[len(buf)-8:], pow)
	return leadingZeros(sha256.Sum256(buf))
}

// Grind finds the smallest ticket with at least want bits, which takes about
// 2^want hashes of one core; it starts no goroutine. It returns the error of ctx
// when that ends first, and ErrNoTicket when no integer that fits a change will do.
func Grind(ctx context.Context, network [16]byte, author did.Key, want int) (uint64, error) {
	return GrindReporting(ctx, network, author, want, func(uint64) {})
}

// GrindReporting is Grind, and reports every 65,536 hashes how many it has tried, on
// the caller's goroutine.
func GrindReporting(ctx context.Context, network [16]byte, author did.Key, want int, report func(tried uint64)) (uint64, error) {
	buf := ticketMessage(network, author)
	for pow := uint64(0); pow <= maxPow; pow++ {
		if pow%grindStride == 0 && ctx.Err() != nil {
			return 0, fmt.Errorf("grind ticket: %w", ctx.Err())
		}
		if pow > 0 && pow%reportStride == 0 {
			report(pow)
		}
		binary.BigEndian.PutUint64(buf[len(buf)-8:], pow)
		if leadingZeros(sha256.Sum256(buf)) >= want {
			return pow, nil
		}
	}
	return 0, ErrNoTicket
}

// SponsorMessage is what a sponsor signs for a new agent, with Ed25519:
// "mesh-sponsor-v1\0" ‖ network ‖ author.
func SponsorMessage(network [16]byte, author did.Key) []byte {
	msg := append([]byte("mesh-sponsor-v1\x00"), network[:]...)
	return append(msg, author[:]...)
}

// ticketMessage is the hashed message with eight bytes left for the ticket.
func ticketMessage(network [16]byte, author did.Key) []byte {
	msg := append([]byte("mesh-pow-v1\x00"), network[:]...)
	msg = append(msg, author[:]...)
	return append(msg, make([]byte, 8)...)
}

func leadingZeros(sum [32]byte) int {
	for i := 0; i < len(sum); i += 8 {
		if word := binary.BigEndian.Uint64(sum[i:]); word != 0 {
			return 8*i + bits.LeadingZeros64(word)
		}
	}
	return 8 * len(sum)
}
