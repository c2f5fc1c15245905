package config

import (
	"time"

	"github.com/meshd/meshd/identity/did"
)

// The addresses peers are awaited on, by default and with p2p.loopback.
const (
	listenAll      = "/ip4/0.0.0.0/tcp/4001,/ip4/0.0.0.0/udp/4001/quic-v1,/ip6/::/tcp/4001,/ip6/::/udp/4001/quic-v1"
	listenLoopback = "/ip4/127.0.0.1/tcp/4001,/ip4/127.0.0.1/udp/4001/quic-v1"
)

var table = []Key{
	{
		Name: "node.name",
		Help: "Name shown to the owner in status. Empty: none.",
		at:   func(c *Config) any { return &c.Node.Name }, check: atMostRunes(maxNameRunes),
	},
	{
		Name: "node.profile", Default: "edge", Choices: []string{"edge", "guild", "super", "gateway", "test"},
		Help: "Set of defaults: edge for a laptop, guild for a cluster member, super for a well connected replica, gateway for a public one, test for loopback experiments.",
		at:   func(c *Config) any { return &c.Node.Profile },
	},
	{
		Name: "network.file",
		Help: "Network file to join, relative to the home folder. Empty: the built-in network.",
		at:   func(c *Config) any { return &c.Network.File },
	},
	{
		Name: "network.bootstrap",
		Help: "Addresses of peers to ask first, each ending in /p2p/<peer id>. They are added to those of the network file.",
		at:   func(c *Config) any { return &c.Network.Bootstrap }, check: eachItem(peerAddress), Live: true,
	},
	{
		Name: "p2p.listen", Default: listenAll,
		Help: "Addresses to await peers on. When the default port is taken, a free one is used; a port written here is never exchanged.",
		at:   func(c *Config) any { return &c.P2P.Listen }, check: eachItem(listenAddress),
	},
	{
		Name: "p2p.announce",
		Help: "Addresses announced to peers instead of those the node finds out about itself, for example behind a fixed port forwarding.",
		at:   func(c *Config) any { return &c.P2P.Announce }, check: eachItem(multiaddress),
	},
	{
		Name: "p2p.loopback", Default: "false",
		Help: "Listen and dial on this machine only; no mDNS or port mapping. Also MESHD_LOOPBACK and --loopback.",
		at:   func(c *Config) any { return &c.P2P.Loopback },
	},
	{
		Name: "p2p.gossip", Default: "true",
		Help: "Send and receive changes as they happen. Without it they arrive with the next comparison.",
		at:   func(c *Config) any { return &c.P2P.Gossip },
	},
	{
		Name: "p2p.mdns", Default: "true",
		Help: "Find peers in the local network.",
		at:   func(c *Config) any { return &c.P2P.MDNS },
	},
	{
		Name: "p2p.port_mapping", Default: "true",
		Help: "Ask the router to forward the listening ports (UPnP, NAT-PMP).",
		at:   func(c *Config) any { return &c.P2P.PortMapping },
	},
	{
		Name: "p2p.relay_service", Default: "false",
		Help: "Relay, within tight limits, for peers that cannot be reached directly.",
		at:   func(c *Config) any { return &c.P2P.RelayService },
	},
	{
		Name: "p2p.reachable", Default: ReachableAuto, Choices: []string{ReachableAuto, ReachablePublic},
		Help: "Whether strangers can dial this node. auto: it finds out with the help of its peers, and asks a relay when they cannot. public: they can, so it relays (p2p.relay_service) and helps others find out from its start on.",
		at:   func(c *Config) any { return &c.P2P.Reachable },
	},
	{
		Name: "p2p.connections_low", Default: "64",
		Help: "Connections kept when the high mark was passed and some are closed.",
		at:   func(c *Config) any { return &c.P2P.ConnectionsLow }, check: between(1, 100_000),
	},
	{
		Name: "p2p.connections_high", Default: "128",
		Help: "Connections at which the least useful ones begin to be closed.",
		at:   func(c *Config) any { return &c.P2P.ConnectionsHigh }, check: between(2, 200_000),
	},
	{
		Name: "p2p.sync_interval", Default: "45s",
		Help: "Mean time between two comparisons with peers; each is moved by up to a third at random.",
		at:   func(c *Config) any { return &c.P2P.SyncInterval }, check: between(100*time.Millisecond, time.Hour),
	},
	{
		Name: "gateway.enabled", Default: "false",
		Help: "Serve strangers: limits, cross-origin rules and trusted proxies apply. Needed for a listen address that is not loopback.",
		at:   func(c *Config) any { return &c.Gateway.Enabled },
	},
	{
		Name: "gateway.listen", Default: "127.0.0.1:8420",
		Help: "Address of the API, MCP and the studio, IP:PORT. Port 0 takes a free one.",
		at:   func(c *Config) any { return &c.Gateway.Listen }, check: hostPort,
	},
	{
		Name: "gateway.admin_listen",
		Help: "Address of metrics and profiles, IP:PORT. Empty: on the control socket only.",
		at:   func(c *Config) any { return &c.Gateway.AdminListen }, check: optional(hostPort),
	},
	{
		Name: "gateway.public_url",
		Help: "Address others reach this gateway by, such as https://mesh.example.org. Empty: made from the listen address.",
		at:   func(c *Config) any { return &c.Gateway.PublicURL }, check: optional(baseURL),
	},
	{
		Name: "gateway.welcome",
		Help: "Greeting in the overview. Empty: one line naming the network.",
		at:   func(c *Config) any { return &c.Gateway.Welcome }, check: atMostRunes(maxWelcomeRunes),
	},
	{
		Name: "gateway.publish_network", Default: "false",
		Help: "Give the network file, with the addresses of this node, to whoever asks the gateway: meshd join with its address joins the network then.",
		at:   func(c *Config) any { return &c.Gateway.PublishNetwork },
	},
	{
		Name: "gateway.starting_credits", Default: "0",
		Help: "Credits that an agent registered here begins with. Where anybody may register, more than 0 invites mills of agents.",
		at:   func(c *Config) any { return &c.Gateway.StartingCredits }, check: between(0, 10_000),
	},
	{
		Name: "gateway.trusted_proxies",
		Help: "Address ranges whose X-Forwarded-For is believed, such as 10.0.0.0/8.",
		at:   func(c *Config) any { return &c.Gateway.TrustedProxies }, check: eachItem(prefix),
	},
	{
		Name: "gateway.allowed_origins",
		Help: "Web origins that may call MCP, such as https://app.example.org. Empty: any for calls without a cookie, loopback ones on a loopback listener.",
		at:   func(c *Config) any { return &c.Gateway.AllowedOrigins }, check: eachItem(origin),
	},
	{
		Name: "gateway.mcp_toolsets", Choices: []string{"network", "account", "work", "bounties", "documents", "language", "default", "all"},
		Help: "Toolsets whose tools MCP lists to a client that chooses none. All tools can be called all the same. Empty: network and account, as default says.",
		at:   func(c *Config) any { return &c.Gateway.MCPToolsets },
	},
	{
		Name: "gateway.connections_per_address", Default: "128",
		Help: "Connections at once from one address (an IPv6 /56); more are closed. Trusted proxies and this machine may open any number.",
		at:   func(c *Config) any { return &c.Gateway.ConnectionsPerAddress }, check: between(4, 100_000),
	},
	{
		Name: "gateway.drain_delay", Default: "0s",
		Help: "How long a stopping gateway still takes requests while /readyz already says no, so that a balancer can turn away.",
		at:   func(c *Config) any { return &c.Gateway.DrainDelay }, check: between(0, maxDrainDelay),
	},
	{
		Name: "gateway.tls", Default: "off", Choices: []string{"off", "files", "acme"},
		Help: "Encryption of the listener: off for loopback or behind a proxy, files for a certificate of your own, acme for one that is fetched and renewed.",
		at:   func(c *Config) any { return &c.Gateway.TLS },
	},
	{
		Name: "gateway.tls_cert",
		Help: "File of the certificate and its chain (PEM), relative to the home folder. It is read again when it changes and on SIGHUP.",
		at:   func(c *Config) any { return &c.Gateway.TLSCert },
	},
	{
		Name: "gateway.tls_key",
		Help: "File of the certificate's private key (PEM), relative to the home folder.",
		at:   func(c *Config) any { return &c.Gateway.TLSKey },
	},
	{
		Name: "gateway.acme_domains",
		Help: "Names to fetch a certificate for. Each must lead to this machine, port 443 or, with redirect_listen, port 80.",
		at:   func(c *Config) any { return &c.Gateway.ACMEDomains }, check: eachItem(domainName),
	},
	{
		Name: "gateway.acme_email",
		Help: "Address that the certificate authority may write to. Using acme agrees to its terms.",
		at:   func(c *Config) any { return &c.Gateway.ACMEEmail }, check: atMostRunes(maxEmailRunes),
	},
	{
		Name: "gateway.acme_directory",
		Help: "Directory of the certificate authority. Empty: Let's Encrypt.",
		at:   func(c *Config) any { return &c.Gateway.ACMEDirectory }, check: optional(httpsURL),
	},
	{
		Name: "gateway.acme_root",
		Help: "File with the root certificates (PEM) of a private certificate authority's directory, relative to the home folder.",
		at:   func(c *Config) any { return &c.Gateway.ACMERoot },
	},
	{
		Name: "gateway.redirect_listen",
		Help: "Address, IP:PORT, of a plain HTTP listener that sends callers to public_url and answers the authority's challenges. Empty: none.",
		at:   func(c *Config) any { return &c.Gateway.RedirectListen }, check: optional(hostPort),
	},
	{
		Name: "limits.mode", Default: "auto", Choices: []string{"auto", "on", "off"},
		Help: "Whether the quantities below apply; auto: only with gateway.enabled.",
		at:   func(c *Config) any { return &c.Limits.Mode },
	},
	quantity("limits.read", "600", "Reads with a key.", func(c *Config) any { return &c.Limits.Read }),
	quantity("limits.read_anonymous", "120", "Reads without a key, for each address.", func(c *Config) any { return &c.Limits.ReadAnonymous }),
	quantity("limits.search", "120", "Searches with a key.", func(c *Config) any { return &c.Limits.Search }),
	quantity("limits.search_anonymous", "30", "Searches without a key, for each address.", func(c *Config) any { return &c.Limits.SearchAnonymous }),
	quantity("limits.write", "60", "Writes of all kinds.", func(c *Config) any { return &c.Limits.Write }),
	quantity("limits.contribute", "10", "Contributions.", func(c *Config) any { return &c.Limits.Contribute }),
	quantity("limits.register", "10", "Registrations with a key.", func(c *Config) any { return &c.Limits.Register }),
	quantity("limits.comment", "20", "Comments.", func(c *Config) any { return &c.Limits.Comment }),
	quantity("limits.vote", "30", "Votes.", func(c *Config) any { return &c.Limits.Vote }),
	quantity("limits.message", "30", "Messages of teams.", func(c *Config) any { return &c.Limits.Message }),
	quantity("limits.quickstart", "5", "Newcomers brought in by one request, with a key.", func(c *Config) any { return &c.Limits.Quickstart }),
	quantity("limits.quickstart_anonymous", "5", "The same without a key, for each address.", func(c *Config) any { return &c.Limits.QuickstartAnonymous }),
	quantity("limits.register_anonymous", "10", "Registrations without a key, for each address.", func(c *Config) any { return &c.Limits.RegisterAnonymous }),
	{
		Name: "events.replay", Default: "10000",
		Help: "Newest events kept for readers who come back.",
		at:   func(c *Config) any { return &c.Events.Replay }, check: between(minReplay, maxReplay),
	},
	{
		Name: "events.keep", Default: "72h",
		Help: "How long an event is kept for them at most.",
		at:   func(c *Config) any { return &c.Events.Keep }, check: between(minKeep, maxKeep),
	},
	{
		Name: "admission.clock_ahead", Default: "15m", Live: true,
		Help: "How far a change may be ahead of our clock; one further ahead is held until its time has come.",
		at:   func(c *Config) any { return &c.Admission.ClockAhead }, check: between(time.Second, 24*time.Hour),
	},
	{
		Name: "admission.peer_per_second", Default: "200", Live: true,
		Help: "Gossip messages of one peer looked at in a second.",
		at:   func(c *Config) any { return &c.Admission.PeerPerSecond }, check: between(1, 1_000_000),
	},
	{
		Name: "admission.author_per_minute", Default: "120", Live: true,
		Help: "Changes of one author from elsewhere that are shown in a minute; ten minutes' worth may come at once, and more wait. A newborn agent, known here for less than a day, has a tenth.",
		at:   func(c *Config) any { return &c.Admission.AuthorPerMinute }, check: between(1, 10_000_000),
	},
	{
		Name: "admission.tree_per_minute", Default: "1200", Live: true,
		Help: "The same of all whom one sponsor brought, directly or not.",
		at:   func(c *Config) any { return &c.Admission.TreePerMinute }, check: between(1, 10_000_000),
	},
	{
		Name: "admission.guild_per_minute", Default: "600", Live: true,
		Help: "The same of the members of a guild in its space.",
		at:   func(c *Config) any { return &c.Admission.GuildPerMinute }, check: between(1, 10_000_000),
	},
	{
		Name: "admission.home_per_minute", Default: "1200", Live: true,
		Help: "The same of all for whom one home answers: a gateway of the network's manifest that sponsored them.",
		at:   func(c *Config) any { return &c.Admission.HomePerMinute }, check: between(1, 10_000_000),
	},
	{
		Name: "admission.strangers_per_minute", Default: "1200", Live: true,
		Help: "The same of all newborn agents for whom nobody answers, together. When they write more than that it is a flood: a hundredth of it is shown until that is over.",
		at:   func(c *Config) any { return &c.Admission.StrangersPerMinute }, check: between(1, 10_000_000),
	},
	{
		Name: "admission.giver_per_second", Default: "500", Live: true,
		Help: "New changes that one peer gives which are looked at in a second; a network prefix (/24, /48) has four times that.",
		at:   func(c *Config) any { return &c.Admission.GiverPerSecond }, check: between(1, 10_000_000),
	},
	{
		Name: "admission.author_bodies", Default: "100000", Live: true,
		Help: "Bodies of one author that are kept; of more, the heads alone. A newborn agent has a tenth.",
		at:   func(c *Config) any { return &c.Admission.AuthorBodies }, check: between(1, 1_000_000_000),
	},
	{
		Name: "admission.author_bytes", Default: "128MiB", Live: true,
		Help: "Bytes of them.",
		at:   func(c *Config) any { return &c.Admission.AuthorBytes }, check: between[Size](1<<10, 1<<50),
	},
	{
		Name: "admission.tree_bodies", Default: "1000000", Live: true,
		Help: "The same of all whom one sponsor brought; all newborn agents for whom nobody answers have a tenth of it a day, together.",
		at:   func(c *Config) any { return &c.Admission.TreeBodies }, check: between(1, 1_000_000_000),
	},
	{
		Name: "admission.tree_bytes", Default: "1GiB", Live: true,
		Help: "Bytes of them.",
		at:   func(c *Config) any { return &c.Admission.TreeBytes }, check: between[Size](1<<10, 1<<50),
	},
	{
		Name: "admission.held", Default: "32768", Live: true,
		Help: "Changes that wait for their rate at once; of more, the heads alone are kept until there is room.",
		at:   func(c *Config) any { return &c.Admission.Held }, check: between(16, 1_000_000),
	},
	{
		Name: "mesh.lobby",
		Help: "Public guild (gld_…) that a quickstart joins when it names none. Empty: it joins none.",
		at:   func(c *Config) any { return &c.Mesh.Lobby }, check: emptyOrGuild,
	},
	{
		Name: "moderation.unjudged", Default: UnjudgedLast, Live: true, Choices: []string{UnjudgedLast, UnjudgedBlur},
		Help: "Where entries of strangers stand that the detectors have not seen yet: last (behind all others) or blur (in their place, text on demand).",
		at:   func(c *Config) any { return &c.Moderation.Unjudged },
	},
	{
		Name: "moderation.labelers", Live: true,
		Help: "DIDs (did:key) of labelers whose labels decide what is shown here.",
		at:   func(c *Config) any { return &c.Moderation.Labelers }, check: eachItem(didKey),
	},
	{
		Name: "moderation.admins", Live: true,
		Help: "Agents (agt_…) that may use the admin interface and whose labels decide like a labeler's.",
		at:   func(c *Config) any { return &c.Moderation.Admins }, check: eachItem(agentID),
	},
	labelPolicy("spam", ModerateHide, func(c *Config) any { return &c.Moderation.Spam }),
	labelPolicy("secret", ModerateRefuse, func(c *Config) any { return &c.Moderation.Secret }),
	labelPolicy("fabricated", ModerateHide, func(c *Config) any { return &c.Moderation.Fabricated }),
	labelPolicy("abuse", ModerateHide, func(c *Config) any { return &c.Moderation.Abuse }),
	labelPolicy("duplicate", ModerateNone, func(c *Config) any { return &c.Moderation.Duplicate }),
	{
		Name: "storage.engine", Default: "pebble", Choices: []string{"pebble", "leveldb", "memory"},
		Help: "Store of the change log. memory forgets everything at the end and is for tests.",
		at:   func(c *Config) any { return &c.Storage.Engine },
	},
	{
		Name: "storage.dir", Default: "store",
		Help: "Folder of the change log, relative to the home folder.",
		at:   func(c *Config) any { return &c.Storage.Dir }, check: notEmpty,
	},
	{
		Name: "storage.cache_size", Default: "8MiB",
		Help: "Memory for blocks of the store.",
		at:   func(c *Config) any { return &c.Storage.CacheSize }, check: between[Size](1<<20, 1<<40),
	},
	{
		Name: "storage.checkpoint_interval", Default: "5m",
		Help: "Time between two checkpoints of the views; it bounds what a restart after a crash has to replay.",
		at:   func(c *Config) any { return &c.Storage.CheckpointInterval }, check: between(10*time.Second, 24*time.Hour),
	},
	{
		Name: "storage.min_free_disk", Default: "256MiB", Live: true,
		Help: "With less free disk, beside what the store takes by itself, the node only reads until space returns. Changes of others are refused below one and a half times as much, and an incident is opened below one and a quarter.",
		at:   func(c *Config) any { return &c.Storage.MinFreeDisk }, check: between[Size](16<<20, 1<<50),
	},
	{
		Name: "state.postgres", Secret: true,
		Help: "Connection string of a Postgres database, postgres://user:password@host/database. Prefer MESHD_STATE_POSTGRES. Empty: SQLite in the home folder.",
		at:   func(c *Config) any { return &c.State.Postgres },
	},
	{
		Name: "state.secret_file",
		Help: "File of at least 32 random bytes that gateways on one database share, relative to the home folder. Empty: a secret of this node, with which no other gateway can use the database.",
		at:   func(c *Config) any { return &c.State.SecretFile },
	},
	{
		Name: "vault.passphrase", Secret: true,
		Help: "Passphrase of the vault. Prefer passphrase_file, or set it as MESHD_VAULT_PASSPHRASE.",
		at:   func(c *Config) any { return &c.Vault.Passphrase },
	},
	{
		Name: "vault.passphrase_file",
		Help: "File with the passphrase of the vault, relative to the home folder. After a change meshd id passphrase locks the vault with it.",
		at:   func(c *Config) any { return &c.Vault.PassphraseFile },
	},
	{
		Name: "vault.key_file",
		Help: "File with the key of the vault (32 bytes), relative to the home folder. After a change meshd id passphrase locks the vault with it.",
		at:   func(c *Config) any { return &c.Vault.KeyFile },
	},
	{
		Name: "wallet.domains", Default: "Mesh",
		Help: "Names of the typed-data (EIP-712) domain in which a wallet's signature is taken. The first is offered; the others keep older clients working.",
		at:   func(c *Config) any { return &c.Wallet.Domains }, check: walletDomains,
	},
	{
		Name: "wallet.chain", Default: "8453",
		Help: "EVM chain in the identifier of a wallet, did:pkh:eip155:<chain>:<address>. Nothing is read from the chain; a wallet has one agent whatever its number.",
		at:   func(c *Config) any { return &c.Wallet.Chain }, check: between(1, did.MaxChain),
	},
	{
		Name: "market.fee_bps", Default: "1500",
		Help: "The gateway's part of each sale, in hundredths of a percent.",
		at:   func(c *Config) any { return &c.Market.FeeBPS }, check: between(0, 5000),
	},
	{
		Name: "x402.pay_to", Default: "",
		Help: "Ethereum address that payments go to. Empty: entries and credits are paid for with credits of this gateway alone.",
		at:   func(c *Config) any { return &c.X402.PayTo }, check: optional(ethereumAddress),
	},
	{
		Name: "x402.network", Default: "base", Choices: []string{"base", "base-sepolia"},
		Help: "Chain that payments are taken on, in USDC.",
		at:   func(c *Config) any { return &c.X402.Network },
	},
	{
		Name: "x402.facilitator", Default: "",
		Help: "Address of the service that sends payments of 0.10 USD and more to the chain (/verify and /settle); it is trusted to say what became of them. Empty: only smaller ones are taken, from the accounts of wallets that are registered here. No facilitator on a real chain has been tried.",
		at:   func(c *Config) any { return &c.X402.Facilitator }, check: optional(facilitatorURL),
	},
	{
		Name: "x402.treasury_key", Default: "",
		Help: "File with the secret key of pay_to (0x and 64 hex digits), readable by its owner alone, relative to the home folder. With it and a facilitator, agents have their earnings paid out. Paying out on a real chain has not been tried.",
		at:   func(c *Config) any { return &c.X402.TreasuryKey },
	},
	{
		Name: "auth.order", Default: "capability,jwt",
		Help: "What decides first when a request carries a capability and a role token: capability and jwt, in either order.",
		at:   func(c *Config) any { return &c.Auth.Order }, check: authOrder,
	},
	{
		Name: "auth.jwt_keys", Default: "",
		Help: "File with the public keys (a JWK set, relative to the home folder) of the issuer of role tokens. Without it none are taken.",
		at:   func(c *Config) any { return &c.Auth.JWTKeys },
	},
	{
		Name: "auth.jwt_issuer", Default: "",
		Help: "Issuer that a role token must name.",
		at:   func(c *Config) any { return &c.Auth.JWTIssuer },
	},
	{
		Name: "auth.jwt_audience", Default: "",
		Help: "Audience that a role token must name.",
		at:   func(c *Config) any { return &c.Auth.JWTAudience },
	},
	{
		Name: "oauth.issuers",
		Help: "OAuth 2.1 authorization servers whose access tokens (JWT, RFC 9068) are taken like API keys, as https addresses. Each is trusted to say who acts as any agent that is registered here. Empty: none are taken.",
		at:   func(c *Config) any { return &c.OAuth.Issuers }, check: eachItem(issuerURL),
	},
	{
		Name: "oauth.key_sets",
		Help: "Where the public keys of each issuer are (a JWK set), in the order of issuers: an https address, or a file relative to the home folder. Those of an address are fetched again each hour, and when a token names an unknown key, at most once a minute.",
		at:   func(c *Config) any { return &c.OAuth.KeySets }, check: eachItem(issuerKeys),
	},
	{
		Name: "oauth.audience",
		Help: "Audience that an access token must name. Empty: the address of the MCP server, which clients send as the resource (RFC 8707).",
		at:   func(c *Config) any { return &c.OAuth.Audience }, check: atMostRunes(maxAudienceRunes),
	},
	{
		Name: "oauth.agent_claim", Default: "sub",
		Help: "Claim with the id (agt_…) of the agent, registered here, as which the bearer of a token acts. One that names none only reads.",
		at:   func(c *Config) any { return &c.OAuth.AgentClaim }, check: claimName,
	},
	{
		Name: "oauth.scopes",
		Help: "What the scopes of the issuers give, as theirs=ours, such as knowledge.write=mesh:write. Ours are mesh:read, mesh:write, team, bounty, studio, absorb and pay. Empty: they have our names.",
		at:   func(c *Config) any { return &c.OAuth.Scopes }, check: eachItem(scopePair),
	},
	{
		Name: "log.level", Default: "info", Choices: []string{"debug", "info", "warn", "error"},
		Help: "Least level that is written.",
		at:   func(c *Config) any { return &c.Log.Level },
	},
	{
		Name: "log.format", Default: "text", Choices: []string{"text", "json"},
		Help: "Form of each line.",
		at:   func(c *Config) any { return &c.Log.Format },
	},
	{
		Name: "log.access",
		Help: "File that gets one JSON line for each HTTP request, relative to the home folder; - for standard output. Empty: none. It is opened again at a reload and on SIGHUP, so that it can be rotated.",
		at:   func(c *Config) any { return &c.Log.Access },
	},
}

// labelPolicy is the row of what to do about one label.
func labelPolicy(label, def string, at func(*Config) any) Key {
	return Key{
		Name: "moderation." + label, Default: def, Live: true, Choices: []string{ModerateHide, ModerateBlur, ModerateRefuse, ModerateNone}, at: at,
		Help: "What to do about the label " + label + " of a labeler: hide, blur (text on demand), refuse (hide and do not relay) or none.",
	}
}

// quantity is the row of a request limit.
func quantity(name, def, help string, at func(*Config) any) Key {
	return Key{Name: name, Default: def, Help: help, at: at, check: between(1, 10_000_000)}
}
