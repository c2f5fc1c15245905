// Package edge is the outermost part of a public gateway: what stands between a
// socket on the internet and the HTTP handler. It bounds the connections of one
// address (LimitPerAddress), makes a body arrive at a least rate (Pace), keeps
// certificates that change while the gateway runs (FromFiles, FromACME), and
// sends callers of plain HTTP to the encrypted address (Redirect).
//
// Nothing here knows an endpoint, a caller or the mesh.
package edge
