package automerge

import (
	"bufio"
	"io"
	"os/exec"
	"time"
)

// worker is a running worker process. One goroutine at a time may talk to it;
// kill may be called beside that.
type worker struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader

	loaded uint64 // operations it was given so far
}

// startWorker runs argv with an empty environment and without an error output:
// what the library says when it ends may quote documents.
func startWorker(argv []string) (*worker, error) {
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Env = []string{}
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	return &worker{cmd: cmd, in: in, out: bufio.NewReader(out)}, nil
}

func (w *worker) exchange(request []byte) ([]byte, error) {
	if err := writeFrame(w.in, request); err != nil {
		return nil, err
	}
	return w.receive()
}

func (w *worker) receive() ([]byte, error) { return readFrame(w.out, maxReply) }

// kill ends the process at once. Talk in progress fails.
func (w *worker) kill() {
	// Both can only fail because the process has ended, which is what is wanted.
	_ = w.cmd.Process.Kill()
	_ = w.cmd.Wait()
}

// stop ends the process by the end of its input, or by force if that takes long.
func (w *worker) stop() {
	force := time.AfterFunc(stopTimeout, func() { _ = w.cmd.Process.Kill() })
	defer force.Stop()
	_ = w.in.Close()
	_ = w.cmd.Wait()
}
