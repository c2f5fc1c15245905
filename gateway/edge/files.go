package edge

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"sync/atomic"
	"time"
)

// Certificates are what a TLS listener shows. Implementations are safe for
// concurrent use.
type Certificates interface {
	// TLS is the configuration of the listener.
	TLS() *tls.Config
	// Serve keeps the certificates fresh until ctx ends.
	Serve(ctx context.Context) error
	// Reload looks for newer certificates at once.
	Reload() error
}

var _ Certificates = (*Files)(nil)

// Files is a certificate of the operator's own, read again when its files
// change. A broken pair, or one half of a pair that is being replaced, leaves the
// last good one in force.
type Files struct {
	certPath, keyPath string
	log               *slog.Logger
	current           atomic.Pointer[tls.Certificate]
	seen              atomic.Pointer[[2]stamp] // of the files that were looked at last
}

// stamp distinguishes two states of a file.
type stamp struct {
	at   time.Time
	size int64
}

// FromFiles reads a certificate with its chain and its key, both PEM.
func FromFiles(certPath, keyPath string, log *slog.Logger) (*Files, error) {
	f := &Files{certPath: certPath, keyPath: keyPath, log: log}
	if err := f.Reload(); err != nil {
		return nil, err
	}
	return f, nil
}

// Reload reads the files and puts the pair into force.
func (f *Files) Reload() error {
	f.seen.Store(f.look())
	certPEM, err := readPEM(f.certPath)
	if err != nil {
		return fmt.Errorf("read certificate: %w", err)
	}
	keyPEM, err := readPEM(f.keyPath)
	if err != nil {
		return fmt.Errorf("read key of certificate: %w", err)
	}
	pair, err := tls.X509KeyPair(certPEM, keyPEM)
	if err != nil {
		return fmt.Errorf("read certificate: %w", err)
	}
	f.current.Store(&pair)
	return nil
}

func (f *Files) look() *[2]stamp {
	var s [2]stamp
	for i, path := range []string{f.certPath, f.keyPath} {
		if info, err := os.Stat(path); err == nil {
			s[i] = stamp{info.ModTime(), info.Size()}
		}
	}
	return &s
}

// Serve looks at the files every half minute.
func (f *Files) Serve(ctx context.Context) error {
	tick := time.NewTicker(certPoll)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
			if *f.look() == *f.seen.Load() {
				continue
			}
			if err := f.Reload(); err != nil {
				f.log.Warn("certificate kept as it was", "error", err)
				continue
			}
			f.log.Info("certificate read again", "ends", f.current.Load().Leaf.NotAfter)
		}
	}
}

// TLS shows the pair in force.
func (f *Files) TLS() *tls.Config {
	return baseTLS(func(*tls.ClientHelloInfo) (*tls.Certificate, error) { return f.current.Load(), nil })
}

func baseTLS(get func(*tls.ClientHelloInfo) (*tls.Certificate, error)) *tls.Config {
	return &tls.Config{MinVersion: tls.VersionTLS12, GetCertificate: get, NextProtos: []string{"h2", "http/1.1"}}
}

func readPEM(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxPEM+1))
	if err == nil && len(b) > maxPEM {
		err = errors.New("file is too long")
	}
	return b, err
}
