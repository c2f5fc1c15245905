package wallet

// Purpose is what a challenge is for. It is also the primary type of the
// EIP-712 object that a wallet shows.
type Purpose string

// The purposes.
const (
	Registration Purpose = "Registration"
	Recovery     Purpose = "Recovery"
)

// TypedData is the EIP-712 object of a challenge, in the JSON form that wallets
// take (eth_signTypedData_v4). Its domain has a name and version "1" only, no
// chain and no contract; its message is the nonce. It names no key, so it
// convinces the one who made the nonce and nobody else.
type TypedData struct {
	Types       map[string][]TypedField `json:"types"`
	PrimaryType Purpose                 `json:"primaryType"`
	Domain      TypedDomain             `json:"domain"`
	Message     TypedMessage            `json:"message"`
}

// TypedField is a member of an EIP-712 type.
type TypedField struct {
	Name string `json:"name"`
	Type string `json:"type"`
}

// TypedDomain is the EIP-712 domain of our challenges.
type TypedDomain struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// TypedMessage is the EIP-712 message of our challenges.
type TypedMessage struct {
	Nonce string `json:"nonce"`
}

const typedVersion = "1"

// NewTypedData is the object for a purpose, a domain name and a nonce as it
// stands in the challenge (a UUID with its hyphens).
func NewTypedData(p Purpose, domain, nonce string) TypedData {
	return TypedData{
		Types: map[string][]TypedField{
			"EIP712Domain": {{"name", "string"}, {"version", "string"}},
			string(p):      {{"nonce", "string"}},
		},
		PrimaryType: p,
		Domain:      TypedDomain{Name: domain, Version: typedVersion},
		Message:     TypedMessage{Nonce: nonce},
	}
}

// Digest is what the wallet signs: keccak256(0x1901 ‖ domain ‖ struct).
func (t TypedData) Digest() [32]byte {
	domain := t.Domain.Separator()
	typeHash := Keccak256([]byte(string(t.PrimaryType) + "(string nonce)"))
	nonce := Keccak256([]byte(t.Message.Nonce))
	body := Keccak256(typeHash[:], nonce[:])
	return Keccak256([]byte{0x19, 0x01}, domain[:], body[:])
}

// Separator is the EIP-712 hash of the domain.
func (d TypedDomain) Separator() [32]byte {
	typeHash := Keccak256([]byte("EIP712Domain(string name,string version)"))
	name, version := Keccak256([]byte(d.Name)), Keccak256([]byte(d.Version))
	return Keccak256(typeHash[:], name[:], version[:])
}
