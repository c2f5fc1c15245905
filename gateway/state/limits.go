package state

import "time"

const (
	pgConns       = 16              // of one gateway; a server has 100 by default
	pgConnectTime = 5 * time.Second // a gateway says that it has no database rather than hang
	pgIdleTime    = 5 * time.Minute // an unused connection is given back
	pgAbandonedMS = 800             // a transaction of a gateway that hangs loses the lock

	pepperSize = 32 // bytes; the block of the key digest's hash
	checkSize  = 4  // bytes of an API key that check the rest: one slip in 2^32 passes

	readConns     = 4                    // readers beside the one writer; more only queue on two cores
	busyTimeoutMS = 5000                 // another process (a backup) may lock the file for a moment
	sweepBatch    = 1000                 // rows one statement of Sweep removes, so that writers get a turn
	usePeriod     = time.Minute          // last_used_at is written at most this often per key
	maxPending    = 10_000               // keys with an unwritten use; more are noted at their next use
	claimTTL      = 10 * time.Minute     // a registration ends long before; the owner of the process settles what is left
	runLease      = 150 * time.Second    // above the longest request time-out (120 s)
	replyKept     = 24 * time.Hour       // memory of an idempotency key
	sealedKept    = 10 * time.Minute     // the same when the reply carries a key
	deadKeyKept   = 30 * 24 * time.Hour  // how long a dead key stays in its owner's list
	strangeKept   = 24 * time.Hour       // a challenge of another gateway, which sweeps its own while it lives
	usedSlack     = time.Minute          // a used token is remembered beyond its end: clocks step back
	auditKept     = 400 * 24 * time.Hour // as long as receipts
	noticeKept    = 90 * 24 * time.Hour  // a notification, read or not
	sessionKept   = 30 * 24 * time.Hour  // how long a token that has ended stays in its issuer's list
	sharedKept    = 7 * 24 * time.Hour   // a change for gateways that were away; peers have it too
	guestNoteKept = 30 * 24 * time.Hour  // a note that its guestbook's owner did not answer

	// MaxGuestNotes is how many notes of guests wait in one guestbook.
	MaxGuestNotes = 100

	maxFollowers = 10_000 // that one event of an agent goes to

	maxLiveKeys   = 20        // per agent
	maxLogins     = 5         // keys of logins that one agent has at a time; the oldest ends
	maxLabel      = 64        // code points
	maxGrace      = time.Hour // of a rotated key
	maxChallenges = 10_000    // live ones; bounds what anonymous callers can make the node store

	maxIdempotencyKey = 128     // visible ASCII characters
	maxTarget         = 2048    // bytes of method and path together
	maxReply          = 1 << 20 // bytes of a stored body; replies to writes are a few KiB
	maxReplyHeader    = 8 << 10 // bytes of the stored headers as JSON

	maxSessionTokens = 1000   // of one agent that last
	maxRevocations   = 10_000 // of one issuer whose tokens have not ended

	maxPrivate = 1000      // private entries of one agent
	maxTrail   = 1_000_000 // records of one agent's audit trail
	maxPresent = 500       // agents of one team; it has 200 places at most
	maxOnline  = 1000      // of all teams that one list names
	maxInvites = 100       // live ones of one team
	maxWaiting = 1000      // agents that one look at a waiting list reads

	maxAuditText   = 256     // bytes of actor, action or object
	maxAuditDetail = 4 << 10 // bytes of JSON
	MaxPage        = 100     // rows of one list

	maxMoney        = 1 << 53 // micro-USD of one posting: exact in every JSON reader, and sums of ten thousands fit
	maxPostings     = 8       // of one transfer
	maxTransferText = 512     // bytes of its operation, key, object or memo

	paymentLease = 90 * time.Second // above the time-outs of a settlement together; then another process may ask

	ticketSize      = 32   // random bytes of a ticket
	maxTickets      = 20   // of one key that wait; a page with every stream open has a few
	maxLiveTokens   = 4096 // of which it is remembered that they were not revoked
	eventEpochShift = 20   // places a second that a stream may use before it meets one begun later
)

// liveMoment is how long it is remembered that a token was not revoked.
const liveMoment = time.Second

// eventEpoch is the second from which the first place of a stream is counted.
var eventEpoch = time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC)

// TicketTTL is the life of a ticket for a stream.
const TicketTTL = 60 * time.Second

// LoginTTL is the life of the key that a login opens.
const LoginTTL = 12 * time.Hour

// ChallengeTTL is the longest life of a nonce.
const ChallengeTTL = 300 * time.Second

// MaxTokenTerm is how far ahead a token that acts may end. It bounds how long a
// use is remembered; capabilities are issued for as long at most.
const MaxTokenTerm = 30 * 24 * time.Hour
