package index_test

import (
	"fmt"

	"github.com/meshd/meshd/node/index"
)

func Example() {
	ix, err := index.Open("", index.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	err = ix.Put("knowledge:net",
		index.Document{Key: "1", Text: map[string]string{"title": "Retry a failed upload"}},
		index.Document{Key: "2", Text: map[string]string{"title": "Sign a token", "body": "Retries are safe."}},
	)
	if err != nil {
		fmt.Println(err)
		return
	}
	res, err := ix.Search("knowledge:net", index.Query{Text: "retrying"})
	for _, h := range res.Hits {
		fmt.Println(h.Key, h.Fields)
	}
	fmt.Println(res.Total, err)
	// Output:
	// 1 [title]
	// 2 [body]
	// 2 <nil>
}
