package agentcard

import (
	"fmt"
	"slices"
)

// Scheme is one way to authenticate: exactly one of its members is set. The
// flows that OAuth has given up (implicit, password) are not among them.
type Scheme struct {
	APIKey *APIKeyScheme `json:"apiKeySecurityScheme,omitempty"`
	HTTP   *HTTPScheme   `json:"httpAuthSecurityScheme,omitempty"`
	OAuth2 *OAuth2Scheme `json:"oauth2SecurityScheme,omitempty"`
	OpenID *OpenIDScheme `json:"openIdConnectSecurityScheme,omitempty"`
	MTLS   *MTLSScheme   `json:"mtlsSecurityScheme,omitempty"`
}

// APIKeyScheme is a key in a header, the query or a cookie.
type APIKeyScheme struct {
	Description string `json:"description,omitempty"`
	Location    string `json:"location"`
	Name        string `json:"name"`
}

// HTTPScheme is an Authorization header.
type HTTPScheme struct {
	Description  string `json:"description,omitempty"`
	Scheme       string `json:"scheme"`
	BearerFormat string `json:"bearerFormat,omitempty"`
}

// OAuth2Scheme is OAuth 2.0 with exactly one flow.
type OAuth2Scheme struct {
	Description string `json:"description,omitempty"`
	Flows       Flows  `json:"flows"`
	MetadataURL string `json:"oauth2MetadataUrl,omitempty"`
}

// Flows is the one flow.
type Flows struct {
	AuthorizationCode *AuthorizationCodeFlow `json:"authorizationCode,omitempty"`
	ClientCredentials *ClientCredentialsFlow `json:"clientCredentials,omitempty"`
	DeviceCode        *DeviceCodeFlow        `json:"deviceCode,omitempty"`
}

// AuthorizationCodeFlow is the flow of a browser.
type AuthorizationCodeFlow struct {
	AuthorizationURL string            `json:"authorizationUrl"`
	TokenURL         string            `json:"tokenUrl"`
	RefreshURL       string            `json:"refreshUrl,omitempty"`
	Scopes           map[string]string `json:"scopes"`
	PKCERequired     bool              `json:"pkceRequired,omitempty"`
}

// ClientCredentialsFlow is the flow of a service.
type ClientCredentialsFlow struct {
	TokenURL   string            `json:"tokenUrl"`
	RefreshURL string            `json:"refreshUrl,omitempty"`
	Scopes     map[string]string `json:"scopes"`
}

// DeviceCodeFlow is the flow of a device without a browser.
type DeviceCodeFlow struct {
	DeviceURL  string            `json:"deviceAuthorizationUrl"`
	TokenURL   string            `json:"tokenUrl"`
	RefreshURL string            `json:"refreshUrl,omitempty"`
	Scopes     map[string]string `json:"scopes"`
}

// OpenIDScheme is OpenID Connect.
type OpenIDScheme struct {
	Description string `json:"description,omitempty"`
	URL         string `json:"openIdConnectUrl"`
}

// MTLSScheme is a client certificate.
type MTLSScheme struct {
	Description string `json:"description,omitempty"`
}

func (s Scheme) validate(v *validator, at string) {
	set := 0
	if k := s.APIKey; k != nil {
		set++
		v.text(at+".description", k.Description, false)
		v.text(at+".name", k.Name, true)
		if !slices.Contains([]string{"header", "query", "cookie"}, k.Location) {
			v.fault("%s.location: want header, query or cookie", at)
		}
	}
	if h := s.HTTP; h != nil {
		set++
		v.text(at+".description", h.Description, false)
		v.text(at+".scheme", h.Scheme, true)
		v.text(at+".bearerFormat", h.BearerFormat, false)
	}
	if o := s.OAuth2; o != nil {
		set++
		v.text(at+".description", o.Description, false)
		v.optionalURL(at+".oauth2MetadataUrl", o.MetadataURL)
		o.Flows.validate(v, at+".flows")
	}
	if o := s.OpenID; o != nil {
		set++
		v.text(at+".description", o.Description, false)
		v.url(at+".openIdConnectUrl", o.URL)
	}
	if m := s.MTLS; m != nil {
		set++
		v.text(at+".description", m.Description, false)
	}
	if set != 1 {
		v.fault("%s: %d kinds of scheme, want one", at, set)
	}
}

func (f Flows) validate(v *validator, at string) {
	set := 0
	if c := f.AuthorizationCode; c != nil {
		set++
		v.url(at+".authorizationCode.authorizationUrl", c.AuthorizationURL)
		v.flow(at+".authorizationCode", c.TokenURL, c.RefreshURL, c.Scopes)
	}
	if c := f.ClientCredentials; c != nil {
		set++
		v.flow(at+".clientCredentials", c.TokenURL, c.RefreshURL, c.Scopes)
	}
	if c := f.DeviceCode; c != nil {
		set++
		v.url(at+".deviceCode.deviceAuthorizationUrl", c.DeviceURL)
		v.flow(at+".deviceCode", c.TokenURL, c.RefreshURL, c.Scopes)
	}
	if set != 1 {
		v.fault("%s: %d flows, want one", at, set)
	}
}

func (v *validator) flow(at, token, refresh string, scopes map[string]string) {
	v.url(at+".tokenUrl", token)
	v.optionalURL(at+".refreshUrl", refresh)
	if scopes == nil {
		v.fault("%s.scopes: missing", at)
	}
	v.list(at+".scopes", len(scopes), false)
	for name, text := range scopes {
		v.text(fmt.Sprintf("%s.scopes[%.80q]", at, name), text, false)
	}
}

func (v *validator) optionalURL(at, s string) {
	if s != "" {
		v.url(at, s)
	}
}
