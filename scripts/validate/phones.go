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
}
