package v1

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/ipfs/go-cid"
	"github.com/ipld/go-ipld-prime/codec/dagcbor"
	"github.com/ipld/go-ipld-prime/datamodel"
	"github.com/ipld/go-ipld-prime/fluent/qp"
	cidlink "github.com/ipld/go-ipld-prime/linking/cid"
	"github.com/ipld/go-ipld-prime/node/basicnode"
)

var errValue = errors.New("hold a value that has no form here")

// valueOf turns a node into Go values: nil, bool, int64, float64, string,
// []byte, Link, []any, map[string]any.
func valueOf(n datamodel.Node) (any, error) {
	switch n.Kind() {
	case datamodel.Kind_Null:
		return nil, nil
	case datamodel.Kind_Bool:
		return n.AsBool()
	case datamodel.Kind_Int:
		return n.AsInt()
	case datamodel.Kind_Float:
		return n.AsFloat()
	case datamodel.Kind_String:
		return n.AsString()
	case datamodel.Kind_Bytes:
		return n.AsBytes()
	case datamodel.Kind_Link:
		l, err := n.AsLink()
		if err != nil {
			return nil, err
		}
		return Link(l.String()), nil
	case datamodel.Kind_List:
		out := make([]any, 0, n.Length())
		for it := n.ListIterator(); !it.Done(); {
			_, v, err := it.Next()
			if err != nil {
				return nil, err
			}
			x, err := valueOf(v)
			if err != nil {
				return nil, err
			}
			out = append(out, x)
		}
		return out, nil
	case datamodel.Kind_Map:
		out := make(map[string]any)
		for it := n.MapIterator(); !it.Done(); {
			k, v, err := it.Next()
			if err != nil {
				return nil, err
			}
			key, err := k.AsString()
			if err != nil {
				return nil, err
			}
			if out[key], err = valueOf(v); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
	return nil, errValue
}

// nodeOf is the inverse of valueOf. It also takes int, []string and json.Number
// of an integer, and refuses what would not survive the way back: numbers
// outside of ±(2^53-1) and floats that are not finite.
func nodeOf(v any) (datamodel.Node, error) { return nodeAt(v, 0) }

func nodeAt(v any, depth int) (datamodel.Node, error) {
	if depth > MaxNesting {
		return nil, errNesting
	}
	switch v := v.(type) {
	case nil:
		return datamodel.Null, nil
	case bool:
		return basicnode.NewBool(v), nil
	case int:
		return nodeAt(int64(v), depth)
	case int64:
		if v > maxTime || v < -maxTime {
			return nil, errValue
		}
		return basicnode.NewInt(v), nil
	case float64:
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return nil, errValue
		}
		return basicnode.NewFloat(v), nil
	case json.Number:
		n, err := strconv.ParseInt(v.String(), 10, 64)
		if err != nil {
			return nil, errValue
		}
		return nodeAt(n, depth)
	case string:
		return basicnode.NewString(v), nil
	case []byte:
		return basicnode.NewBytes(bytes.Clone(v)), nil
	case Link:
		c, err := cid.Decode(string(v))
		if err != nil {
			return nil, errValue
		}
		return basicnode.NewLink(cidlink.Link{Cid: c}), nil
	case []string:
		list := make([]any, len(v))
		for i := range v {
			list[i] = v[i]
		}
		return nodeAt(list, depth)
	case []any:
		return listNode(v, depth)
	case map[string]any:
		return mapNode(v, depth)
	}
	return nil, fmt.Errorf("%w: %T", errValue, v)
}

func listNode(v []any, depth int) (datamodel.Node, error) {
	nodes := make([]datamodel.Node, len(v))
	for i := range v {
		var err error
		if nodes[i], err = nodeAt(v[i], depth+1); err != nil {
			return nil, err
		}
	}
	return qp.BuildList(basicnode.Prototype.Any, int64(len(nodes)), func(la datamodel.ListAssembler) {
		for _, n := range nodes {
			qp.ListEntry(la, qp.Node(n))
		}
	})
}

func mapNode(v map[string]any, depth int) (datamodel.Node, error) {
	nodes := make(map[string]datamodel.Node, len(v))
	for k := range v {
		var err error
		if nodes[k], err = nodeAt(v[k], depth+1); err != nil {
			return nil, err
		}
	}
	return qp.BuildMap(basicnode.Prototype.Any, int64(len(nodes)), func(ma datamodel.MapAssembler) {
		for _, k := range slices.Sorted(maps.Keys(nodes)) {
			qp.MapEntry(ma, k, qp.Node(nodes[k]))
		}
	})
}

// encode is the DAG-CBOR of a value.
func encode(v any) ([]byte, error) {
	n, err := nodeOf(v)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	if err := dagcbor.Encode(n, &b); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
