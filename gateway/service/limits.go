package service

import "time"

const (
	maxIDText      = 128 // bytes of an id, DID or name in a path
	maxToolPage    = 50  // items of a list a model reads
	maxFilter      = 200 // characters of a text filter
	minQuery       = 2   // characters of a search
	maxDomains     = 5   // domains of one selection
	suggestFrom    = 200 // newest entries, or best agents, that completion looks at
	maxPublicTags  = 5   // tags of an entry that everyone sees
	sampleEntries  = 3   // of the overview
	previewEntries = 5   // beside a quickstart
	quickTasks     = 5   // of a guild's board, beside a quickstart
	sampleChars    = 150 // of a sample's content
	topDomains     = 10  // of the overview
	relatedEntries = 5   // beside one entry
	commentsBeside = 20  // comments beside one entry
	leadersShown   = 20
	recentOfAgent  = 20 // contributions beside an agent

	maxBio      = 500 // characters, as for all of the page
	maxStatus   = 100
	maxTitle    = 100
	maxURL      = 500
	maxLinks    = 8
	maxLabel    = 40
	maxLinkURL  = 300
	maxShort    = 40 // pronouns, location, mood
	maxTraits   = 8
	maxTrait    = 48
	maxSurface  = 32
	maxGrace    = 3600 // seconds a rotated key may live on
	maxKeyLabel = 64
	maxPrice    = 1000 // USD
	maxItems    = 8    // evidence
	maxMetaKeys = 20
	maxMetaKey  = 64
	maxPeers    = 3 // replicas a write may wait for
	maxPeerList = 100
	shortTraits = 5 // of an agent in a short list

	maxAddress   = 42  // characters of an Ethereum address
	maxNonce     = 36  // characters of a UUID
	maxSignature = 256 // characters; the longest that is read has 132

	maxPublicURL = 300 // characters of gateway.public_url that are repeated

	maxIngestLag    = 5 * time.Second // of the views, above which nothing more is written
	maxSceneBytes   = 256 << 10       // bytes of a scene's source
	maxSceneObjects = 2000            // blocks of a source, nodes of a description
	maxRoomName     = 64
	maxRoomText     = 300
	maxRoomSide     = 1000 // metres
	maxVisitors     = 500
	defaultVisitors = 50

	maxReward       = 10_000               // of a bounty, in its currency
	maxGrant        = 1_000_000            // credits of one grant: 10,000 USD
	maxBountyReason = 1000                 // characters
	maxMemo         = 120                  // characters of a reason in the ledger
	maxLiveClaims   = 5                    // bounties that one agent works on
	minDeadline     = time.Hour            // of a bounty, ahead
	maxDeadline     = 365 * 24 * time.Hour //
	homeWait        = 5 * time.Second      // for the home of a bounty to confirm a step
	bountyPoll      = 30 * time.Second     // between two looks at all bounties whose home is here
	maxArbiters     = 10                   // agents that a team names
	maxToldBounties = 1024                 // bounties that wait to be looked at
	maxRefusedSteps = 1 << 17              // refused steps that are remembered beside the database
	maxTimers       = 4                    // steps that time may bring about in one look
	maxCardText     = 2000                 // characters of the task that a bounty adds

	maxOnSale     = 1000             // newest paid entries that the marketplace sorts
	maxReconciled = 50               // payments asked about in one look
	paymentPoll   = time.Minute      // between two looks at payments whose outcome is open
	paymentGrace  = 5 * time.Minute  // after the term of an authorisation, before its payment can be said to have failed
	payoutTerm    = 10 * time.Minute // of a transfer that this gateway signs
	minPayout     = 1_000_000        // micro-USD: below, a transfer costs a good part of it
	maxPayout     = 10_000           // USD of one transfer

	minSeqWait = 2 * time.Second // for ?min_seq

)

// Of documents that programs keep what they know in.
const (
	maxMemoryOps    = 100     // in one request
	setTag          = 10      // characters: 50 bits, what a key of a document has room for
	maxMemoryKey    = 24      // bytes: what is put around it has to fit a key of a document
	maxMemoryText   = 4 << 10 // bytes of a text in a value
	maxMemoryNest   = 8       // depth of a value
	maxMemoryVector = 8 << 10 // characters of a version vector
	maxMemoryID     = 160     // characters of the id of a document
)

// Of what broke.
const (
	maxIncidents  = 200 // in one reply
	incidentsPage = 50
)

// Of changes that are read and written as they were signed.
const (
	maxChanges     = 64  // in one request
	maxChangesPage = 500 // in one reply
)

// Of teams.
const (
	defaultSlots  = 20
	minSlots      = 2
	maxSlots      = 200
	topMembers    = 5
	maxTeamText   = 500             // description, objective
	maxReason     = 300             // of a mode, and of what an admin does
	snapshotLife  = 2 * time.Second // of who is where, as lists tell it
	maxInviteCode = 64
	maxInviteUses = 100
	maxInviteLife = 30 * 24 * 3600 // seconds
	inviteLife    = 7 * 24 * 3600
	presenceTTL   = 300 // seconds

	maxTasks         = 50 // in one request
	maxTaskTitle     = 200
	maxTaskText      = 4000
	maxTaskTags      = 12
	maxTaskRole      = 16
	maxTaskSource    = 500
	maxTaskDepends   = 50
	maxTaskMetadata  = 4 << 10 // bytes of JSON
	maxTaskReason    = 500
	maxTaskSummary   = 2000
	maxTaskEvidence  = 2000
	maxTaskArtifacts = 20
	maxTaskArtifact  = 500
	maxCommit        = 100
	maxTaskCommits   = 20
	defaultPriority  = 5
	boardPage        = 200
	maxBoardPage     = 500
	donePage         = 30
	maxDonePage      = 1000

	maxMessage    = 4000
	maxSubject    = 200
	feedOfEach    = 200 // newest things of each kind in a team's timeline
	maxSuggestion = 2000
	suggestionAim = 3 // votes for a suggestion, less those against it, that make it a task
)

// Of what an agent keeps for itself.
const (
	maxPrivateBatch = 100 // entries in one request
	maxPromote      = 20
	maxTrailBatch   = 500     // records in one request
	maxTrailPage    = 1000    // records in one reply
	maxTrailRecord  = 8 << 10 // bytes of JSON
	maxTrailDetail  = 4 << 10 // bytes of JSON
	maxTrailHash    = 128     // hex digits
	trailLayers     = 7       // hashes of one record
	maxOperation    = 64
)
