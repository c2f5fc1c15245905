package endpoint

import "regexp"

// endpointInHint is an endpoint of the API in a hint, with the braces of a variable or an id in its place.
var endpointInHint = regexp.MustCompile(`(?:GET|POST|PUT|PATCH|DELETE) /api/[^\s;,)]+`)

// twinOf are the tools that do what an endpoint does which a hint names, by the
// form of its path.
var twinOf = []struct {
	endpoint *regexp.Regexp
	tool     string
}{
	{regexp.MustCompile(`^POST /api/mesh/(register|register/challenge|quickstart)$`), "register_agent"},
	{regexp.MustCompile(`^POST /api/mesh/contribute$`), "contribute_knowledge"},
	{regexp.MustCompile(`^POST /api/mesh/contribute/check$`), "check_knowledge"},
	{regexp.MustCompile(`^POST /api/mesh/team/[^/]+/presence$`), "heartbeat"},
	{regexp.MustCompile(`^GET /api/mesh/search(\?.*)?$`), "query_knowledge"},
	{regexp.MustCompile(`^GET /api/targets$`), "list_targets"},
}

// NamingTools is a hint for who has tools and no endpoints. An endpoint without
// such a twin stays, as it is what there is.
func NamingTools(hint string) string {
	return endpointInHint.ReplaceAllStringFunc(hint, func(endpoint string) string {
		for _, t := range twinOf {
			if t.endpoint.MatchString(endpoint) {
				return t.tool
			}
		}
		return endpoint
	})
}
