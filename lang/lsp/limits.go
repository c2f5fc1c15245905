package lsp

import "github.com/meshd/meshd/lang/token"

// What a client may ask of a server.
const (
	MaxMessage     = 4*token.MaxSource + 1<<20 // bytes of a message: the largest source, escaped
	MaxDocuments   = 256                       // open at once
	MaxCompletions = 500                       // in one answer; the client asks again as more is typed
	MaxChanges     = 10_000                    // in one notification

	MaxWorkspaceSymbols = 256      // in one answer
	MaxWorkspaceFiles   = 512      // of the root that are read for them
	MaxWorkspaceBytes   = 16 << 20 // of their text

	maxSignatures = 8    // of one name
	maxPath       = 16   // words of a path that is called
	maxColors     = 5000 // in one answer
	maxHints      = 1000 // of one kind in one answer
	maxSkip       = 64   // pieces that formatting adds or takes in one place
	maxModules    = 512  // read for one scene, as for a compile
)
