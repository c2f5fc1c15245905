package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"os"
	"os/exec"
	"regexp"
	"strings"
)

// splatHead is the head of a cloud of splats; its second group is their number.
var splatHead = regexp.MustCompile(`^ply\nformat binary_little_endian 1\.0\n(comment [ -~]+\n)*element vertex ([0-9]+)\n` +
	`property float x\nproperty float y\nproperty float z\nproperty float nx\nproperty float ny\nproperty float nz\n` +
	`property float f_dc_0\nproperty float f_dc_1\nproperty float f_dc_2\nproperty float opacity\n` +
	`property float scale_0\nproperty float scale_1\nproperty float scale_2\nproperty float rot_0\nproperty float rot_1\nproperty float rot_2\nproperty float rot_3\nend_header\n`)

const splatSize = 17 * 4

// splats reads clouds of splats itself, and has assimp count them.
func splats(ctx context.Context, _ string, files []string) ([]verdict, error) {
	path, err := exec.LookPath("assimp")
	if err != nil {
		return nil, err
	}
	var out []verdict
	for _, f := range files {
		raw, err := os.ReadFile(f)
		if err != nil {
			return nil, err
		}
		v := verdict{File: f, OK: true}
		n, err := readSplats(raw)
		if err == nil {
			var said []byte
			said, err = exec.CommandContext(ctx, path, "info", f, "--raw").CombinedOutput()
			if want := fmt.Sprintf("[%d / 0 / 0 | point]", n); err == nil && !bytes.Contains(said, []byte(want)) {
				err = fmt.Errorf("assimp does not say %s", want)
			}
		}
		if err != nil {
			v.OK, v.Message = false, err.Error()
		}
		out = append(out, v)
	}
	return out, nil
}

// readSplats judges every splat and counts them.
func readSplats(raw []byte) (int, error) {
	head := splatHead.FindSubmatch(raw)
	if head == nil {
		return 0, errors.New("the head is not that of a cloud of splats")
	}
	raw = raw[len(head[0]):]
	n := len(raw) / splatSize
	if n == 0 || len(raw)%splatSize != 0 || fmt.Sprint(n) != string(head[2]) {
		return 0, fmt.Errorf("%s splats in %d bytes", head[2], len(raw))
	}
	for i := range n {
		var v [17]float64
		for k := range v {
			v[k] = float64(math.Float32frombits(binary.LittleEndian.Uint32(raw[i*splatSize+k*4:])))
			if math.IsNaN(v[k]) || math.IsInf(v[k], 0) {
				return 0, fmt.Errorf("splat %d holds no number", i)
			}
		}
		if wrong := judgeSplat(v); wrong != "" {
			return 0, fmt.Errorf("splat %d: %s", i, strings.TrimSpace(wrong))
		}
	}
	return n, nil
}

// judgeSplat says what is wrong with a splat: in the order of the head.
func judgeSplat(v [17]float64) string {
	w, x, y, z := v[13], v[14], v[15], v[16]
	length := func(list ...float64) float64 {
		sum := 0.0
		for _, e := range list {
			sum += e * e
		}
		return math.Sqrt(sum)
	}
	for _, c := range v[6:9] {
		if c = 0.5 + c*0.28209479; c < -1e-4 || c > 1.0001 {
			return fmt.Sprintf("a colour of %g", c)
		}
	}
	switch {
	case math.Abs(length(w, x, y, z)-1) > 1e-4:
		return "a rotation that is none"
	case math.Abs(length(v[3:6]...)-1) > 1e-4:
		return "a normal that is no direction"
	case v[9] < -6 || v[9] > 6:
		return fmt.Sprintf("an opacity of %g before it is made one of 0 to 1", v[9])
	case max(v[10], v[11], v[12]) > 20 || min(v[10], v[11], v[12]) < -30:
		return "a size out of range"
	case v[12] > v[10] || v[12] > v[11]:
		return "it is thicker than wide"
	}
	// The third axis is the normal of the surface.
	if length(2*(x*z+w*y)-v[3], 2*(y*z-w*x)-v[4], 1-2*(x*x+y*y)-v[5]) > 2e-3 {
		return "it does not lie on its surface"
	}
	return ""
}
