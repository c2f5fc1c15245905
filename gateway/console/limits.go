package console

import "time"

// Limits of the console.
const (
	maxForm    = 256 << 10        // bytes of a posted form
	shortName  = 24               // characters of an id that stands for a name
	maxBrowser = 200              // characters of what a browser says of itself
	maxNext    = 2 << 10          // bytes of an address to go on to
	maxLive    = 24               // pages that are kept up to date at once
	liveEvery  = time.Second      // between two looks for what a live page shows
	livePing   = 15 * time.Second // after which a live page is sent that the node is there
	liveWrite  = 10 * time.Second // for what is sent at once on a live page
	pageTime   = 20 * time.Second // of a page

	newest       = 5  // entries on the first page
	pageLength   = 20 // items of a list
	domainsShown = 12 // beside a list of entries
)
