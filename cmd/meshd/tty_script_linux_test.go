package main

import (
	"fmt"
	"io"
	"os"
	"regexp"

	"github.com/rogpeppe/go-internal/testscript"
	"golang.org/x/sys/unix"
)

func init() {
	scriptCommands["ontty"], scriptCommands["shown"], scriptCommands["types"] = onTTY, shown, types
}

// onTTY NAME ARG... starts meshd whose input, output and errors are a terminal of its own.
// `shown` waits for what it shows there, `types` answers, `ended` waits for its end.
func onTTY(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: ontty NAME ARG...")
	}
	person, program, err := openTTY()
	ts.Check(err)
	sc := &screen{keyboard: person}
	sc.more.L = &sc.mu
	cmd := meshdCommand(ts, args[1:])
	p := &process{cmd: cmd, ended: make(chan error, 1)}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = program, program, program
	ts.Check(cmd.Start())
	ts.Check(program.Close())
	all := ts.Value(processesKey{}).(*processes)
	all.mu.Lock()
	all.byName[args[0]], all.screens[args[0]] = p, sc
	all.mu.Unlock()
	read := make(chan struct{})
	go func() {
		defer close(read)
		buf := make([]byte, 4096)
		for {
			n, err := person.Read(buf) // ends with EIO when nobody has the terminal
			sc.mu.Lock()
			sc.text, sc.ended = append(sc.text, buf[:n]...), err != nil
			sc.mu.Unlock()
			sc.more.Broadcast()
			if err != nil {
				return
			}
		}
	}()
	go func() {
		err := cmd.Wait()
		<-read
		_ = person.Close()
		p.ended <- err
	}()
}

// shown NAME VARIABLE REGEXP waits until a process has shown something on its terminal,
// and sets a variable to the first group of it.
func shown(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: shown NAME VARIABLE REGEXP")
	}
	all := ts.Value(processesKey{}).(*processes)
	all.mu.Lock()
	sc := all.screens[args[0]]
	all.mu.Unlock()
	want, err := regexp.Compile(args[2])
	ts.Check(err)
	sc.mu.Lock()
	defer sc.mu.Unlock()
	for {
		if found := want.FindSubmatch(sc.text); found != nil {
			ts.Setenv(args[1], string(found[len(found)-1]))
			return
		}
		if sc.ended {
			ts.Fatalf("%s has ended and has not shown %s:\n%s", args[0], args[2], sc.text)
		}
		sc.more.Wait()
	}
}

// types NAME TEXT types a line on the terminal of a process.
func types(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: types NAME TEXT")
	}
	all := ts.Value(processesKey{}).(*processes)
	all.mu.Lock()
	sc := all.screens[args[0]]
	all.mu.Unlock()
	_, err := io.WriteString(sc.keyboard, args[1]+"\n")
	ts.Check(err)
}

// openTTY is a new terminal: the side of a person, and that of a program.
func openTTY() (person, program *os.File, err error) {
	if person, err = os.OpenFile("/dev/ptmx", os.O_RDWR, 0); err != nil {
		return nil, nil, err
	}
	n, err := unix.IoctlGetInt(int(person.Fd()), unix.TIOCGPTN)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(person.Fd()), unix.TIOCSPTLCK, 0)
	}
	if err == nil {
		program, err = os.OpenFile(fmt.Sprintf("/dev/pts/%d", n), os.O_RDWR|unix.O_NOCTTY, 0)
	}
	if err != nil {
		_ = person.Close()
	}
	return person, program, err
}
