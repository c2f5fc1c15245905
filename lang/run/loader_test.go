package run_test

import (
	"testing"

	"github.com/meshd/meshd/lang/run"
)

// broken are programs that no interpreter may take.
var broken = map[string]string{
	"empty":         `{}`,
	"newer":         `{"v":"program/2"}`,
	"no rates":      `{"v":"program/1"}`,
	"strange key":   `{"v":"program/1","rates":{"spatial":60,"cognitive":5},"extra":1}`,
	"inner key":     `{"v":"program/1","rates":{"spatial":60,"cognitive":5},"handlers":[{"node":"a","event":"b","fn":0,"evil":1}]}`,
	"capital":       `{"V":"program/1","rates":{"spatial":60,"cognitive":5}}`,
	"other capital": `{"v":"program/1","rates":{"Spatial":60,"cognitive":5}}`,
	"deep capital":  `{"v":"program/1","rates":{"spatial":60,"cognitive":5},"machines":[{"node":"a","initial":0,"states":[{"name":"x","parent":-1,"entry":-1,"exit":-1,"On":[]}]}]}`,
	"tree capital":  `{"v":"program/1","rates":{"spatial":60,"cognitive":5},"trees":[{"node":"a","rate":10,"root":{"type":"inverter","fn":-1,"children":[{"type":"wait","fn":-1,"Params":{}}]}}]}`,
	"init key":      `{"v":"program/1","rates":{"spatial":60,"cognitive":5},"consts":[1],"functions":[{"code":[0,0,51]}],"state":[{"owner":"a","key":"b","init":{"Fn":0}}]}`,
	"rates":         `{"v":"program/1","rates":{"spatial":1000,"cognitive":5}}`,
	"low stack":     `{"v":"program/1","rates":{"spatial":60,"cognitive":5},"functions":[{"code":[1,51]}]}`,
	"no opcode":     `{"v":"program/1","rates":{"spatial":60,"cognitive":5},"functions":[{"code":[63]}]}`,
	"list alone":    `{"v":"program/1","rates":{"spatial":60,"cognitive":5},"consts":[1],"functions":[{"code":[0,0,60,51]}]}`,
	"no method":     `{"v":"program/1","rates":{"spatial":60,"cognitive":5},"consts":[1],"functions":[{"code":[0,0,0,0,61,0,51]}]}`,
	"no host":       `{"v":"program/1","rates":{"spatial":60,"cognitive":5},"consts":[1],"functions":[{"code":[0,0,62,0,51]}]}`,
	"negative":      `{"v":"program/1","rates":{"spatial":60,"cognitive":5},"functions":[{"code":[-1,51]}]}`,
	"jump out":      `{"v":"program/1","rates":{"spatial":60,"cognitive":5},"functions":[{"code":[42,9,51]}]}`,
	"jump inside":   `{"v":"program/1","rates":{"spatial":60,"cognitive":5},"consts":[1],"functions":[{"code":[42,3,0,0,51]}]}`,
	"runs off":      `{"v":"program/1","rates":{"spatial":60,"cognitive":5},"consts":[1],"functions":[{"code":[0,0]}]}`,
	"constant":      `{"v":"program/1","rates":{"spatial":60,"cognitive":5},"consts":[1],"functions":[{"code":[0,1,51]}]}`,
	"no text":       `{"v":"program/1","rates":{"spatial":60,"cognitive":5},"consts":[1],"functions":[{"code":[7,0,51]}]}`,
	"list constant": `{"v":"program/1","rates":{"spatial":60,"cognitive":5},"consts":[[1]],"functions":[{"code":[0,0,51]}]}`,
	"local":         `{"v":"program/1","rates":{"spatial":60,"cognitive":5},"functions":[{"locals":1,"code":[3,1,51]}]}`,
	"unlike stacks": `{"v":"program/1","rates":{"spatial":60,"cognitive":5},"consts":[1],"functions":[{"code":[0,0,43,6,0,0,0,0,51]}]}`,
	"growing loop":  `{"v":"program/1","rates":{"spatial":60,"cognitive":5},"consts":[1],"functions":[{"code":[0,0,42,0]}]}`,
	"end of try":    `{"v":"program/1","rates":{"spatial":60,"cognitive":5},"consts":[1],"functions":[{"code":[54,0,0,51]}]}`,
	"handler":       `{"v":"program/1","rates":{"spatial":60,"cognitive":5},"handlers":[{"node":"a","event":"b","fn":0}]}`,
	"boxes":         `{"v":"program/1","rates":{"spatial":60,"cognitive":5},"consts":[1],"functions":[{"code":[0,0,49,1,1,51]},{"code":[0,0,51]}]}`,
	"machine":       `{"v":"program/1","rates":{"spatial":60,"cognitive":5},"machines":[{"node":"a","initial":1,"states":[{"name":"x","parent":-1,"entry":-1,"exit":-1,"on":[]}]}]}`,
	"state cycle":   `{"v":"program/1","rates":{"spatial":60,"cognitive":5},"machines":[{"node":"a","initial":0,"states":[{"name":"x","parent":0,"entry":-1,"exit":-1,"on":[]}]}]}`,
	"tree":          `{"v":"program/1","rates":{"spatial":60,"cognitive":5},"trees":[{"node":"a","rate":10,"root":{"type":"teapot","fn":-1}}]}`,
	"empty tree":    `{"v":"program/1","rates":{"spatial":60,"cognitive":5},"trees":[{"node":"a","rate":10,"root":{"type":"sequence","fn":-1}}]}`,
	"tree rate":     `{"v":"program/1","rates":{"spatial":60,"cognitive":5},"trees":[{"node":"a","rate":1000,"root":{"type":"wait","fn":-1}}]}`,
	"time":          `{"v":"program/1","rates":{"spatial":60,"cognitive":5},"consts":[1],"functions":[{"code":[0,0,51]}],"schedules":[{"fn":0,"after":-1}]}`,
	"timeline":      `{"v":"program/1","rates":{"spatial":60,"cognitive":5},"consts":[1],"functions":[{"code":[0,0,51]}],"timelines":[{"id":"t","steps":[[2,0],[1,0]]}]}`,
	"fraction":      `{"v":"program/1","rates":{"spatial":60,"cognitive":5},"functions":[{"code":[51.5]}]}`,
	"lines":         `{"v":"program/1","rates":{"spatial":60,"cognitive":5},"consts":[1],"functions":[{"code":[0,0,51],"lines":[[2,1,1],[0,1,1]]}]}`,
	"wrong kind":    `{"v":"program/1","rates":{"spatial":60,"cognitive":5},"host":"play"}`,
	"template":      `{"v":"program/1","rates":{"spatial":60,"cognitive":5},"templates":[{"name":"","nodes":["a"]}]}`,
	"two templates": `{"v":"program/1","rates":{"spatial":60,"cognitive":5},"templates":[{"name":"A","nodes":["a"]},{"name":"A","nodes":["b"]}]}`,
	"no nodes":      `{"v":"program/1","rates":{"spatial":60,"cognitive":5},"templates":[{"name":"A","nodes":[]}]}`,
	"nodes left":    `{"v":"program/1","rates":{"spatial":60,"cognitive":5},"templates":[{"name":"A"}]}`,
	"node twice":    `{"v":"program/1","rates":{"spatial":60,"cognitive":5},"templates":[{"name":"A","nodes":["a","b","a"]}]}`,
	"node of two":   `{"v":"program/1","rates":{"spatial":60,"cognitive":5},"templates":[{"name":"A","nodes":["a"]},{"name":"B","nodes":["a"]}]}`,
	"scene node":    `{"v":"program/1","rates":{"spatial":60,"cognitive":5},"templates":[{"name":"A","nodes":["scene"]}]}`,
	"every node":    `{"v":"program/1","rates":{"spatial":60,"cognitive":5},"templates":[{"name":"A","nodes":["*"]}]}`,
	"nameless node": `{"v":"program/1","rates":{"spatial":60,"cognitive":5},"templates":[{"name":"A","nodes":["a",""]}]}`,
	"template key":  `{"v":"program/1","rates":{"spatial":60,"cognitive":5},"templates":[{"name":"A","nodes":["a"],"k":1}]}`,
	"name number":   `{"v":"program/1","rates":{"spatial":60,"cognitive":5},"templates":[{"name":1,"nodes":["a"]}]}`,
	"rest of none":  `{"v":"program/1","rates":{"spatial":60,"cognitive":5},"consts":[1],"functions":[{"rest":true,"code":[0,0,51]}]}`,
	"rest number":   `{"v":"program/1","rates":{"spatial":60,"cognitive":5},"consts":[1],"functions":[{"params":1,"locals":1,"rest":1,"code":[0,0,51]}]}`,
	"behind":        `{"v":"program/1","rates":{"spatial":60,"cognitive":5}} {}`,
}

