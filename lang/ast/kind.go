package ast

import "fmt"

// Kind names a type of node.
type Kind uint8

// The kinds, in the groups of the specification.
const (
	KindFile Kind = 1 + iota
	KindBody
	KindKey

	KindLineDirective
	KindCondBlock
	KindCondBranch
	KindAnnotation
	KindAttribute
	KindBlock
	KindArgs
	KindSelector
	KindList
	KindProperty
	KindExtra
	KindTypedMember
	KindOverride
	KindFunc
	KindEffect
	KindParam
	KindObjectPattern
	KindArrayPattern
	KindPatternElement
	KindTransition
	KindMapping
	KindEnumerator
	KindRule
	KindCheck
	KindChoice
	KindRoute
	KindWire
	KindExecute
	KindImport
	KindExport
	KindImportName
	KindSpread

	KindVarDecl
	KindDeclarator
	KindIf
	KindBranch
	KindFor
	KindForIn
	KindWhile
	KindDoWhile
	KindSwitch
	KindCase
	KindTry
	KindReturn
	KindThrow
	KindBreak
	KindContinue
	KindEmit
	KindCommand
	KindAssign
	KindExprStmt

	KindNumber
	KindString
	KindTemplate
	KindBool
	KindNull
	KindColour
	KindRegex
	KindIdent
	KindEnumWord
	KindAxisWord
	KindStateRef
	KindNameRef
	KindPath
	KindMember
	KindIndex
	KindCall
	KindNew
	KindUnary
	KindBinary
	KindTernary
	KindArrow
	KindFuncLit
	KindArray
	KindObject
	KindCast
	KindAttrValue
	KindSpawn
	KindComputed
	KindMatch
	KindMatchArm
	KindConstructor
	KindPipe
	KindPipeStage
	KindSequence

	KindTypeName
	KindUnion
	KindIntersection
	KindArrayOf
	KindNullable
	KindObjectType
	KindTypeField
	KindFuncType
	KindTuple
	KindLiteralType
	KindEnumType

	KindBad

	numKinds
)

var kindNames = [numKinds]string{
	KindFile: "File", KindBody: "Body", KindKey: "Key",
	KindLineDirective: "LineDirective", KindCondBlock: "CondBlock", KindCondBranch: "CondBranch", KindAnnotation: "Annotation",
	KindAttribute: "Attribute", KindBlock: "Block", KindArgs: "Args", KindSelector: "Selector", KindList: "List",
	KindProperty: "Property", KindExtra: "Extra", KindTypedMember: "TypedMember", KindOverride: "Override", KindFunc: "Func",
	KindEffect: "Effect", KindParam: "Param", KindObjectPattern: "ObjectPattern", KindArrayPattern: "ArrayPattern",
	KindPatternElement: "PatternElement", KindTransition: "Transition", KindMapping: "Mapping", KindEnumerator: "Enumerator",
	KindRule: "Rule", KindCheck: "Check", KindChoice: "Choice", KindRoute: "Route", KindWire: "Wire", KindExecute: "Execute",
	KindImport: "Import", KindExport: "Export", KindImportName: "ImportName", KindSpread: "Spread",
	KindVarDecl: "VarDecl", KindDeclarator: "Declarator", KindIf: "If", KindBranch: "Branch", KindFor: "For", KindForIn: "ForIn",
	KindWhile: "While", KindDoWhile: "DoWhile", KindSwitch: "Switch", KindCase: "Case", KindTry: "Try", KindReturn: "Return",
	KindThrow: "Throw", KindBreak: "Break", KindContinue: "Continue", KindEmit: "Emit", KindCommand: "Command",
	KindAssign: "Assign", KindExprStmt: "ExprStmt",
	KindNumber: "Number", KindString: "String", KindTemplate: "Template", KindBool: "Bool", KindNull: "Null", KindColour: "Colour",
	KindRegex: "Regex", KindIdent: "Ident", KindEnumWord: "EnumWord", KindAxisWord: "AxisWord", KindStateRef: "StateRef",
	KindNameRef: "NameRef", KindPath: "Path", KindMember: "Member", KindIndex: "Index", KindCall: "Call", KindNew: "New",
	KindUnary: "Unary", KindBinary: "Binary", KindTernary: "Ternary", KindArrow: "Arrow", KindFuncLit: "FuncLit",
	KindArray: "Array", KindObject: "Object", KindCast: "Cast", KindAttrValue: "AttrValue", KindSpawn: "Spawn",
	KindComputed: "Computed", KindMatch: "Match", KindMatchArm: "MatchArm", KindConstructor: "Constructor", KindPipe: "Pipe",
	KindPipeStage: "PipeStage", KindSequence: "Sequence",
	KindTypeName: "TypeName", KindUnion: "Union", KindIntersection: "Intersection", KindArrayOf: "ArrayOf",
	KindNullable: "Nullable", KindObjectType: "ObjectType", KindTypeField: "TypeField", KindFuncType: "FuncType",
	KindTuple: "Tuple", KindLiteralType: "LiteralType", KindEnumType: "EnumType",
	KindBad: "Bad",
}

// String is the name of the kind in JSON.
func (k Kind) String() string {
	if k > 0 && k < numKinds {
		return kindNames[k]
	}
	return fmt.Sprintf("Kind(%d)", uint8(k))
}

// IsItem says whether nodes of the kind stand in bodies only: items that are
// neither statements nor expressions.
func (k Kind) IsItem() bool { return k >= KindLineDirective && k <= KindSpread }

// IsStatement says whether the kind is a statement.
func (k Kind) IsStatement() bool { return k >= KindVarDecl && k <= KindExprStmt }

// IsExpr says whether the kind is an expression. Assign is both.
func (k Kind) IsExpr() bool { return k >= KindNumber && k <= KindSequence || k == KindAssign }

// IsType says whether the kind is a type.
func (k Kind) IsType() bool { return k >= KindTypeName && k <= KindEnumType }
