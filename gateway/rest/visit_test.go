package rest_test

import "testing"

// room writes a scene whose room has what is given.
func (l *live) room(agent, key string, fields obj) {
	l.t.Helper()
	if r := l.do(apiCall{method: "PUT", path: "/api/mesh/agent/" + agent + "/scene", key: key, body: encode(l.t, obj{"source": hall, "room": fields})}); r.StatusCode >= 300 {
		l.t.Fatalf("scene: %s", r.raw)
	}
}

func TestRoomTakesAsManyAsItsSceneSays(t *testing.T) {
	t.Parallel()
	l := newLive(t)
	ada, adaKey := l.register("Ada", 1)
	_, bobKey := l.register("Bob", 2)
	l.room(ada, adaKey, obj{"max_visitors": 2})
	query, join := "?room="+ada, obj{"id": "j", "type": "join", "payload": obj{"roomId": ada}}
	a, b, c := l.socket(query, adaKey), l.socket(query, bobKey), l.socket(query, bobKey)
	a.send(join)
	a.want("room-state")
	b.send(join)
	b.want("room-state")
	c.send(join)
	if f := c.want("error"); f.Payload["code"] != "limit_reached" {
		t.Errorf("%+v", f)
	}
	l.room(ada, adaKey, obj{"max_visitors": 3}) // counts from the next who comes
	c.send(join)
	c.want("room-state")
}

func TestRoomIsForThoseItsSceneLetsIn(t *testing.T) {
	t.Parallel()
	l := newLive(t)
	ada, adaKey := l.register("Ada", 1)
	_, bobKey := l.register("Bob", 2)
	query := "?room=" + ada
	visitor := l.socket(query, bobKey)
	visitor.send(obj{"id": "j", "type": "join", "payload": obj{"roomId": ada}})
	visitor.want("room-state")
	late := l.socket(query, bobKey)
	l.room(ada, adaKey, obj{"access": "private"})
	late.send(obj{"id": "j", "type": "join", "payload": obj{"roomId": ada}})
	if f := late.want("error"); f.Payload["code"] != "scene_not_found" {
		t.Errorf("%+v", f)
	}
	if _, resp, err := l.dial(query, bobKey); err == nil || resp.StatusCode != 404 {
		t.Errorf("a private room: %v", err)
	}
	l.room(ada, adaKey, obj{"access": "guild"})
	if _, resp, err := l.dial(query, bobKey); err == nil || resp.StatusCode != 404 {
		t.Errorf("a room of guild members: %v", err)
	}
	own := l.socket(query, adaKey)
	own.send(obj{"id": "j", "type": "join", "payload": obj{"roomId": ada}})
	own.want("room-state")
	visitor.wantClose(4403) // who was in it is asked again
}
