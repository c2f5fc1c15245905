package gate

import "github.com/meshd/meshd/crdt/body"

// Limits of an entry's content, in code points after NFC: those of the wire rules,
// which the gate reports too.
const (
	MinContent = body.MinEntry
	MaxContent = body.MaxEntry
)

const (
	minWords       = 6   // words of two letters or more: a sentence
	minLetters     = 12  // letters of scripts written without spaces: about six words
	runLength      = 20  // characters: shorter encoded runs cannot contain a credential
	minDecoded     = 10  // bytes: shorter decoded text cannot contain one either
	minEntropyRun  = 32  // characters of a value that is judged by its entropy
	minEntropyBits = 4   // bits a character: hexadecimal text never has more
	maxFindings    = 16  // of one code in one field
	proseWidth     = 80  // characters of prose that weigh as much as one line of a log
	logShare       = 40  // per cent of the lines: above it a text is a log that has remarks
	logRun         = 5   // log lines one after the other: prose quotes fewer
	maxLogHead     = 400 // bytes: a longer line is judged by its beginning
	minLogLines    = 3   // beside prose: two commands are a quotation
	mnemonicWords  = 12  // words of the shortest wallet phrase
	mnemonicKinds  = 6   // different words: with fewer it is a sample phrase
	keyWordReach   = 48  // bytes between "private key" and the number it names
	maxValue       = 512 // bytes of a value or a name: longer ones are judged by their beginning
)
