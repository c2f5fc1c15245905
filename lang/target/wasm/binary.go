package wasm

import (
	"encoding/binary"
	"math"
)

// The binary form of a module: WebAssembly Core Specification 1.0, chapter 5.

// Sections by their ids, in the order in which they stand.
const (
	sectionType     = 1
	sectionFunction = 3
	sectionMemory   = 5
	sectionGlobal   = 6
	sectionExport   = 7
	sectionCode     = 10
	sectionData     = 11
)

// Types of values.
const (
	i32 = 0x7f
	f32 = 0x7d
	f64 = 0x7c
)

const pageSize = 64 << 10

// u appends an unsigned number in LEB128.
func u(b []byte, n uint32) []byte { return binary.AppendUvarint(b, uint64(n)) }

// s appends a signed number in LEB128.
func s(b []byte, n int32) []byte {
	for {
		low := byte(n & 0x7f)
		n >>= 7
		if n == 0 && low&0x40 == 0 || n == -1 && low&0x40 != 0 {
			return append(b, low)
		}
		b = append(b, low|0x80)
	}
}

// sized appends a length and then the bytes.
func sized(b, content []byte) []byte { return append(u(b, uint32(len(content))), content...) }

// section appends a section with its length.
func section(b []byte, id byte, content []byte) []byte { return sized(append(b, id), content) }

// code is the body of a function as it is written, one instruction a call.
type code struct{ b []byte }

func (c *code) op(bytes ...byte) *code { c.b = append(c.b, bytes...); return c }

func (c *code) get(local uint32) *code { c.b = u(append(c.b, 0x20), local); return c }
func (c *code) set(local uint32) *code { c.b = u(append(c.b, 0x21), local); return c }

func (c *code) int(n int) *code { c.b = s(append(c.b, 0x41), int32(n)); return c }

func (c *code) float(v float64) *code {
	c.b = binary.LittleEndian.AppendUint64(append(c.b, 0x44), math.Float64bits(v))
	return c
}

func (c *code) readGlobal() *code  { return c.op(0x23, 0) }
func (c *code) writeGlobal() *code { return c.op(0x24, 0) }

// loadInt, loadFloat and storeFloat reach an address on the stack plus an
// offset; numbers in memory have four bytes, those on the stack are wider.
func (c *code) loadInt(offset uint32) *code { c.b = u(append(c.b, 0x28, 2), offset); return c }
func (c *code) loadFloat(offset uint32) *code {
	c.b = u(append(c.b, 0x2a, 2), offset)
	return c.op(0xbb) // f64.promote_f32
}

func (c *code) storeFloat(offset uint32) *code {
	c.b = append(c.b, 0xb6) // f32.demote_f64
	c.b = u(append(c.b, 0x38, 2), offset)
	return c
}

// block, loop, when and done are structures without a result; leave and again
// are branches to the enclosing one so many levels up.
func (c *code) block() *code             { return c.op(0x02, 0x40) }
func (c *code) loop() *code              { return c.op(0x03, 0x40) }
func (c *code) when() *code              { return c.op(0x04, 0x40) }
func (c *code) otherwise() *code         { return c.op(0x05) }
func (c *code) done() *code              { return c.op(0x0b) }
func (c *code) leave(level byte) *code   { return c.op(0x0c, level) }
func (c *code) leaveIf(level byte) *code { return c.op(0x0d, level) }

// Instructions without operands.
const (
	i32Eqz    = 0x45
	i32Eq     = 0x46
	i32LtS    = 0x48
	i32GeU    = 0x4f
	i32Add    = 0x6a
	i32Mul    = 0x6c
	i32And    = 0x71
	f64Lt     = 0x63
	f64Gt     = 0x64
	f64Le     = 0x65
	f64Ge     = 0x66
	f64Floor  = 0x9c
	f64Sqrt   = 0x9f
	f64Add    = 0xa0
	f64Sub    = 0xa1
	f64Mul    = 0xa2
	f64Div    = 0xa3
	f64OfI32  = 0xb7 // signed
	f64OfF32  = 0xbb
	endOfCode = 0x0b
)

// locals declares groups of locals of one type.
func locals(groups ...[2]uint32) []byte {
	b := u(nil, uint32(len(groups)))
	for _, g := range groups {
		b = append(u(b, g[0]), byte(g[1]))
	}
	return b
}
