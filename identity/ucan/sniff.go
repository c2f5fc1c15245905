package ucan

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"io"
	"strings"

	"github.com/meshd/meshd/identity/ucan/strictjson"
)

// Kind is what a credential looks like.
type Kind int

// The kinds of credentials.
const (
	Unknown Kind = iota
	APIKey       // an API key of a gateway
	RoleJWT      // a JWT that is no UCAN
	V0           // a UCAN 0.10 token
	V1           // a container of UCAN 1.x tokens
)

// String names the kind for logs.
func (k Kind) String() string {
	switch k {
	case APIKey:
		return "api key"
	case RoleJWT:
		return "role jwt"
	case V0:
		return "ucan 0.10"
	case V1:
		return "ucan 1.x"
	}
	return "unknown"
}

// KeyPrefix begins every API key.
const KeyPrefix = "mesh_sk_"

// containerStart is the CBOR of a container's beginning: a map with one pair,
// whose key is the text "ctn-v1".
var containerStart = append([]byte{0xa1, 0x66}, "ctn-v1"...)

// Sniff returns by the first bytes which kind a credential is, and so which
// verifier has to judge it; it verifies nothing. A credential over MaxCredential
// is Unknown. A JWT is a 0.10 token when its payload is a JSON object with the
// member "ucv", however spelled, and a role JWT when it is one without; a broken
// payload is Unknown, so that no reader that is less strict gets to see it.
func Sniff(credential string) Kind {
	switch {
	case len(credential) == 0 || len(credential) > MaxCredential:
		return Unknown
	case strings.HasPrefix(credential, KeyPrefix):
		return APIKey
	case strings.HasPrefix(credential, "eyJ") && strings.Count(credential, ".") == 2:
		return sniffJWT(credential)
	case isContainer(credential):
		return V1
	}
	return Unknown
}

func sniffJWT(credential string) Kind {
	payload, err := base64.RawURLEncoding.Strict().DecodeString(strings.Split(credential, ".")[1])
	if err != nil {
		return Unknown
	}
	claims, err := strictjson.Object(payload)
	if err != nil {
		return Unknown
	}
	if _, ok := claims["ucv"]; ok {
		return V0
	}
	return RoleJWT
}

// isContainer decodes the beginning of a UCAN container, the first character of
// which names its encoding. It reads no more than it has to compare, so a
// compressed body cannot make it work.
func isContainer(credential string) bool {
	var body io.Reader = strings.NewReader(credential[1:])
	switch credential[0] {
	case 'B', 'O':
		body = base64.NewDecoder(base64.StdEncoding, body)
	case 'C', 'P':
		body = base64.NewDecoder(base64.RawURLEncoding, body)
	case '@', 'M':
	default:
		return false
	}
	switch credential[0] {
	case 'M', 'O', 'P':
		z, err := gzip.NewReader(body)
		if err != nil {
			return false
		}
		body = z
	}
	start := make([]byte, len(containerStart))
	_, err := io.ReadFull(body, start)
	return err == nil && bytes.Equal(start, containerStart)
}
