package scene

import "time"

// Limits of what is made of a source.
const (
	MaxCode          = 262_144          // characters of a source
	maxArtifact      = 32 << 20         // bytes of what one compile makes; its reply contains it five times
	compileTime      = 10 * time.Second // of one compile
	renderTime       = 20 * time.Second // of one picture
	maxTurn          = 10_000           // milliseconds of a turntable
	maxPictures      = 500              // that are kept
	maxPictureBytes  = 64 << 20         // of all that are kept
	pictureLife      = 24 * time.Hour   // of a kept picture
	maxRoomPage      = 8 << 20          // bytes of the page that a scene compiles to
	maxRoomPages     = 64               // that are kept
	maxRoomPageBytes = 32 << 20         // of all that are kept
	minTurn          = 100              // the same
	minFOV           = 10               // degrees of a camera
	maxFOV           = 120              // the same
	sides            = 2                // of a picture: width and height
	minPrompt        = 3                // characters of what shall be made, or of a description
	maxDescription   = 2000             // the same, of what is described to find traits
	maxChoice        = 64               // of a target, a format or a category
	MaxDiagnostics   = 50               // findings about a source that are shown
)
