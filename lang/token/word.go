package token

import "strings"

// Word numbers the words that mean something somewhere. No word is reserved:
// the parser asks for a word only where the grammar has a place for it.
type Word uint8

// The words of the language. Other is any other word, OnWord one that names an
// event: on_x or onX.
const (
	Other Word = iota
	OnWord

	WAbstract
	WAction
	WAfter
	WAnd
	WAs
	WAsync
	WAwait
	WBranch
	WBreak
	WCase
	WCatch
	WClass
	WComputed
	WConnect
	WConst
	WContinue
	WDefault
	WDelete
	WDo
	WElif
	WElse
	WElseIf
	WEmit
	WEnum
	WEvent
	WEvents
	WEvery
	WExecute
	WExport
	WExports
	WExtends
	WFalse
	WField
	WFinally
	WFn
	WFor
	WForever
	WFrom
	WFunc
	WFunction
	WGet
	WHas
	WIf
	WImplements
	WImport
	WIn
	WInput
	WInstanceof
	WInterface
	WIs
	WLet
	WMatch
	WNew
	WNot
	WNull
	WOf
	WOn
	WOptional
	WOr
	WOutput
	WOverride
	WParam
	WPersist
	WPrivate
	WProp
	WProps
	WProtected
	WPublic
	WReadonly
	WRepeat
	WRequired
	WReturn
	WSchema
	WSelf
	WSet
	WShared
	WSignal
	WSink
	WSpawn
	WState
	WStatic
	WStruct
	WSuper
	WSwitch
	WThis
	WThrough
	WThrow
	WTo
	WTrue
	WTry
	WType
	WTypeof
	WUndefined
	WUsing
	WValidate
	WVar
	WWhen
	WWhile
	WWith

	numWords
)

// Role says where a word may mean something.
type Role uint32

// The roles of words.
const (
	Statement Role = 1 << iota // starts a statement
	Item                       // starts an item of its own form
	Modifier                   // before a block or a function
	Function                   // before the name of a function
	Clause                     // in a heading
	Link                       // joins parts of a statement or an item
	Operation                  // is an operator
	Literal                    // is a value
	Primary                    // starts an expression, never a command
	Member                     // starts a typed member
	BodyKind                   // heads a body with its own rule
)

// WordInfo is a row of the table of words.
type WordInfo struct {
	Word Word
	Text string
	Role Role
	Prec int // of a binary operator
}

