package trail

// Limits of records and of pages of them.
const (
	maxTrailBatch  = 500     // records in one request
	maxTrailPage   = 1000    // records in one reply
	maxTrailRecord = 8 << 10 // bytes of JSON
	maxTrailDetail = 4 << 10 // bytes of JSON
	maxTrailHash   = 128     // hex digits
	trailLayers    = 7       // hashes of one record
	maxOperation   = 64
)
