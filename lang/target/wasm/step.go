package wasm

// The functions of a module. The only state beside the memory is global 0, the
// time in seconds since init.

// longestStep is the most seconds that step takes; others, and none, and what is
// no number, are no time at all.
const longestStep = 86400

// fnApply is the index of the function that writes the transforms of a time.
const fnApply = 6

// constant returns a number.
func constant(n int) []byte { return append(locals(), new(code).int(n).op(endOfCode).b...) }

// start copies the transforms of rest and applies time 0.
func start(at layout) []byte {
	const i = 0
	c := new(code)
	c.block().loop()
	c.get(i).int(at.rest - at.transforms).op(i32GeU).leaveIf(1)
	c.get(i).get(i).loadFloat(uint32(at.rest)).storeFloat(uint32(at.transforms))
	c.get(i).int(4).op(i32Add).set(i).leave(0)
	c.done().done()
	c.float(0).writeGlobal().float(0).op(0x10, fnApply, endOfCode)
	return append(locals([2]uint32{1, i32}), c.b...)
}

// step moves time on and applies it.
func step() []byte {
	const dt, wide = 0, 1
	c := new(code)
	c.get(dt).op(f64OfF32).set(wide)
	c.get(wide).float(0).op(f64Ge).get(wide).float(longestStep).op(f64Le, i32And).when()
	c.readGlobal().get(wide).op(f64Add).writeGlobal()
	c.done()
	c.readGlobal().op(0x10, fnApply, endOfCode)
	return append(locals([2]uint32{1, f64}), c.b...)
}

// apply writes what every track says of a time. It follows the player of the
// page: before the first key the first value applies, after the last round its end.
func apply(at layout) []byte {
	const (
		time = iota // the parameter
		// i32
		p      // the track
		dest   // where its next component goes
		width  // components
		stride // bytes of a key
		key    // the key before the time, or the last one
		next   // the key after it
		end    // of the keys
		k      // components done
		// f64
		t     // time within the round
		d     // duration of a round
		round // which one
		share // of the way from key to next
		sign  // of the second turn
		sum   // of squares
	)
	c := new(code)
	c.int(at.tracks).set(p)
	c.block().loop() // over the tracks
	c.get(p).int(at.tracksEnd).op(i32GeU).leaveIf(1)
	c.get(p).loadInt(0).set(dest).get(p).loadInt(4).set(width).get(p).loadInt(8).set(key).get(p).loadInt(12).set(end)
	c.get(p).loadFloat(28).set(d)
	c.get(width).int(1).op(i32Add).int(4).op(i32Mul).set(stride)

	// The time within a round.
	c.get(time).set(t)
	c.get(d).float(0).op(f64Gt).get(t).get(d).op(f64Gt, i32And).when()
	c.get(t).get(d).op(f64Div, f64Floor).set(round)
	c.get(p).loadInt(20).int(0).op(i32LtS, i32Eqz).get(round).get(p).loadInt(20).op(f64OfI32, f64Ge, i32And).when()
	c.get(p).loadInt(20).op(f64OfI32).float(1).op(f64Sub).set(round).get(d).set(t) // the end of the last one stays
	c.otherwise()
	c.get(t).get(round).get(d).op(f64Mul, f64Sub).set(t)
	c.done()
	// An odd round goes back where it goes to and fro.
	c.get(round).get(round).float(2).op(f64Div, f64Floor).float(2).op(f64Mul, f64Sub).float(0.5).op(f64Gt)
	c.get(p).loadInt(24).op(i32And).when()
	c.get(d).get(t).op(f64Sub).set(t)
	c.done()
	c.done()

	// The keys around it.
	c.block().loop()
	c.get(key).get(stride).op(i32Add).set(next)
	c.get(next).get(end).op(i32GeU).leaveIf(1)
	c.get(next).loadFloat(0).get(t).op(f64Ge).leaveIf(1)
	c.get(next).set(key).leave(0)
	c.done().done()
	c.float(0).set(share)
	c.get(next).get(end).op(i32GeU).when()
	c.get(key).set(next) // past the last one
	c.otherwise()
	c.get(t).get(key).loadFloat(0).op(f64Sub).get(next).loadFloat(0).get(key).loadFloat(0).op(f64Sub, f64Div).set(share)
	c.get(share).float(0).op(f64Gt, i32Eqz).when().float(0).set(share).done() // before the first one
	c.done()
	eased(c, p, share)

	// The components.
	c.float(1).set(sign)
	c.get(width).int(4).op(i32Eq).when()
	for i := range uint32(4) {
		c.get(key).loadFloat(4 + 4*i).get(next).loadFloat(4 + 4*i).op(f64Mul)
		if i > 0 {
			c.op(f64Add)
		}
	}
	c.float(0).op(f64Lt).when().float(-1).set(sign).done() // the shorter way
	c.done()
	c.int(0).set(k)
	c.block().loop()
	c.get(k).get(width).op(i32GeU).leaveIf(1)
	c.get(dest)
	c.get(key).loadFloat(4)
	c.get(next).loadFloat(4).get(sign).op(f64Mul).get(key).loadFloat(4).op(f64Sub).get(share).op(f64Mul, f64Add)
	c.storeFloat(0)
	for _, pointer := range []uint32{dest, key, next} {
		c.get(pointer).int(4).op(i32Add).set(pointer)
	}
	c.get(k).int(1).op(i32Add).set(k).leave(0)
	c.done().done()
	unit(c, dest, width, sum)

	c.get(p).int(trackSize).op(i32Add).set(p).leave(0)
	c.done().done().op(endOfCode)
	return append(locals([2]uint32{8, i32}, [2]uint32{6, f64}), c.b...)
}

// eased bends a share of the way by the easing of a track.
func eased(c *code, p, share uint32) {
	is := func(kind int) *code { return c.get(p).loadInt(16).int(kind).op(i32Eq).when() }
	is(1).get(share).get(share).op(f64Mul).set(share).done()
	is(2).float(1).float(1).get(share).op(f64Sub).float(1).get(share).op(f64Sub, f64Mul, f64Sub).set(share).done()
	is(3).get(share).get(share).op(f64Mul).float(3).float(2).get(share).op(f64Mul, f64Sub, f64Mul).set(share).done()
	is(4).get(share).op(f64Floor).set(share).done() // stays until the next key
}

// unit brings a turn back to length 1; end is the address after it.
func unit(c *code, end, width, sum uint32) {
	c.get(width).int(4).op(i32Eq).when()
	c.float(0).set(sum)
	first := func() *code { return c.get(end).int(-16).op(i32Add) }
	for i := range uint32(4) {
		c.get(sum)
		first().loadFloat(4 * i)
		first().loadFloat(4*i).op(f64Mul, f64Add).set(sum)
	}
	c.get(sum).op(f64Sqrt).set(sum)
	c.get(sum).float(0).op(f64Gt).when()
	for i := range uint32(4) {
		first()
		first().loadFloat(4 * i).get(sum).op(f64Div).storeFloat(4 * i)
	}
	c.done()
	c.done()
}
