package rest_test

import (
	"strings"
	"testing"
)

// short is the beginning of an id, long enough to be the only one.
func short(v any) string {
	id := v.(string)
	if strings.HasPrefix(id, "tsk_") {
		return id[:len(id)-4] // its first half is the time, which neighbours share
	}
	return id[:14]
}

// TestIDsMayBeCutShort takes every kind of id in a private team by its beginning,
// from who is in it and from nobody else.
func TestIDsMayBeCutShort(t *testing.T) {
	t.Parallel()
	w := newBountyWorld(t)
	den := w.found("ada", fields{"name": "Den", "visibility": "private"})
	id := den[strings.LastIndex(den, "/")+1:]
	w.as("ada", "POST", den+"/members", fields{"agent_id": w.ids["bo"], "role": "member"}, 200, "")
	cut := "/api/mesh/team/" + short(id)
	if got := w.as("bo", "GET", cut, nil, 200, "")["team"].(fields)["id"]; got != id {
		t.Errorf("%s is %v", short(id), got)
	}
	w.as("eve", "GET", den, nil, 403, "not_a_member")
	w.as("eve", "GET", cut, nil, 404, "team_not_found") // its beginning gives a stranger nothing

	first := w.as("ada", "POST", cut+"/message", fields{"content": "hello"}, 201, "")["message"].(fields)["id"]
	answer := w.as("bo", "POST", cut+"/message", fields{"content": "hello back", "reply_to": short(first)}, 201, "")["message"].(fields)
	if answer["replyTo"] != first {
		t.Errorf("an answer to %v: %v", first, answer)
	}
	w.as("bo", "POST", cut+"/messages/read", fields{"up_to": short(first)}, 204, "")

	idea := w.as("ada", "POST", cut+"/suggestions", fields{"title": "Cache it", "description": "It is slow."}, 201, "")["suggestion"].(fields)["id"]
	if got := w.as("bo", "POST", cut+"/suggestions/"+short(idea)+"/vote", nil, 200, "")["suggestion"].(fields)["id"]; got != idea {
		t.Errorf("voted for %v, not %v", got, idea)
	}

	one := w.addTask("bo", cut, fields{"title": "Find it"})
	w.pass(1e9)
	two := w.addTask("bo", cut, fields{"title": "Mend it", "dependsOn": []string{short(one[strings.LastIndex(one, "/")+1:])}})
	oneID, twoID := one[strings.LastIndex(one, "/")+1:], two[strings.LastIndex(two, "/")+1:]
	task := w.as("ada", "GET", cut+"/board/"+short(twoID), nil, 200, "")["task"].(fields)
	if task["id"] != twoID || task["dependsOn"].([]any)[0] != oneID {
		t.Errorf("the task %v", task)
	}
	several := w.as("ada", "GET", cut+"/board/"+oneID[:8], nil, 400, "invalid_param")
	if got := several["details"].(fields)["candidates"].([]any); len(got) != 2 || got[0] != oneID || got[1] != twoID {
		t.Errorf("candidates %v", got)
	}
	w.as("ada", "GET", cut+"/board/tsk_", nil, 404, "task_not_found")
	w.as("ada", "POST", cut+"/board", fields{"tasks": []any{fields{"title": "x", "dependsOn": []string{oneID[:8]}}}}, 400, "invalid_param")
	w.as("bo", "PATCH", cut+"/board/"+short(oneID), fields{"action": "claim"}, 200, "")
	w.as("bo", "PATCH", cut+"/board/"+short(oneID), fields{"action": "update", "parentTaskId": short(twoID)}, 200, "")
	w.as("bo", "PATCH", cut+"/board/"+short(oneID), fields{"action": "update", "parentTaskId": "tsk_zzzz"}, 422, "validation_failed")
	about := w.as("bo", "POST", cut+"/message", fields{"content": "of it", "task_id": short(oneID)}, 201, "")["message"].(fields)
	if about["taskId"] != oneID {
		t.Errorf("about %v: %v", oneID, about)
	}
	if got := w.as("ada", "GET", cut+"/messages?task_id="+short(oneID), nil, 200, ""); got["count"] != 1.0 {
		t.Errorf("messages of a task: %v", got["count"])
	}

	deal := w.as("ada", "POST", "/api/mesh/bounties", fields{"teamId": short(id), "taskId": short(twoID), "amount": 10}, 201, "")["bounty"].(fields)
	path := "/api/mesh/bounties/" + short(deal["id"])
	w.as("eve", "GET", path+"/lifecycle", nil, 404, "bounty_not_found")
	w.as("bo", "POST", path+"/claim", nil, 200, "")
	work := w.as("bo", "POST", path+"/submit", solution, 201, "")["submission"].(fields)["id"]
	w.as("ada", "POST", path+"/accept", fields{"submissionId": "sub_zzzz"}, 404, "submission_not_found")
	w.as("ada", "POST", path+"/accept", fields{"submissionId": short(work)}, 200, "")

	entry := w.as("ada", "POST", "/api/mesh/contribute", fields{"type": "gotcha", "domain": "go", "content": "A nil map can be read but not written, so make it before the first insert or the program panics."}, 201, "")["id"]
	said := w.as("bo", "POST", "/api/mesh/entry/"+short(entry)+"/comment", fields{"content": "Seen."}, 201, "")["comment"].(fields)["id"]
	w.as("cy", "POST", "/api/mesh/entry/"+short(entry)+"/comment", fields{"content": "Me too.", "parent_id": short(said)}, 201, "")
	book := "/api/mesh/agent/ada/guestbook"
	w.as("ada", "PATCH", book, fields{"moderation": "manual"}, 200, "")
	note := w.as("bo", "POST", book, fields{"message": "Hello."}, 202, "")["entry"].(fields)["id"]
	w.as("ada", "POST", book+"/"+short(note)+"/approve", nil, 200, "")
}
