package node

import (
	"time"

	"github.com/meshd/meshd/crdt/doc"
)

const (
	maxSigners           = 1024                  // unlocked acting keys kept in memory
	judgeAtOnce          = 256                   // waiting entries that are judged without a pause
	maxJudgePause        = 50 * time.Millisecond // between two of more
	esteemEvery          = 5 * time.Second       // between two walks over who vouches for whom
	maxEsteems           = 8                     // walks remembered for readers who page
	floodWindow          = time.Hour             // in which entries of agents without standing are counted
	floodDomain          = 100                   // of them in one domain that flood it,
	floodAll             = 300                   // or in all domains,
	floodRatio           = 4                     // when others wrote less than one to so many
	quarantineReports    = 3                     // by agents that have earned a tier
	maxOwnBehind         = 2000                  // own changes that cannot be found yet, from which on their lag counts
	maxTopScan           = 5000                  // newest entries ranked by sort=top
	maxTraits            = 8                     // of an agent's page that are looked at
	maxPages             = 1024                  // materialised documents kept in memory
	waitReplica          = 10 * time.Second      // longest ?wait=peers:n
	maxWaitPeers         = 3
	maxCapability        = 30 * 24 * time.Hour                       // longest term of a capability (api §10.3)
	maxGatewayCapability = 24 * time.Hour                            // of one for another agent's key, as a gateway's is
	termPoll             = time.Minute                               // between two looks at terms that end
	nearWindow           = 24 * time.Hour                            // near duplicates of one author (api §1.5)
	nearSpan             = uint64(nearWindow/time.Millisecond) << 10 // the same in logical time
	diskPoll             = time.Second
	bulkDelay            = 200 * time.Millisecond // writing goes on for that long before a bulk pass
	learnDelay           = time.Second            // nothing more comes from others for that long before they are told on
	bulkPause            = 50 * time.Millisecond  // between two passes of a bulk reconciliation, doubling
	maxBulkPause         = 5 * time.Second        // after which the regular passes have to do
	bodiesFirst          = time.Minute            // between two tries for missing bodies, doubling while none comes
	bodiesLast           = 24 * time.Hour         // at the most
	purgeBatch           = 256                    // bodies purged while the committer waits
	maxGifts             = 500                    // rows of what one peer gave
	maxBodies            = 500                    // stubs asked for at once
	clockWarn            = 5 * time.Minute        // off the median of the peers (wire §4)
	clockWarnEvery       = time.Minute
	releaseEvery         = time.Second      // between two looks at what admission holds
	maxReleased          = 64               // let go at one look, each with a sync of its own
	roomEvery            = 10 * time.Minute // between two looks for room for bodies left out
	maxHeldRead          = 1 << 20          // held changes and stubs read from the log at once
	maxBirths            = 65_536           // agents whose first sight is remembered, 60 bytes each
	fetchTimeout         = 10 * time.Second
	comparePause         = 500 * time.Millisecond // between two tries to compare own chains, doubling
	maxComparePause      = 30 * time.Second
	copyTimeout          = time.Minute         // for copies of damaged changes from one peer
	markKept             = 30 * 24 * time.Hour // memory of an idempotency key; the faces remember it for a day
	sweepEvery           = 24 * time.Hour
	joinTime             = 12 * time.Second       // until the place in a guild elsewhere is here
	joinPause            = 100 * time.Millisecond // between two looks for it, doubling
	maxOutbox            = 64                     // local changes that wait to be gossiped; more go by reconciliation
	maxBulkPeers         = 4                      // peers of one such reconciliation
	maxFollowed          = 64                     // teams followed by hand, and agents remembered of one peer
	maxMet               = 4096                   // peers whose proofs are remembered
	lentTerm             = 24 * time.Hour         // of an agent's delegation to the key of its node
	proofTerm            = 10 * time.Minute       // of what a hello carries
	maxPassedOn          = 16                     // changes of one frame of reconciliation that are gossiped on
	fetchPause           = 100 * time.Millisecond // between two rounds of fetches of a missing past, so that a flood is answered in few sessions
	maxFetches           = 64                     // requests for a missing past that wait, and are answered together
)

// Of documents that go on in their next generation.
const (
	maxCarried  = doc.MaxDocBytes / 2     // bytes of a state; a larger one would soon fill the next generation too
	nearlyBytes = doc.MaxDocBytes * 7 / 8 // at which the home opens it, with room for an edit under way
	nearlyEdits = doc.MaxEdits * 7 / 8    // the same
)

// Of scenes.
const (
	maxSceneInline = 45 << 10  // bytes of a source in the scene's own document: with its room it fits one change
	scenePartTexts = 11        // texts of doc.MaxScalar bytes in one part: 44 KiB, which is one change too
	maxSceneParts  = 8         // of one source
	maxSceneBytes  = 256 << 10 // bytes of a source (api §10.2)
)

const (
	exportBatch     = 512       // records read at once for an export
	exportBytes     = 8 << 20   // bytes of them, so that memory stays bounded
	maxExportLine   = 128 << 10 // bytes of a line: the largest head and body in base64, with room
	importBatch     = 256       // changes judged and synced together
	maxImportFaults = 1 << 20   // lines named one by one, 80 bytes each; the rest are counted
)

// Of teams and their boards, in characters unless a unit stands beside them. The
// doors refuse what is longer; what comes from elsewhere is cut.
const (
	maxTaskTitle       = 200
	maxTaskDescription = 4000
	maxTaskTags        = 12
	maxTaskWord        = 48 // a role
	maxTaskSource      = 500
	maxTaskDepends     = 50 // tasks that one depends on
	maxTaskCommits     = 20
	maxTaskEvidence    = 2000
	maxTaskArtifacts   = 20
	maxTaskItem        = 500 // one tag, commit or artefact
	maxPriority        = 9
	maxTeamText        = 500      // description, objective
	maxBoardEdit       = 24 << 10 // bytes of cards in one edit, far enough below what a chunk may have

	maxTeamDomains = 5
	minTeamSlots   = 2
	maxTeamSlots   = 200

	maxTeamScan  = 2000 // entries of a team looked at for one page or one duplicate
	messageBatch = 200  // messages looked at in one go
	maxUnread    = 1000 // counted; more are told as that many

	maxBanned = 500 // agents that one team keeps out

	taskLease = 15 * time.Minute // a claim lasts (api §10.3)
	leaseLow  = 10 * time.Minute // of it left, below which an active claimant renews it
	leasePoll = 30 * time.Second // between two looks at claims that end
	touchRest = time.Minute      // between two renewals by calls of one member
)

// Of changes that are read and written raw.
const (
	maxChangesBytes = 1 << 20 // bytes of one answer, unless a single change is larger
	maxChangesScan  = 4096    // heads looked at for one answer
)

// Of incidents.
const (
	partsPoll  = 5 * time.Second // between two looks at how the parts are
	partsQuiet = time.Minute     // without a failure, after which a service that was started again is well
)