// Words is every word of the language in alphabetical order.
var Words = []WordInfo{
	{WAbstract, "abstract", Modifier, 0},
	{WAction, "action", Function, 0},
	{WAfter, "after", Link, 0},
	{WAnd, "and", Operation, PrecAnd},
	{WAs, "as", Link | Operation, 0},
	{WAsync, "async", Modifier | Primary, 0},
	{WAwait, "await", Primary, 0},
	{WBranch, "branch", BodyKind, 0},
	{WBreak, "break", Statement, 0},
	{WCase, "case", Statement, 0},
	{WCatch, "catch", Link, 0},
	{WClass, "class", BodyKind, 0},
	{WComputed, "computed", 0, 0},
	{WConnect, "connect", Item, 0},
	{WConst, "const", Statement | Member, 0},
	{WContinue, "continue", Statement, 0},
	{WDefault, "default", Modifier | Statement, 0},
	{WDelete, "delete", Primary, 0},
	{WDo, "do", Statement, 0},
	{WElif, "elif", Link, 0},
	{WElse, "else", Link, 0},
	{WElseIf, "else_if", Link, 0},
	{WEmit, "emit", Statement, 0},
	{WEnum, "enum", BodyKind, 0},
	{WEvent, "event", Member, 0},
	{WEvents, "events", BodyKind, 0},
	{WEvery, "every", Link, 0},
	{WExecute, "execute", Item, 0},
	{WExport, "export", Item | Modifier, 0},
	{WExports, "exports", BodyKind, 0},
	{WExtends, "extends", Clause, 0},
	{WFalse, "false", Literal | Primary, 0},
	{WField, "field", Member, 0},
	{WFinally, "finally", Link, 0},
	{WFn, "fn", Function, 0},
	{WFor, "for", Statement, 0},
	{WForever, "forever", Link, 0},
	{WFrom, "from", Clause | Link, 0},
	{WFunc, "func", Function, 0},
	{WFunction, "function", Function | Primary, 0},
	{WGet, "get", Function, 0},
	{WHas, "has", Clause, 0},
	{WIf, "if", Statement, 0},
	{WImplements, "implements", Clause, 0},
	{WImport, "import", Item, 0},
	{WIn, "in", Operation | Link, PrecRelation},
	{WInput, "input", Member, 0},
	{WInstanceof, "instanceof", Operation, PrecRelation},
	{WInterface, "interface", BodyKind, 0},
	{WIs, "is", Operation, PrecRelation},
	{WLet, "let", Statement | Member, 0},
	{WMatch, "match", Primary, 0},
	{WNew, "new", Primary, 0},
	{WNot, "not", Primary | Operation, 0},
	{WNull, "null", Literal | Primary, 0},
	{WOf, "of", Link, 0},
	{WOn, "on", Item, 0},
	{WOptional, "optional", Member, 0},
	{WOr, "or", Operation, PrecOr},
	{WOutput, "output", Member, 0},
	{WOverride, "override", Item, 0},
	{WParam, "param", Member, 0},
	{WPersist, "persist", Member | BodyKind, 0},
	{WPrivate, "private", Member, 0},
	{WProp, "prop", Member, 0},
	{WProps, "props", BodyKind, 0},
	{WProtected, "protected", Member, 0},
	{WPublic, "public", Member, 0},
	{WReadonly, "readonly", Member, 0},
	{WRepeat, "repeat", Link, 0},
	{WRequired, "required", Member, 0},
	{WReturn, "return", Statement, 0},
	{WSchema, "schema", BodyKind, 0},
	{WSelf, "self", Primary, 0},
	{WSet, "set", Function, 0},
	{WShared, "shared", Modifier | Member, 0},
	{WSignal, "signal", Member, 0},
	{WSink, "sink", Link, 0},
	{WSpawn, "spawn", Primary, 0},
	{WState, "state", Member, 0},
	{WStatic, "static", Modifier | Member, 0},
	{WStruct, "struct", BodyKind, 0},
	{WSuper, "super", Primary, 0},
	{WSwitch, "switch", Statement | BodyKind, 0},
	{WThis, "this", Primary, 0},
	{WThrough, "through", Clause, 0},
	{WThrow, "throw", Statement, 0},
	{WTo, "to", Link, 0},
	{WTrue, "true", Literal | Primary, 0},
	{WTry, "try", Statement, 0},
	{WType, "type", Link, 0},
	{WTypeof, "typeof", Primary, 0},
	{WUndefined, "undefined", Literal, 0},
	{WUsing, "using", Clause, 0},
	{WValidate, "validate", BodyKind, 0},
	{WVar, "var", Statement | Member, 0},
	{WWhen, "when", Link, 0},
	{WWhile, "while", Statement, 0},
	{WWith, "with", Link, 0},
}

var wordInfo = func() (t [numWords]WordInfo) {
	for _, w := range Words {
		t[w.Word] = w
	}
	return t
}()

// Has says whether a word has one of the roles.
func (w Word) Has(r Role) bool { return wordInfo[w].Role&r != 0 }

// Prec is how tightly a word binds as a binary operator, 0 when it is none.
func (w Word) Prec() int { return wordInfo[w].Prec }

// wordsBy lists the words by their length and the low bits of their first letter.
var wordsBy = func() (t [16][32][]WordInfo) {
	for _, w := range Words {
		bucket := &t[len(w.Text)][w.Text[0]&31]
		*bucket = append(*bucket, w)
	}
	return t
}()

// LookupWord returns which word of the language a text may be.
func LookupWord(text string) Word {
	if n := len(text); n >= 2 && n < 16 {
		for _, w := range wordsBy[n][text[0]&31] {
			if w.Text == text {
				return w.Word
			}
		}
	}
	if IsOnWord(text) {
		return OnWord
	}
	return Other
}

// IsOnWord says whether a word names an event: on_ and at least one character
// more, or on and an upper-case letter. "once" and "online" do not.
func IsOnWord(text string) bool {
	return len(text) > 2 && text[0] == 'o' && text[1] == 'n' &&
		(text[2] == '_' && len(text) > 3 || text[2] >= 'A' && text[2] <= 'Z')
}

// EventName is the normal form of the name of an event: onHoverEnter,
// on_hover_enter and "hover enter" are hover_enter.
func EventName(name string) string {
	if rest, ok := strings.CutPrefix(name, "on_"); ok && rest != "" {
		name = rest
	} else if IsOnWord(name) {
		name = name[2:]
	}
	out := make([]byte, 0, len(name)+4)
	for i := range len(name) {
		c := name[i]
		switch {
		case c == ' ' || c == '-' || c == '_':
			c = '_'
		case c >= 'A' && c <= 'Z':
			c |= 32
			if i > 0 && name[i-1] != '_' && name[i-1] != ' ' && name[i-1] != '-' &&
				(name[i-1] < 'A' || name[i-1] > 'Z' || i+1 < len(name) && name[i+1] >= 'a' && name[i+1] <= 'z') {
				out = append(out, '_')
			}
		}
		out = append(out, c)
	}
	return string(out)
}
