package twin

// EndpointInText is for tests.
var EndpointInText = endpointInText

// Twin is a row of the table of twins, for tests.
type Twin struct{ Method, Path, Tool string }

// Twins are the table of twins, for tests.
func Twins() (out []Twin) {
	for _, t := range twins {
		out = append(out, Twin{t.method, t.path, t.tool})
	}
	return out
}

// Alone are the endpoints without a tool, for tests.
func Alone() (out []Twin) {
	for _, t := range alone {
		out = append(out, Twin{t.method, t.path, t.tool})
	}
	return out
}
