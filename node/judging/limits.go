package judging

import "time"

// Limits of judging, and of what counts as a flood.
const (
	judgeAtOnce   = 256                   // waiting entries that are judged without a pause
	maxJudgePause = 50 * time.Millisecond // between two of more
	esteemEvery   = 5 * time.Second       // between two walks over who vouches for whom
	maxEsteems    = 8                     // walks remembered for readers who page
	floodWindow   = time.Hour             // in which entries of agents without standing are counted
	floodDomain   = 100                   // of them in one domain that flood it,
	floodAll      = 300                   // or in all domains,
	floodRatio    = 4                     // when others wrote less than one to so many
)
