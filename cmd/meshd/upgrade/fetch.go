package upgrade

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"syscall"
)

// kept is a copy of an archive that nobody else can change between its check and its use.
type kept struct{ *os.File }

func (k kept) drop() { _ = errors.Join(k.Close(), os.Remove(k.Name())) } // of a file of ours in the folder for such

// fetchArchive copies an archive, and returns its SHA-256.
func fetchArchive(ctx context.Context, from string, loopback bool) (_ kept, sum [sha256.Size]byte, err error) {
	f, err := os.CreateTemp("", "meshd-archive-")
	if err != nil {
		return kept{}, sum, fmt.Errorf("fetch archive: %w", err)
	}
	k := kept{f}
	defer func() {
		if err != nil {
			k.drop()
		}
	}()
	h := sha256.New()
	if err := fetch(ctx, from, loopback, io.MultiWriter(f, h), maxArchive); err != nil {
		return kept{}, sum, fmt.Errorf("fetch archive: %w", err)
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return kept{}, sum, fmt.Errorf("fetch archive: %w", err)
	}
	return k, [sha256.Size]byte(h.Sum(nil)), nil
}

// fetchSmall reads a list of sums or a signature.
func fetchSmall(ctx context.Context, from string, loopback bool) ([]byte, error) {
	var b limited
	err := fetch(ctx, from, loopback, &b, maxSums)
	return b.bytes, err
}

type limited struct{ bytes []byte }

func (l *limited) Write(p []byte) (int, error) {
	l.bytes = append(l.bytes, p...)
	return len(p), nil
}

// fetch copies a file or what a URL answers, of at most so many bytes.
func fetch(ctx context.Context, from string, loopback bool, to io.Writer, most int64) error {
	ctx, cancel := context.WithTimeout(ctx, fetchWithin)
	defer cancel()
	in, err := open(ctx, from, loopback)
	if err != nil {
		return err
	}
	defer func() { _ = in.Close() }() // only read
	n, err := io.Copy(to, io.LimitReader(in, most+1))
	if err == nil && n > most {
		err = fmt.Errorf("%s has more than %d bytes", from, most)
	}
	return err
}

func open(ctx context.Context, from string, loopback bool) (io.ReadCloser, error) {
	if !remote(from) {
		return os.Open(from)
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, from, nil)
	if err != nil {
		return nil, err
	}
	dialer := &net.Dialer{}
	if loopback {
		dialer.Control = thisMachine
	}
	client := &http.Client{Transport: &http.Transport{DialContext: dialer.DialContext, DisableKeepAlives: true, Proxy: proxyUnless(loopback)}}
	resp, err := client.Do(req)
	if err != nil {
		return nil, err
	}
	if resp.StatusCode != http.StatusOK {
		return nil, errors.Join(fmt.Errorf("%s answers %s", from, resp.Status), resp.Body.Close())
	}
	return resp.Body, nil
}

func proxyUnless(loopback bool) func(*http.Request) (*url.URL, error) {
	if loopback {
		return nil
	}
	return http.ProxyFromEnvironment
}

// thisMachine refuses connections to others where the settings say loopback.
func thisMachine(_, address string, _ syscall.RawConn) error {
	if at, err := netip.ParseAddrPort(address); err != nil || !at.Addr().IsLoopback() {
		return fmt.Errorf("%s is another machine, and loopback is set", address)
	}
	return nil
}
