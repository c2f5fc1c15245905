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
	maxResult        = 24 << 10         // bytes of a result for a model, unless it asks for more
	maxWhole         = 6 << 10          // bytes of texts that a model is shown whole; some stand in a result twice
	maxFirst         = 1 << 10          // bytes of the first lines of a longer text
	maxFirstLines    = 20               // of a longer text
	maxLook          = 700 << 10        // bytes of a picture in a result; clients take a megabyte in base64
	maxArtefacts     = 512              // that are kept for models to read
	maxArtefactBytes = 40 << 20         // of all that are kept, more than those of one compile
	artefactLife     = time.Hour        // of a kept artefact
	maxJobs          = 256              // compiles whose outcome is kept
	jobLife          = time.Hour        // of a compile whose outcome is kept
	minJobID         = 16               // characters of a name that nobody guesses
	maxJobID         = 64               // the same
	patience         = 5 * time.Second  // with a compile, until a model gets a job to ask about later
	maxFiles         = 64               // texts of one source
	maxFilePath      = 200              // characters of the path of one
	maxTopic         = 64               // characters of what the reference or the examples are asked for
	maxExample       = 9 << 10          // bytes of one source that a model is shown whole
)
