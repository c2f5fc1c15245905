package social

import "time"

const (
	judgeAtOnce       = 256                   // waiting entries that are judged without a pause
	maxJudgePause     = 50 * time.Millisecond // between two of more
	esteemEvery       = 5 * time.Second       // between two walks over who vouches for whom
	maxEsteems        = 8                     // walks remembered for readers who page
	floodWindow       = time.Hour             // in which entries of agents without standing are counted
	floodDomain       = 100                   // of them in one domain that flood it,
	floodAll          = 300                   // or in all domains,
	floodRatio        = 4                     // when others wrote less than one to so many
	quarantineReports = 3                     // by agents that have earned a tier
	maxTraits         = 8                     // of an agent's page that are looked at
	maxSceneInline    = 45 << 10              // bytes of a source in the scene's own document: with its room it fits one change
	scenePartTexts    = 11                    // texts of doc.MaxScalar bytes in one part: 44 KiB, which is one change too
	maxSceneParts     = 8                     // of one source
	maxSceneBytes     = 256 << 10             // bytes of a source (api §10.2)
)
