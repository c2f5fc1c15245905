	// The machine: state, events, and the instructions of program/1 that Udon can
	// follow. What the compiler left out is in its list of losses.
	const int MaxTurn = 10000;
	const int MaxQueue = 256;

	object[] slots;
	object[] stack = new object[512];
	int top;
	object[] locals = new object[1024];
	int[] frameFn = new int[64];
	int[] framePc = new int[64];
	int[] frameBase = new int[64];
	int[] frameTop = new int[64];
	string fault = "";
	int steps;
	float rest;
	bool begun;
	bool stopped;
	bool taking;

	string[] queueNode = new string[MaxQueue];
	string[] queueName = new string[MaxQueue];
	object[] queuePayload = new object[MaxQueue];
	int queued;

	bool[] changed;
	object[] before;
	int[] current;
	int[] since;
	bool[] fired;
	int[] due;
	bool[] lineOn;
	int[] lineSince;
	int[] lineNext;
	object[] props = new object[] { "map", 0, new object[64], new object[64] };

	uint chanceA;
	uint chanceB;
	uint chanceC;
	uint chanceD;

	void Wrong(string text) { if (fault == "") fault = text; }

	object Const(int i) {
		if (constKind[i] == 0) return null;
		if (constKind[i] == 1) return constNumber[i] != 0;
		if (constKind[i] == 2) return constNumber[i];
		return constText[i];
	}

	double Chance() {
		uint t = chanceA + chanceB + chanceD;
		chanceD = chanceD + 1;
		chanceA = chanceB ^ (chanceB >> 9);
		chanceB = chanceC + (chanceC << 3);
		chanceC = (chanceC << 21) | (chanceC >> 11);
		chanceC = chanceC + t;
		return t / 4294967296.0;
	}

	int Slot(string owner, string key) {
		for (int i = 0; i < slotOwner.Length; i++) if (slotOwner[i] == owner && slotKey[i] == key) return i;
		return -1;
	}

	int Node(string id) {
		for (int i = 0; i < ids.Length; i++) if (ids[i] == id) return i;
		return -1;
	}

	string Parent(string id) {
		if (id == "scene" || id == "*") return "";
		int i = Node(id);
		return i >= 0 && parents[i] != "" ? parents[i] : "scene";
	}

	public void Begin() {
		if (begun) return;
		begun = true;
		taking = true; // every copy begins in the same way: a player who comes later sends no beginnings
		chanceA = (uint)seed[0];
		chanceB = (uint)seed[1];
		chanceC = (uint)seed[2];
		chanceD = (uint)seed[3];
		for (int i = 0; i < 12; i++) Chance();
		slots = new object[slotOwner.Length];
		changed = new bool[slots.Length];
		before = new object[slots.Length];
		for (int i = 0; i < propNode.Length; i++) {
			object v = Const(propConst[i]);
			if (propKind[i] == 1) {
				string[] parts = ((string)v).Split(',');
				object list = NewList(parts.Length);
				for (int k = 0; k < parts.Length; k++) Append(list, double.Parse(parts[k], CultureInfo.InvariantCulture));
				v = list;
			}
			Put(props, propNode[i] + "\n" + propKey[i], v);
		}
		for (int i = 0; i < slots.Length; i++) slots[i] = slotConst[i] >= 0 ? Const(slotConst[i]) : slotFn[i] >= 0 ? Call(slotFn[i], null, 0) : null;
		for (int i = 0; i < changed.Length; i++) changed[i] = false;
		Bind();
		current = new int[machineNode.Length];
		since = new int[machineNode.Length];
		fired = new bool[machineNode.Length];
		for (int i = 0; i < current.Length; i++) {
			current[i] = -1;
			Move(i, machineInitial[i], -1);
		}
		due = new int[scheduleFn.Length];
		for (int i = 0; i < due.Length; i++) due[i] = After(scheduleAfter[i]);
		lineOn = new bool[lineId.Length];
		lineSince = new int[lineId.Length];
		lineNext = new int[lineId.Length];
		for (int i = 0; i < lineOn.Length; i++) lineOn[i] = lineStarts[i];
		Raise("*", "init", null);
		Raise("*", "mount", null);
		Raise("*", "start", null);
		Drain();
		taking = false;
	}

	int After(double seconds) { return steps + (int)System.Math.Ceiling(seconds * rate - 1e-9); }

	// Raise brings an event to a node; the next step takes it.
	public void Raise(string node, string name, object payload) {
		if (queued >= MaxQueue) return;
		queueNode[queued] = node;
		queueName[queued] = name;
		queuePayload[queued] = payload;
		queued++;
	}

	public void Step() {
		steps++;
		for (int i = 0; i < due.Length; i++) {
			if (due[i] < 0 || due[i] > steps) continue;
			if (scheduleForever[i]) due[i] = steps + 1;
			else if (scheduleEvery[i] > 0) due[i] = Mathf.Max(After(scheduleEvery[i]), steps + 1);
			else due[i] = -1;
			Call(scheduleFn[i], null, 0);
			Flush();
		}
		for (int i = 0; i < lineId.Length; i++) Lines(i);
		for (int i = 0; i < current.Length; i++) Timer(i);
		Drain();
		if (hearsUpdate) {
			Raise("*", "update", 1.0 / rate);
			Drain();
		}
		if (unsent) Share();
	}

	void Lines(int i) {
		int n = lineFrom[i + 1] - lineFrom[i];
		while (lineOn[i] && lineNext[i] < n && (double)(steps - lineSince[i]) / rate >= lineTime[lineFrom[i] + lineNext[i]] - 1e-9) {
			lineNext[i]++;
			if (lineFn[lineFrom[i] + lineNext[i] - 1] >= 0) Call(lineFn[lineFrom[i] + lineNext[i] - 1], null, 0);
			Flush();
		}
		if (lineNext[i] != n) return;
		lineOn[i] = lineOn[i] && lineLoop[i] && n > 0;
		lineSince[i] = steps;
		lineNext[i] = 0;
	}

	void Drain() {
		int taken = 0;
		int at = 0;
		while (at < queued && taken < 1000) {
			string node = queueNode[at];
			string name = queueName[at];
			object payload = queuePayload[at];
			at++;
			taken++;
			Turn(node, name, payload);
			if (at < 128) continue;
			for (int i = at; i < queued; i++) { // room for what comes
				queueNode[i - at] = queueNode[i];
				queueName[i - at] = queueName[i];
				queuePayload[i - at] = queuePayload[i];
			}
			queued -= at;
			at = 0;
		}
		queued = 0;
	}

	void Turn(string node, string name, object payload) {
		stopped = false;
		object[] one = new object[] { payload };
		Handle(node, name, one);
		for (int i = 0; i < wireFrom.Length; i++) {
			if (wireEvent[i] != name || node != "*" && wireFrom[i] != node) continue;
			int given = wireArgFrom[i + 1] - wireArgFrom[i];
			object[] args = new object[given + 1];
			for (int k = 0; k < given; k++) args[k] = Const(wireArg[wireArgFrom[i] + k]);
			args[given] = payload;
			object v = Call(wireFn[i], args, given + 1);
			if (wireSet[i] >= 0 && fault == "") Set(wireSet[i], v);
			fault = "";
		}
		if (node != "*") {
			string up = Parent(node);
			while (up != "" && !stopped) {
				Handle(up, name, one);
				up = Parent(up);
			}
		}
		for (int i = 0; i < heardFrom.Length && !stopped; i++) if (heardEvent[i] == name && (node == "*" || heardFrom[i] == node)) Call(heardFn[i], one, 1);
		for (int i = 0; i < machineNode.Length; i++) {
			string up = node;
			while (up != "" && up != "*" && up != machineNode[i]) up = Parent(up);
			if (up != "") Offer(i, name, payload);
		}
		Flush();
	}

	void Handle(string node, string name, object[] one) {
		for (int i = 0; i < handlerNode.Length; i++) if (handlerEvent[i] == name && (node == "*" || handlerNode[i] == node)) Call(handlerFn[i], one, 1);
	}

	void Set(int slot, object v) {
		object old = slots[slot];
		slots[slot] = v;
		if (Flat(v) && Same(old, v)) return;
		if (!changed[slot]) before[slot] = old;
		changed[slot] = true;
		if (slotShared[slot]) Touch();
	}

	void Flush() {
		bool any = false;
		for (int i = 0; i < changed.Length; i++) any = any || changed[i];
		if (!any) return;
		for (int w = 0; w < watchSlot.Length; w++) {
			if (!changed[watchSlot[w]]) continue;
			object[] two = new object[] { slots[watchSlot[w]], before[watchSlot[w]] };
			Call(watchFn[w], two, 2);
		}
		for (int i = 0; i < changed.Length; i++) changed[i] = false;
		Bind();
	}

	void Bind() {
		for (int i = 0; i < bindNode.Length; i++) {
			object v = Call(bindFn[i], null, 0);
			if (fault == "") SetProperty(bindNode[i], bindProperty[i], v);
		}
	}

	// State machines.
	void Act(int fn) { if (fn >= 0) Call(fn, null, 0); }

	bool Around(int state, int inner) {
		while (inner >= 0) {
			if (inner == state) return true;
			inner = stateParent[inner];
		}
		return false;
	}

	void Move(int i, int to, int action) {
		int from = current[i];
		int s = from;
		while (s >= 0 && (from == to ? s == from : !Around(s, to))) {
			Act(stateExit[s]);
			s = stateParent[s];
		}
		Act(action);
		current[i] = to;
		since[i] = steps;
		fired[i] = false;
		int[] enter = new int[32];
		int n = 0;
		s = to;
		while (s >= 0 && n < 32 && (from < 0 || (from == to ? s == to : !Around(s, from)))) {
			enter[n] = s;
			n++;
			s = stateParent[s];
		}
		for (int k = n - 1; k >= 0; k--) Act(stateEntry[enter[k]]);
		if (from >= 0) Raise(machineNode[i], "state_exit", stateName[from]);
		Raise(machineNode[i], "state_enter", stateName[to]);
	}

	bool Take(int i, int s, string name, object payload) {
		for (int t = transitionFrom[s]; t < transitionFrom[s + 1]; t++) {
			if (transitionEvent[t] != name) continue;
			object[] one = new object[] { payload };
			if (transitionGuard[t] >= 0 && !Truthy(Call(transitionGuard[t], one, 1))) continue;
			Move(i, transitionTo[t], transitionAction[t]);
			return true;
		}
		return false;
	}

	bool Offer(int i, string name, object payload) {
		int s = current[i];
		while (s >= 0) {
			if (Take(i, s, name, payload)) return true;
			s = stateParent[s];
		}
		for (int k = machineFrom[i]; k < machineFrom[i + 1]; k++) if (stateName[k] == "*" && Take(i, k, name, payload)) return true;
		if (name != "transition" || !IsText(payload) || (string)payload == "*") return false;
		for (int k = machineFrom[i]; k < machineFrom[i + 1]; k++) if (stateName[k] == (string)payload) {
			Move(i, k, -1);
			return true;
		}
		return false;
	}

	void Timer(int i) {
		int s = current[i];
		while (s >= 0) {
			if (stateAfter[s] >= 0 && !fired[i] && (double)(steps - since[i]) / rate >= stateAfter[s] - 1e-9) {
				fired[i] = true;
				if (!Offer(i, "timeout", null) && stateThen[s] >= 0) Move(i, stateThen[s], -1);
				Flush();
				return;
			}
			s = stateParent[s];
		}
	}
