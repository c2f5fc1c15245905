// Package config turns what the owner wrote into one checked Config.
//
// Settings come from five layers, each over the one before: the defaults, the
// profile, the YAML file, the environment (MESHD_<SECTION>_<KEY>) and the flags.
// Load reads them all, remembers where each value came from, and reports every
// fault of every layer at once, each with its place. Nothing in the node but
// this package and cmd/meshd reads a flag, the environment or the file.
//
// Every key is one row of the table in keys.go: name, type, default, range,
// whether it can change while the node runs, and a sentence of help. Parser,
// listing and commented file (Sample) are made from that table, so they cannot disagree.
//
// Start with Load; a command that writes a new file uses Sample. To add a key,
// add the field here and its row there; a test finds either without the other.
package config

import "time"

// Config is every setting of a node. It is plain data: copying it is safe as
// long as the slices are treated as read-only. Make one with Default or Load.
type Config struct {
	Node      Node
	Network   Network
	P2P       P2P
	Gateway   Gateway
	Limits    Limits
	Events    Events
	Admission Admission

	Mesh       Mesh
	Moderation Moderation
	Storage    Storage
	State      State
	Vault      Vault
	Wallet     Wallet
	Market     Market
	X402       X402
	Auth       Auth
	OAuth      OAuth
	Log        Log
}

// Node names the node and the profile its defaults come from.
type Node struct {
	Name    string
	Profile string
}

// Network says which network the node is part of and whom it asks first.
type Network struct {
	File      string // network file; empty: the built-in network
	Bootstrap []string
}

// P2P steers the peer-to-peer host.
type P2P struct {
	Listen          []string
	Announce        []string // empty: what the host finds out about itself
	Loopback        bool
	Gossip          bool
	MDNS            bool
	PortMapping     bool
	RelayService    bool
	Reachable       string // ReachableAuto or ReachablePublic
	ConnectionsLow  int
	ConnectionsHigh int
	SyncInterval    time.Duration
}

// What P2P.Reachable says.
const (
	ReachableAuto   = "auto"
	ReachablePublic = "public"
)

// Gateway steers the HTTP listener, in its local role or, with Enabled, in its
// public one.
type Gateway struct {
	Enabled               bool
	Listen                string
	AdminListen           string // empty: metrics and pprof on the control socket only
	PublicURL             string // empty: the listen address
	Welcome               string // empty: one line naming the network
	PublishNetwork        bool
	StartingCredits       int // of an agent that is hosted here
	TrustedProxies        []string
	AllowedOrigins        []string
	MCPToolsets           []string // empty: those that a gateway lists by itself
	ConnectionsPerAddress int
	DrainDelay            time.Duration
	TLS                   string // off, files or acme
	TLSCert               string // files relative to the home folder
	TLSKey                string
	ACMEDomains           []string
	ACMEEmail             string
	ACMEDirectory         string // empty: Let's Encrypt
	ACMERoot              string // file with the roots of a private directory
	RedirectListen        string // empty: no plain HTTP beside TLS
}

// State is where the gateway keeps what is not knowledge.
type State struct {
	Postgres   Secret // connection string; empty: SQLite in the home folder
	SecretFile string // shared by the gateways of one database; empty: the node's own secret
}

// Limits are the request quantities a minute, for callers with a key and for
// anonymous ones. Mode says whether they apply.
type Limits struct {
	Mode                string // auto, on or off
	Read                int
	ReadAnonymous       int
	Search              int
	SearchAnonymous     int
	Write               int
	Contribute          int
	Register            int
	RegisterAnonymous   int
	Comment             int
	Vote                int
	Message             int
	Quickstart          int
	QuickstartAnonymous int
}

// Events bound what a reader of a stream who comes back can get.
type Events struct {
	Replay int // newest events that are kept
	Keep   time.Duration
}

// Applied reports whether request limits are in force for a node whose gateway
// role is public or not. In mode auto the local role has none.
func (l Limits) Applied(public bool) bool {
	return l.Mode == "on" || l.Mode == "auto" && public
}

// Admission are the local rules of what is relayed and shown at once. They
// never decide validity, so nodes may differ in them.
type Admission struct {
	ClockAhead    time.Duration
	PeerPerSecond int

	// What comes from others, as in the package admission. This node's own agents
	// have no limit.
	AuthorPerMinute    int
	TreePerMinute      int
	GuildPerMinute     int
	HomePerMinute      int
	StrangersPerMinute int
	GiverPerSecond     int
	AuthorBodies       int
	AuthorBytes        Size
	TreeBodies         int
	TreeBytes          Size
	Held               int
}

// Mesh is what this node offers to newcomers.
type Mesh struct {
	Lobby string // id of the public guild that a quickstart joins; "" for none
}

// Moderation says whose labels this node follows, and what it does about them.
type Moderation struct {
	Labelers   []string // did:key of those who decide what is shown here
	Admins     []string // agents that may decide and use the admin interface
	Spam       string   // hide, blur, refuse or none
	Secret     string
	Fabricated string
	Abuse      string
	Duplicate  string
	Unjudged   string // what to do with entries that detectors have not seen: last or blur
}

// Where entries stand that detectors have not seen yet.
const (
	UnjudgedLast = "last" // behind all others
	UnjudgedBlur = "blur" // in their place, their text on demand only
)

// What a node does about a label of a labeler it follows.
const (
	ModerateHide   = "hide"
	ModerateBlur   = "blur"   // its text is shown on demand only
	ModerateRefuse = "refuse" // hide it and do not relay it
	ModerateNone   = "none"   // show the label and nothing else
)

// Storage steers the change log and its derived files.
type Storage struct {
	Engine             string // pebble, leveldb or memory
	Dir                string // relative to the home folder
	CacheSize          Size
	CheckpointInterval time.Duration
	MinFreeDisk        Size
}

// Vault says how the keys at rest are unlocked. At most one of the three is
// set; with none a key file is made in the home folder.
type Vault struct {
	Passphrase     Secret
	PassphraseFile string
	KeyFile        string
}

// Wallet steers how wallets prove themselves to this node.
type Wallet struct {
	Domains []string // names of the typed-data domain; the first is offered
	Chain   int      // number of the EVM chain that new wallets are recorded on
}

// Market is what this gateway takes of sales.
type Market struct {
	FeeBPS int // hundredths of a percent
}

// X402 says how payments from outside are taken. Without PayTo none are.
type X402 struct {
	PayTo       string // address of the wallet that is paid to
	Network     string
	Facilitator string // address of the service that sends payments to the chain; "" for small ones alone
	TreasuryKey string // file with the secret of PayTo; "" pays nothing out
}

// Auth steers which tokens this node takes beside API keys.
type Auth struct {
	Order       []string // capability and jwt: which decides first when both are presented
	JWTKeys     string   // file with a JWK set; empty: no role tokens are taken
	JWTIssuer   string
	JWTAudience string
}

// OAuth says whose access tokens this gateway takes beside API keys.
type OAuth struct {
	Issuers    []string // empty: none
	KeySets    []string // of each issuer, in the same order: a file with a JWK set or its address
	Audience   string   // empty: the address of the MCP server
	AgentClaim string
	Scopes     []string // theirs=ours; empty: they have our names
}

// Log steers the log of the process.
type Log struct {
	Level  string
	Format string
	Access string // file of the access log, relative to the home folder; "-": standard output, "": none
}

// Default returns the settings of a node nobody configured.
func Default() Config {
	var c Config
	for i := range table {
		table[i].assign(&c, table[i].mustParse(table[i].Default))
	}
	return c
}
