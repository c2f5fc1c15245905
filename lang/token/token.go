// Package token reads the text of the source language into tokens: one lexer
// for .holo, .hs and .hsplus.
//
// Lex needs no allocation per token: tokens, comments and the table of bracket
// partners are three flat slices of offsets into the decoded text. White space
// is not stored; the bytes between two neighbours of tokens and comments are
// white space and nothing else, so that text, tokens and comments can rebuild
// the source byte for byte.
//
// What is a word of the language, an operator or a unit is data (Words,
// Operators), from which editor grammars and documentation are made.
package token

// Kind says what a token is.
type Kind uint8

// The kinds of tokens.
const (
	EOF   Kind = iota
	Bad        // a character without a use here
	Stray      // a bracket that closes nothing

	Ident
	StateRef       // $name
	Number         // with its unit
	String         // "…", '…' or """…"""
	BlockString    // | at the end of a line, with the deeper lines below it
	Template       // `…` without a substitution
	TemplateHead   // `…${
	TemplateMiddle // }…${
	TemplateTail   // }…`
	Colour         // #3af
	Directive      // #version 2.1.0 to the end of the line; of #if, #elif and #else the word alone
	Selector       // #name glued to the word before it
	Trait          // @name
	At             // @ without a name
	Regex          // /…/flags

	LParen
	RParen
	LBracket
	RBracket
	LBrace
	RBrace
	AnnotationOpen // #[
	NameOpen       // #{

	Comma
	Semicolon
	Colon
	Scope // ::
	Dot
	Range    // ..
	Ellipsis // ...
	Arrow    // ->
	FatArrow // =>
	BothWays // <->
	OptDot   // ?.
	Question

	Assign
	AddAssign
	SubAssign
	MulAssign
	DivAssign
	ModAssign
	PowAssign
	CoalesceAssign

	Coalesce // ??
	OrOr
	AndAnd
	Pipe
	Caret
	Amp
	Eq
	Ne
	StrictEq
	StrictNe
	Lt
	Gt
	Le
	Ge
	Shl
	Shr
	Plus
	Minus
	Star
	Slash
	Percent
	Power
	Not
	Tilde
	Inc
	Dec

	numKinds
)

// Operator is a row of the table of operators and punctuation.
type Operator struct {
	Kind Kind
	Text string
	// Prec is how tightly a binary operator binds, 0 when it is none.
	Prec int
	// Joins says that an expression goes on when the operator starts a line.
	Joins bool
}

// Precedence of the binary levels. The words of the same levels are in Words.
const (
	PrecCoalesce = 1 + iota
	PrecOr
	PrecAnd
	PrecBitOr
	PrecBitXor
	PrecBitAnd
	PrecEquality
	PrecRelation
	PrecRange
	PrecShift
	PrecSum
	PrecProduct
	PrecPower
)

// Operators is every operator and punctuation mark.
var Operators = []Operator{
	{Kind: LParen, Text: "("}, {Kind: RParen, Text: ")"}, {Kind: LBracket, Text: "["}, {Kind: RBracket, Text: "]"},
	{Kind: LBrace, Text: "{"}, {Kind: RBrace, Text: "}"}, {Kind: AnnotationOpen, Text: "#["}, {Kind: NameOpen, Text: "#{"},
	{Kind: Comma, Text: ","}, {Kind: Semicolon, Text: ";"}, {Kind: Colon, Text: ":", Joins: true}, {Kind: Scope, Text: "::"},
	{Kind: Dot, Text: ".", Joins: true}, {Kind: Range, Text: "..", Prec: PrecRange, Joins: true}, {Kind: Ellipsis, Text: "..."},
	{Kind: Arrow, Text: "->"}, {Kind: FatArrow, Text: "=>"}, {Kind: BothWays, Text: "<->"},
	{Kind: OptDot, Text: "?.", Joins: true}, {Kind: Question, Text: "?", Joins: true},
	{Kind: Assign, Text: "=", Joins: true}, {Kind: AddAssign, Text: "+=", Joins: true}, {Kind: SubAssign, Text: "-=", Joins: true},
	{Kind: MulAssign, Text: "*=", Joins: true}, {Kind: DivAssign, Text: "/=", Joins: true}, {Kind: ModAssign, Text: "%=", Joins: true},
	{Kind: PowAssign, Text: "**=", Joins: true}, {Kind: CoalesceAssign, Text: "??=", Joins: true},
	{Kind: Coalesce, Text: "??", Prec: PrecCoalesce, Joins: true},
	{Kind: OrOr, Text: "||", Prec: PrecOr, Joins: true}, {Kind: AndAnd, Text: "&&", Prec: PrecAnd, Joins: true},
	{Kind: Pipe, Text: "|", Prec: PrecBitOr, Joins: true}, {Kind: Caret, Text: "^", Prec: PrecBitXor, Joins: true},
	{Kind: Amp, Text: "&", Prec: PrecBitAnd, Joins: true},
	{Kind: Eq, Text: "==", Prec: PrecEquality, Joins: true}, {Kind: Ne, Text: "!=", Prec: PrecEquality, Joins: true},
	{Kind: StrictEq, Text: "===", Prec: PrecEquality, Joins: true}, {Kind: StrictNe, Text: "!==", Prec: PrecEquality, Joins: true},
	{Kind: Lt, Text: "<", Prec: PrecRelation}, {Kind: Gt, Text: ">", Prec: PrecRelation},
	{Kind: Le, Text: "<=", Prec: PrecRelation, Joins: true}, {Kind: Ge, Text: ">=", Prec: PrecRelation, Joins: true},
	{Kind: Shl, Text: "<<", Prec: PrecShift}, {Kind: Shr, Text: ">>", Prec: PrecShift},
	{Kind: Plus, Text: "+", Prec: PrecSum}, {Kind: Minus, Text: "-", Prec: PrecSum}, // join when white space follows
	{Kind: Star, Text: "*", Prec: PrecProduct, Joins: true}, {Kind: Slash, Text: "/", Prec: PrecProduct, Joins: true},
	{Kind: Percent, Text: "%", Prec: PrecProduct, Joins: true}, {Kind: Power, Text: "**", Prec: PrecPower, Joins: true},
	{Kind: Not, Text: "!"}, {Kind: Tilde, Text: "~"}, {Kind: Inc, Text: "++"}, {Kind: Dec, Text: "--"},
}

