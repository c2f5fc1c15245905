package config

import (
	"errors"
	"net/url"
	"regexp"
	"strings"
)

// validateTLS checks that what encryption needs is there, and that nothing is
// set which would have no effect.
func (g *Gateway) validateTLS() Faults {
	var fs Faults
	fault := func(key, text string) { fs = append(fs, Fault{Key: key, Text: text}) }
	if g.TLS != "off" && !g.Enabled {
		fault("gateway.tls", "needs gateway.enabled: the local role speaks plain HTTP on loopback")
	}
	if g.TLS == "files" && (g.TLSCert == "" || g.TLSKey == "") {
		fault("gateway.tls", "files needs gateway.tls_cert and gateway.tls_key")
	}
	if g.TLS != "files" && g.TLSCert+g.TLSKey != "" {
		fault("gateway.tls_cert", "has an effect with gateway.tls: files only")
	}
	if g.TLS == "acme" && len(g.ACMEDomains) == 0 {
		fault("gateway.tls", "acme needs gateway.acme_domains")
	}
	if g.TLS != "acme" && len(g.ACMEDomains) > 0 {
		fault("gateway.acme_domains", "has an effect with gateway.tls: acme only")
	}
	if g.TLS != "off" && g.PublicURL != "" && !strings.HasPrefix(g.PublicURL, "https://") {
		fault("gateway.public_url", "must begin with https:// when gateway.tls is on")
	}
	if g.RedirectListen != "" {
		switch {
		case g.TLS == "off":
			fault("gateway.redirect_listen", "needs gateway.tls")
		case g.PublicURL == "":
			fault("gateway.redirect_listen", "needs gateway.public_url to send callers to")
		}
		if !g.Enabled && !isLoopback(g.RedirectListen) && hostPort(g.RedirectListen) == nil {
			fault("gateway.redirect_listen", "an address that is not loopback needs gateway.enabled")
		}
	}
	return fs
}

var domainForm = regexp.MustCompile(`^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$`)

// domainName accepts a host name in the form of DNS. Wildcards need a challenge
// by DNS, which is not supported here.
func domainName(s string) error {
	if len(s) > 253 || !domainForm.MatchString(s) {
		return errors.New("want a host name in lower case such as mesh.example.org")
	}
	return nil
}

func httpsURL(v any) error {
	u, err := url.Parse(v.(string))
	if err != nil || u.Scheme != "https" || u.Host == "" || u.User != nil {
		return errors.New("want a web address that begins with https://")
	}
	return nil
}
