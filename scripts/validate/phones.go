package main

import "bytes"

// phoneChecks prove vrr and phone-sleeve-vr.
var phoneChecks = []check{
	{ // its own example comes first: the broken copy lets its page ask everybody
		targets: []string{"vrr"}, tool: "chromium before a feed", level: "engine", version: first("chromium", "--version"), judge: node("live.mjs"), slow: true, most: 12,
		lead: "live_mill.holo", spoil: func(b []byte) []byte {
			return bytes.Replace(b, []byte("connect-src http://"), []byte("connect-src * http://"), 1)
		},
	},
	{ // the broken copy shows both eyes the same
		targets: []string{"phone-sleeve-vr"}, tool: "chromium as a phone", level: "engine", version: first("chromium", "--version"), judge: node("sleeve.mjs"), slow: true, most: 12,
		lead: "thermostat.holo", spoil: func(b []byte) []byte {
			return bytes.Replace(b, []byte(`data-eye="0.063"`), []byte(`data-eye="0"`), 1)
		},
	},
}