// TestLoadersRefuse shows that both loaders refuse what is broken, and take what
// is just whole.
func TestLoadersRefuse(t *testing.T) {
	node := newEngine(t)
	refuses := func(text string) (inGo, inNode bool) {
		_, err := run.Read([]byte(text))
		var said any
		node.answer(t, map[string]any{"program": text}, &said)
		return err != nil, said != nil
	}
	for name, text := range broken {
		if inGo, inNode := refuses(text); !inGo || !inNode {
			t.Errorf("%s: refused in Go: %v, in Node: %v", name, inGo, inNode)
		}
	}
	for _, text := range []string{
		`{"v":"program/1","rates":{"spatial":60,"cognitive":5}}`,
		`{"v":"program/1","rates":{"spatial":90,"cognitive":2},"consts":[1],"functions":[{"code":[0,0,51]}],"handlers":[{"node":"a","event":"b","fn":0}]}`,
		`{"v":"program/1","rates":{"spatial":60,"cognitive":5},"templates":[{"name":"A","nodes":["a","b"]},{"name":"B","nodes":["c"]}]}`,
	} {
		if inGo, inNode := refuses(text); inGo || inNode {
			t.Errorf("refused in Go: %v, in Node: %v: %s", inGo, inNode, text)
		}
	}
}