var operatorOf = func() (t [numKinds]Operator) {
	for _, o := range Operators {
		t[o.Kind] = o
	}
	return t
}()

// Operator is the row of an operator, empty for other kinds.
func (k Kind) Operator() Operator { return operatorOf[k] }

// IsAssign says whether the kind is = or one of its compound forms.
func (k Kind) IsAssign() bool { return k >= Assign && k <= CoalesceAssign }

// Opens says whether the kind opens a bracket pair.
func (k Kind) Opens() bool {
	switch k {
	case LParen, LBracket, LBrace, AnnotationOpen, NameOpen, TemplateHead:
		return true
	}
	return false
}

// Closes says whether the kind closes a bracket pair.
func (k Kind) Closes() bool {
	switch k {
	case RParen, RBracket, RBrace, TemplateTail:
		return true
	}
	return false
}

// The flags of a token.
const (
	NewlineBefore uint8 = 1 << iota // first on its line
	SpaceBefore                     // white space or a comment stands before it
	BlankBefore                     // an empty line stands before it
	CommentBefore                   // a comment stands between it and the token before
	Damaged                         // a text that was cut at the end of its line
)

// Token is one token: its kind, flags and bytes in the text.
type Token struct {
	Start, End uint32
	Kind       Kind
	Flags      uint8
	Word       Word // of an Ident: which word of the language it may be
}

// Style is how a comment is written.
type Style uint8

// The styles of comments.
const (
	Line    Style = iota // // to the end of the line
	Block                // /* … */
	Hash                 // # to the end of the line
	Shebang              // #! on the first line
)

// Comment is one comment, its bytes in the text without the end of its line.
type Comment struct {
	Start, End uint32
	Style      Style
	Flags      uint8 // NewlineBefore and BlankBefore
}

// Span is a range of bytes in a text; the end is exclusive.
type Span struct{ Start, End uint32 }

// Stream is a text cut into tokens. It is not changed after Lex and may be read
// by several goroutines.
type Stream struct {
	Source *Source
	// Tokens end with one EOF.
	Tokens []Token
	// Partner gives for an opening bracket the token that ends its group; Closed
	// says whether that is its closer or what came instead. For a closer it is
	// the opener, for any other token 0.
	Partner []int32
	// Comments in source order.
	Comments []Comment

	// uneven says that brackets are left over or of the wrong kind, or that the
	// text was too long to be read whole.
	uneven bool
	// cuts are the texts that were cut at the end of their line, in source order.
	cuts []cut
}

// cut is a text without its end. What stands behind it, up to where its end was
// looked for, has a part in where it was cut.
type cut struct {
	token  int32
	quote  quote
	looked uint32
}

// Text is the spelling of a token.
func (s *Stream) Text(i int) string {
	t := s.Tokens[i]
	return s.Source.Text[t.Start:t.End]
}

// Closed says whether the group that token i opens has its closer.
func (s *Stream) Closed(i int) bool {
	j := s.Partner[i]
	return s.Tokens[j].Kind.Closes() && int(s.Partner[j]) == i
}
