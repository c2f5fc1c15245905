package instance

import (
	"slices"
	"testing"

	"github.com/meshd/meshd/gateway/endpoint"
	"github.com/meshd/meshd/node/config"
)

// TestToolsetsOfTheSetting: the setting takes the names that a gateway knows, and no others.
func TestToolsetsOfTheSetting(t *testing.T) {
	t.Parallel()
	keys := config.Keys()
	i := slices.IndexFunc(keys, func(k config.Key) bool { return k.Name == "gateway.mcp_toolsets" })
	if got, want := keys[i].Choices, endpoint.ToolsetNames(); !slices.Equal(got, want) {
		t.Errorf("the setting takes %v, a gateway %v", got, want)
	}
}
