package memory

// Limits of documents and of what changes them.
const (
	maxMemoryOps    = 100     // in one request
	setTag          = 10      // characters: 50 bits, what a key of a document has room for
	maxMemoryKey    = 24      // bytes: what is put around it has to fit a key of a document
	maxMemoryText   = 4 << 10 // bytes of a text in a value
	maxMemoryNest   = 8       // depth of a value
	maxMemoryVector = 8 << 10 // characters of a version vector
	maxMemoryID     = 160     // characters of the id of a document
	maxShown        = 8 << 10 // bytes of a document that a model is shown whole: its texts stand in a result twice
	maxZones        = 64      // of one scene
	rightCount      = 4       // of rights there are
	maxFault        = 200     // characters of what is wrong with a zone
	maxPoint        = 100     // characters of a point
)
