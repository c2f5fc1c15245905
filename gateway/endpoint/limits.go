package endpoint

import "time"

// Limits of a request, whichever face it came by.
const (
	MaxBody        = 256 << 10 // bytes; an entry with everything has 20 KiB
	MaxSceneBody   = 1 << 20   // bytes of one with a scene
	MaxSourceBody  = 3 << 19   // bytes of one with a source: 1.5 MiB
	MaxChangesBody = 1 << 20   // bytes of one with changes

	DefaultTime = 15 * time.Second
	CompileTime = 20 * time.Second // with the wait for a place
	RenderTime  = 30 * time.Second // the same
	PayTime     = 45 * time.Second // above the time-outs of a facilitator together
	SearchTime  = 5 * time.Second  // a search that takes longer has lost its reader

	ToolPage    = 20 // items of a list, unless the model asks otherwise
	QueryPage   = 10 // results of a query
	maxToolPage = 50 // items a model reads at once

	maxToolFields = 40 // names of fields of an item that it may ask for
)
