package instance

import (
	"github.com/meshd/meshd/gateway"
	"github.com/meshd/meshd/gateway/edge"
	"github.com/meshd/meshd/node/config"
	"github.com/meshd/meshd/node/store"
)

// tlsOf are the settings of the listener's encryption with their paths resolved.
func tlsOf(home *store.Home, g config.Gateway) gateway.TLS {
	t := gateway.TLS{Mode: g.TLS, Redirect: g.RedirectListen}
	switch g.TLS {
	case "files":
		t.CertFile, t.KeyFile = home.Resolve(g.TLSCert), home.Resolve(g.TLSKey)
	case "acme":
		t.ACME = edge.ACMEConfig{Domains: g.ACMEDomains, Email: g.ACMEEmail, Directory: g.ACMEDirectory, Dir: home.Path("tls")}
		if g.ACMERoot != "" {
			t.ACME.RootFile = home.Resolve(g.ACMERoot)
		}
	}
	return t
}
