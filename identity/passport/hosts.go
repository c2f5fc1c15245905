package passport

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/meshd/meshd/identity/did"
	"github.com/meshd/meshd/identity/jcs"
)

// HostDocument is the DID document of a did:web, as far as passports need it:
// which Ed25519 keys the host lists for assertionMethod. Who passes it vouches
// for where it came from; nothing here fetches one.
type HostDocument struct {
	id   string
	keys map[string]did.Key // by DID URL
}

// hostJSON is a document of another's making: members that are not read here may
// be in it. Names count as they are spelt, which encoding/json does not enforce by
// itself.
type hostJSON struct {
	ID        string
	Methods   []hostMethod
	Assertion []json.RawMessage
}

func (j *hostJSON) UnmarshalJSON(data []byte) error {
	return members(data, map[string]any{"id": &j.ID, "verificationMethod": &j.Methods, "assertionMethod": &j.Assertion})
}

type hostMethod struct {
	ID, Type, Controller, Multibase string
	JWK                             *hostJWK
}

func (m *hostMethod) UnmarshalJSON(data []byte) error {
	return members(data, map[string]any{"id": &m.ID, "type": &m.Type, "controller": &m.Controller, "publicKeyMultibase": &m.Multibase, "publicKeyJwk": &m.JWK})
}

type hostJWK struct{ Type, Curve, X string }

func (k *hostJWK) UnmarshalJSON(data []byte) error {
	return members(data, map[string]any{"kty": &k.Type, "crv": &k.Curve, "x": &k.X})
}

// members reads the named members of an object, and leaves the others.
func members(object []byte, into map[string]any) error {
	var m map[string]json.RawMessage
	if err := json.Unmarshal(object, &m); err != nil {
		return err
	}
	for name, v := range into {
		if raw, there := m[name]; there {
			if err := json.Unmarshal(raw, v); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	return nil
}

// ReadHostDocument reads the DID document of a did:web. It returns ErrPassport for
// what is none, for a document that names one method twice, and for one that
// gives a method to another controller and lists it. Keys that are not Ed25519
// are passed over.
func ReadHostDocument(data []byte) (HostDocument, error) {
	if len(data) > MaxHostDocument {
		return HostDocument{}, fmt.Errorf("%w: a DID document of %d bytes, at most %d", ErrPassport, len(data), MaxHostDocument)
	}
	canonical, err := jcs.Canonical(data) // refuses members that are there twice
	if err != nil {
		return HostDocument{}, fmt.Errorf("%w: DID document: %w", ErrPassport, err)
	}
	var j hostJSON
	if err := json.Unmarshal(canonical, &j); err != nil {
		return HostDocument{}, fmt.Errorf("%w: DID document: %w", ErrPassport, err)
	}
	if err := checkWeb(j.ID); err != nil {
		return HostDocument{}, err
	}
	if len(j.Methods) > maxHostMethods || len(j.Assertion) > maxHostMethods {
		return HostDocument{}, fmt.Errorf("%w: DID document: more than %d methods", ErrPassport, maxHostMethods)
	}
	return j.document()
}

// document collects the keys that are listed for assertions.
func (j hostJSON) document() (HostDocument, error) {
	named := map[string]hostMethod{}
	for _, m := range j.Methods {
		id := j.absolute(m.ID)
		if _, twice := named[id]; twice {
			return HostDocument{}, fmt.Errorf("%w: DID document: %.80q twice", ErrPassport, id)
		}
		named[id] = m
	}
	d := HostDocument{j.ID, map[string]did.Key{}}
	for _, raw := range j.Assertion {
		var name string
		var m hostMethod
		if json.Unmarshal(raw, &name) == nil {
			var known bool
			if m, known = named[j.absolute(name)]; !known {
				continue // a method of another document
			}
		} else if json.Unmarshal(raw, &m) != nil {
			return HostDocument{}, fmt.Errorf("%w: DID document: assertionMethod is neither a text nor a method", ErrPassport)
		}
		key, ok := m.key()
		if !ok {
			continue
		}
		id := j.absolute(m.ID)
		if m.Controller != j.ID {
			return HostDocument{}, fmt.Errorf("%w: DID document: %.80q is another's", ErrPassport, id)
		}
		if old, twice := d.keys[id]; twice && old != key {
			return HostDocument{}, fmt.Errorf("%w: DID document: two keys of %.80q", ErrPassport, id)
		}
		d.keys[id] = key
	}
	return d, nil
}

// absolute is the DID URL of a method, which a document may name by its fragment.
func (j hostJSON) absolute(method string) string {
	if strings.HasPrefix(method, "#") {
		return j.ID + method
	}
	return method
}

// key is the Ed25519 key of a method.
func (m hostMethod) key() (did.Key, bool) {
	switch {
	case (m.Type == "Multikey" || m.Type == "Ed25519VerificationKey2020") && m.JWK == nil:
		k, err := did.ParseKey("did:key:" + m.Multibase)
		return k, err == nil
	case (m.Type == "JsonWebKey" || m.Type == "JsonWebKey2020") && m.JWK != nil && m.Multibase == "" && m.JWK.Type == "OKP" && m.JWK.Curve == "Ed25519":
		raw, err := base64.RawURLEncoding.DecodeString(m.JWK.X)
		if err != nil {
			return did.Key{}, false
		}
		k, err := did.KeyFromPublic(raw)
		return k, err == nil
	}
	return did.Key{}, false
}

// ID is the did:web that the document is of.
func (d HostDocument) ID() string { return d.id }

// Resolve is a Resolver for the passports that the host issues.
func (d HostDocument) Resolve(method string) (did.Key, error) {
	k, ok := d.keys[method]
	if !ok {
		return did.Key{}, fmt.Errorf("the DID document of %.80s lists no Ed25519 key of that name for assertions", d.id)
	}
	return k, nil
}
