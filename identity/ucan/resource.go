package ucan

import "strings"

// Everywhere is the resource that contains every mesh resource. Nobody owns it
// over the wire: it stands in authorities that a node makes for itself.
const Everywhere = "mesh://*"

// schemes are those of our own resources. For them a path contains what lies
// below it and "entry/*" covers "entry/put"; a resource of another scheme is an
// opaque name to us, and such rules are not ours to make for it.
var schemes = []string{"mesh://", "mem://"}

// Own reports whether a resource is one of ours: mesh://… or mem://….
func Own(resource string) bool {
	for _, s := range schemes {
		if strings.HasPrefix(resource, s) {
			return true
		}
	}
	return false
}

// Contains reports whether a right on outer reaches inner. Equal texts do. One of
// our own resources also contains what follows it after a slash, and Everywhere
// all of mesh://. A resource whose path has empty, "." or ".." segments, escapes,
// a query or a fragment contains and is contained in nothing else: such a text
// could mean another place to whoever resolves it.
func Contains(outer, inner string) bool {
	if outer == inner {
		return true
	}
	for _, s := range schemes {
		out, a := strings.CutPrefix(outer, s)
		in, b := strings.CutPrefix(inner, s)
		if a && b {
			return plain(in) && (outer == Everywhere || strings.HasPrefix(in, out+"/"))
		}
	}
	return false
}

// plain reports whether a path has one reading.
func plain(path string) bool {
	for segment := range strings.SplitSeq(path, "/") {
		if segment == "" || segment == "." || segment == ".." {
			return false
		}
		for i := range len(segment) {
			if c := segment[i]; c <= ' ' || c >= 0x7f || strings.IndexByte(`%?#\*"<>`, c) >= 0 {
				return false
			}
		}
	}
	return true
}
