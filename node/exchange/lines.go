package exchange

import (
	"bufio"
	"errors"
	"io"
)

// Lines reads a text line by line and never buffers more of one than its limit. A
// line over the limit is passed over, so that whoever reads can name it and go on
// with the next. It is not safe for concurrent use.
type Lines struct {
	in   *bufio.Reader
	most int
	line []byte
}

// NewLines reads lines of up to most bytes, their ends not counted.
func NewLines(r io.Reader, most int) *Lines {
	return &Lines{in: bufio.NewReaderSize(r, 64<<10), most: most}
}

// Next returns the next line without its newline, which is valid until the next
// call, and how many bytes it has. Of a line over the limit it returns nil and the
// size. The error is io.EOF after the last line, or that of reading; a last line
// that the error cuts short is not returned.
func (l *Lines) Next() (line []byte, size int64, err error) {
	l.line = l.line[:0]
	for {
		part, err := l.in.ReadSlice('\n')
		ended := err == nil
		if ended {
			part = part[:len(part)-1]
		}
		size += int64(len(part))
		if size <= int64(l.most) {
			l.line = append(l.line, part...)
		}
		switch {
		case ended, errors.Is(err, io.EOF) && size > 0:
			if size > int64(l.most) {
				return nil, size, nil
			}
			return l.line, size, nil
		case !errors.Is(err, bufio.ErrBufferFull):
			return nil, 0, err
		}
	}
}
