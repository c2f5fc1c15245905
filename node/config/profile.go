package config

// profiles are the sets of defaults. A profile names only what differs from
// the table; edge is the table itself.
var profiles = map[string]map[string]string{
	"edge": {},
	"guild": {
		"p2p.connections_low":  "128",
		"p2p.connections_high": "256",
		"storage.cache_size":   "128MiB",
	},
	"super": {
		"p2p.connections_low":   "1024",
		"p2p.connections_high":  "2048",
		"p2p.relay_service":     "true",
		"p2p.sync_interval":     "30s",
		"storage.cache_size":    "512MiB",
		"storage.min_free_disk": "2GiB",
	},
	"gateway": {
		"gateway.enabled":       "true",
		"gateway.listen":        "0.0.0.0:8420",
		"gateway.drain_delay":   "2s",
		"p2p.connections_low":   "256",
		"p2p.connections_high":  "512",
		"p2p.mdns":              "false",
		"p2p.port_mapping":      "false",
		"p2p.sync_interval":     "30s",
		"storage.cache_size":    "256MiB",
		"storage.min_free_disk": "1GiB",
		"log.format":            "json",
	},
	"test": {
		"p2p.loopback":         "true",
		"p2p.connections_low":  "16",
		"p2p.connections_high": "32",
		"p2p.sync_interval":    "2s",
	},
}
