package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/meshd/meshd/node/gate/lessons"
)

// asks makes the bytes of request k of connection c.
type asks func(c, k int) []byte

// measured is what a load came to.
type measured struct {
	n, bytes int
	took     time.Duration
	times    []time.Duration // sorted
	err      error
}

func (m measured) rate() float64 { return float64(m.n) / m.took.Seconds() }

// at is the percentile p in milliseconds.
func (m measured) at(p int) float64 {
	if len(m.times) == 0 {
		return 0
	}
	return float64(m.times[min(len(m.times)-1, len(m.times)*p/100)].Microseconds()) / 1000
}

// load asks on conns connections, each one request at a time, for a while. Its
// own cost is small on purpose: the server shares the processors with it.
func load(address string, next asks, conns int, dur time.Duration) measured {
	var wg sync.WaitGroup
	var mu sync.Mutex
	var total measured
	var stop atomic.Bool
	start := time.Now()
	timer := time.AfterFunc(dur, func() { stop.Store(true) })
	defer timer.Stop()
	for c := range conns {
		wg.Go(func() {
			times, size, err := one(address, func(k int) []byte { return next(c, k) }, &stop)
			mu.Lock()
			defer mu.Unlock()
			total.times = append(total.times, times...)
			total.bytes += size
			total.err = errors.Join(total.err, err)
		})
	}
	wg.Wait()
	total.took, total.n = time.Since(start), len(total.times)
	slices.Sort(total.times)
	return total
}

func one(address string, next func(int) []byte, stop *atomic.Bool) (times []time.Duration, size int, err error) {
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return nil, 0, err
	}
	defer conn.Close()
	in := bufio.NewReaderSize(conn, 64<<10)
	for k := 0; !stop.Load(); k++ {
		began := time.Now()
		if _, err := conn.Write(next(k)); err != nil {
			return times, size, err
		}
		n, err := answer(in)
		if err != nil {
			return times, size, err
		}
		times, size = append(times, time.Since(began)), size+n
	}
	return times, size, nil
}

// answer reads one response and returns the bytes of its body. Anything but a
// success, or 304, is an error.
func answer(in *bufio.Reader) (int, error) {
	line, err := in.ReadSlice('\n')
	if err != nil {
		return 0, err
	}
	status := string(line[9:12])
	length := 0
	for {
		h, err := in.ReadSlice('\n')
		if err != nil {
			return 0, err
		}
		if len(h) <= 2 {
			break
		}
		if v, ok := bytes.CutPrefix(h, []byte("Content-Length: ")); ok {
			if length, err = strconv.Atoi(string(bytes.TrimSpace(v))); err != nil {
				return 0, err
			}
		}
	}
	switch status {
	case "200", "201":
		_, err = in.Discard(length)
		return length, err
	case "304":
		return 0, nil
	}
	body, _ := io.ReadAll(io.LimitReader(in, int64(length)))
	return 0, fmt.Errorf("status %s: %.300s", status, body)
}

// questions are GET requests of a path, the same one each time, or with %s one
// domain after the other. The fragment #304 asks with the tag of the reply.
func questions(address, path, key string) (asks, error) {
	path, fragment, _ := strings.Cut(path, "#")
	tag := ""
	if fragment == "304" {
		resp, err := http.Get("http://" + address + path)
		if err != nil {
			return nil, err
		}
		tag = resp.Header.Get("ETag")
		if err := resp.Body.Close(); err != nil {
			return nil, err
		}
	}
	var all [][]byte
	for _, d := range lessons.Domains {
		p := path
		if strings.Contains(path, "%s") {
			p = fmt.Sprintf(path, d)
		}
		req := "GET " + p + " HTTP/1.1\r\nHost: " + address + "\r\nAccept: application/json\r\n"
		if key != "" {
			req += "Authorization: Bearer " + key + "\r\n"
		}
		if tag != "" {
			req += "If-None-Match: " + tag + "\r\n"
		}
		all = append(all, []byte(req+"\r\n"))
	}
	return func(c, k int) []byte { return all[(c+k)%len(all)] }, nil
}

// bare gives the bare handler the bytes that the gateway answers, and asks with
// the same requests.
func bare(at serving, next asks) (asks, error) {
	conn, err := net.Dial("tcp", at.Address)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	if _, err := conn.Write(next(0, 0)); err != nil {
		return nil, err
	}
	resp, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return nil, err
	}
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		return nil, err
	}
	set, err := http.Post("http://"+at.Bare+"/?status="+strconv.Itoa(resp.StatusCode), "application/json", bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	return next, set.Body.Close()
}

// contributions are entries that no other one resembles, of one agent for each
// connection.
func contributions(address string, keys []string) asks {
	began := time.Now().UnixNano()
	return func(c, k int) []byte {
		raw, err := json.Marshal(map[string]any{"type": "gotcha", "domain": lessons.Domains[c%len(lessons.Domains)], "content": lessons.Text(int(began%1_000_000)*1000 + c*100_000 + k)})
		if err != nil {
			panic(err) // texts and numbers encode
		}
		return fmt.Appendf(nil, "POST /api/mesh/contribute HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\nContent-Type: application/json\r\nIdempotency-Key: %d-%d-%d\r\nContent-Length: %d\r\n\r\n%s",
			address, keys[c%len(keys)], began, c, k, len(raw), raw)
	}
}
