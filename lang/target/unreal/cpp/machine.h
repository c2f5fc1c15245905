// The machine that runs a program: turns, state, events, instructions. Time is a
// count of steps and chance comes from a seed: equal programs and events do the
// same everywhere. A machine belongs to one thread.

struct Fault {
	std::string code, message, function;
	int line = 0, column = 0;
	Value thrown;
};

// Entry is something that a run did: an event that was taken, a state key that
// was set, a property, a log, a call of the host, a new node, a fault.
struct Entry {
	double at = 0;
	std::string kind, node, name, value, function;
	int line = 0, column = 0;
};

// Host is what the machine tells, and whom it asks. It lives as long as the
// machine, and does not call it back from within.
class Host {
public:
	virtual ~Host() = default;
	// call is an operation of the outside; false where there is none.
	virtual bool call(const std::string &name, const std::string &node, const std::vector<Value> &args, Value &answer) = 0;
	virtual void logged(const std::string &node, const std::string &text) = 0;
	virtual void faulted(const std::string &node, const Fault &fault) = 0;
	virtual void stateChanged(const std::string &owner, const std::string &key, const Value &value) = 0;
	// propertyChanged says that a property may have another value than before.
	virtual void propertyChanged(const std::string &node, const std::string &key) = 0;
	virtual void spawned(const std::string &id, const std::string &name, const std::string &parent) = 0;
	virtual void destroyed(const std::string &id) = 0;
};

// Node is what a machine has to know of a node of the scene.
struct Node {
	std::string id, parent, name;
	Value properties; // an object
};

struct Function {
	std::string name, owner;
	int params = 0, locals = 0;
	std::vector<int> code;
	std::vector<std::array<int, 3>> lines;
};

struct Program {
	struct Slot { std::string owner, key; int constant = -1, fn = -1; };
	struct Computed { std::string owner, key; int fn = 0; };
	struct Watch { int state = 0, fn = 0; };
	struct Bind { std::string node, property; int fn = 0; };
	struct Handler { std::string node, event; int fn = 0; };
	struct Subscription { std::string from, event, owner; int fn = 0; };
	struct Wire { std::string from, event; int set = -1, fn = 0; std::vector<int> args; };
	struct Schedule { int fn = 0; double after = 0, every = 0; bool forever = false; };
	struct Timeline { std::string id; bool loop = false, autoplay = false; std::vector<std::pair<double, int>> steps; };
	struct Transition { std::string event; int to = 0, guard = -1, action = -1; };
	struct State { std::string name; int parent = -1, entry = -1, exit = -1; double after = -1; int then = -1; std::vector<Transition> on; };
	struct StateMachine { std::string node; int initial = 0; std::vector<State> states; };
	struct TreeNode { std::string type, policy; int times = 0, fn = -1; double duration = 0; std::vector<TreeNode> children; };
	struct Tree { std::string node; double rate = 10; bool restart = true; TreeNode root; };

	std::array<std::uint32_t, 4> seed{};
	int spatial = 60;
	std::vector<Value> constants;
	std::vector<std::string> host;
	std::vector<Slot> state;
	std::vector<Function> functions;
	std::vector<Computed> computed;
	std::vector<Watch> watches;
	std::vector<Bind> binds;
	std::vector<Handler> handlers;
	std::vector<Subscription> subscriptions;
	std::vector<Wire> wires;
	std::vector<Schedule> schedules;
	std::vector<Timeline> timelines;
	std::vector<StateMachine> machines;
	std::vector<Tree> trees;
};

// load reads a program of the compiler from its JSON; false where it is none.
bool load(const std::string &json, Program &out);

extern const char *const SceneOwner; // owns what stands at the top of a source
extern const char *const Everywhere; // the node of an event that belongs to no place

class Machine {
public:
	Machine(Program p, std::vector<Node> list, Host *h, bool longTurns = false);

	void start();
	// step advances the time by one spatial step.
	void step();
	// inject raises an event from outside; the next step takes it up.
	void inject(const std::string &node, const std::string &name, const Value &payload);
	// put sets a state key from outside, as a turn of its own.
	void put(const std::string &owner, const std::string &key, const Value &v);
	Value state(const std::string &owner, const std::string &key) const;
	Value property(const std::string &node, const std::string &key) const;
	// place tells where the outside moved a node, without an entry or a watch.
	void place(const std::string &node, const std::string &key, const Value &v);
	const Program &program() const { return p; }
	const Node *node(const std::string &id) const;
	bool wasSpawned(const std::string &id) const { return made_nodes.count(id) > 0; }
	bool hears(const std::string &event) const { return heard.count(event) > 0; }

	bool tracing = false;
	std::vector<Entry> trace;

private:
	struct Try { int pc; std::size_t height; };
	struct Frame { const Function *fn; int pc = 0; std::vector<Value> locals; std::size_t base = 0; std::vector<Try> tries; };
	struct Thread { std::vector<Frame> frames; std::vector<Value> stack; int depth = 0; };
	struct Waiting { int at; std::shared_ptr<Thread> thread; std::string owner; };
	struct Event { std::string node, name; Value payload; };
	struct Change { int slot; Value old; };
	struct Cached { Value v; bool fresh = false, busy = false; int version = 0; };
	struct Due { int at; bool on; };
	struct Line { bool on = false; int since = 0, next = 0; };
	struct Running { int state = -1, since = 0; bool fired = false; };
	struct Tween { std::string node, key, easing; Value from, to; int since = 0; double seconds = 1; };
	enum class Outcome : std::uint8_t { Success, Failure, Ongoing, None };
	struct Visit {
		const Program::TreeNode *node;
		std::vector<Visit> children;
		std::size_t at = 0;
		std::vector<int> order;
		bool ordered = false;
		int since = -1, times = 0, until = 0;
		std::vector<Outcome> done;
	};
	struct Walk { const Program::Tree *tree; Visit root; double next = 0; bool over = false; };
	using Args = std::vector<Value>;
	using Key = std::pair<std::string, std::string>;
	struct KeyHash {
		std::size_t operator()(const Key &k) const { return std::hash<std::string>()(k.first) * 31 + std::hash<std::string>()(k.second); }
	};
	template <class T> using Keyed = std::unordered_map<Key, T, KeyHash>;

	// Faults and work.
	bool failed() const { return fault != nullptr; }
	Value fail(const char *code, const std::string &message);
	Value wrong(const std::string &message) { return fail("RUN004", message); }
	Value large(const std::string &message) { return fail("RUN007", message); }
	void charge(int n);
	bool overdrawn();
	void alloc(int n);
	Value text(std::string s);
	Value list(std::vector<Value> items);
	std::string printed(const Value &v);
	bool same(const Value &x, const Value &y);
	int find(const std::vector<Value> &items, const Value &x);
	std::vector<double> numbers(const Args &a, std::size_t n);
	void note(const char *kind, const std::string &node, const std::string &name, const Value &v, const Fault *f = nullptr);
	int measure() const;

	// Turns.
	void drain();
	void turnOf(const Event &e);
	void handlers(const Event &e, const std::string &node, bool everywhere);
	std::string parent(const std::string &node) const;
	void wire(const Program::Wire &w, const Event &e);
	void begin(const std::string &owner, int fn, const Args &args);
	void carry(const std::string &owner, const std::shared_ptr<Thread> &t);
	bool atomically(const std::string &owner, const std::function<void()> &work);
	void report(const std::string &owner, const Fault &f);
	static Value valueOf(const Fault &f);
	void set(int slot, const Value &v);
	void touch(const Value &v);
	void touch(Box &b, const Value &keep);
	Value computed(int i);
	void flush();
	void bindAll();
	int after(double seconds) const;
	double time() const { return static_cast<double>(steps) / p.spatial; }
	bool tight() const { return spent >= MaxStepNow; }

	// Instructions.
	std::shared_ptr<Thread> thread(int fn, const Args &args, const std::vector<Value> &boxes, int below);
	static void enter(Thread &t, const Function &f, const Args &args, const std::vector<Value> &boxes);
	Value call(int fn, const Args &args, const std::vector<Value> &boxes);
	Value invoke(const Value &v, const Args &args);
	bool resume(Thread &t, Value &out);
	bool caught(Thread &t);
	bool instruction(Thread &t, Value &out, bool &sleeps);
	Args spread(const Value &v);
	double sleeping = 0;

	// Operators and members.
	Value arithmetic(int op, const Value &x, const Value &y);
	Value bits(int op, const Value &x, const Value &y);
	Value compare(int op, const Value &x, const Value &y);
	Value within(const Value &x, const Value &y);
	Value range(const Value &x, const Value &y);
	Value merge(const Value &x, const Value &y);
	Value iterate(const Value &v);
	Value index(const Value &x, const Value &i);
	void putIndex(const Value &x, const Value &i, const Value &v);
	Value member(const Value &x, const std::string &name);
	void putMember(const Value &x, const std::string &name, const Value &v);
	Value nodeMember(const std::string &node, const std::string &name);
	void setProperty(const std::string &node, const std::string &name, const Value &v);
	void emit(const std::string &node, const std::string &name, const Value &payload);
	Value spawn(const std::string &owner, const std::string &name, const Value &at, const Value &overrides);
	void destroy(const std::string &node);
	Value instances(const std::string &name);

	// Methods.
	Value method(const Value &x, const std::string &name, const Args &a);
	Value listMethod(const Value &x, const std::string &name, const Args &a);
	Value changeList(const Value &x, const std::string &name, const Args &a);
	Value sort(const Value &x, const Value &by);
	bool behind(const Value &x, const Value &y, const Value &by);
	Value objectMethod(const Value &x, const std::string &name, const Args &a);
	Value nodeMethod(const std::string &node, const std::string &name, const Args &a);
	Value textMethod(const std::string &s, const std::string &name, const Args &a);

	// The library and the outside.
	bool library(const std::string &name, const std::string &owner, const Args &a, Value &out);
	bool mathematics(const std::string &name, const Args &a, Value &out);
	Value hostCall(const std::string &fn, const std::string &owner, const std::string &name, const Args &a);
	Value outside(const std::string &fn, const std::string &owner, const std::string &name, const Args &a);
	Value distance(const Args &a);
	Value play(const std::string &owner, const std::string &what, const Args &a);
	Value model(const std::string &owner, const Args &a);
	Value between(const Value &x, const Value &y, double u);
	void tween(const std::string &node, const Args &a);
	Value timeout(const std::string &owner, const Args &a);
	Value named(const std::string &name, bool first);
	double chance();

	// What begins by itself.
	void runSchedules();
	void runTimelines();
	void runTweens();
	void runTimers();
	void runTrees();

	// State machines and trees.
	void move(std::size_t i, int to, int action);
	void machineEvent(const Event &e);
	bool offer(std::size_t i, const Event &e);
	bool holds(const std::string &owner, int fn, const Value &payload);
	Outcome tick(const std::string &owner, Visit &v, int &left);
	Outcome tickAction(const std::string &owner, int fn);
	Outcome tickInOrder(const std::string &owner, Visit &v, int &left);
	Outcome tickAll(const std::string &owner, Visit &v, int &left);
	Outcome tickAgain(Visit &v, Outcome r);
	bool elapsed(const Visit &v) const;
	static Visit visitOf(const Program::TreeNode &n);
	static void reset(Visit &v);

	Program p;
	Host *host;
	int MaxStepNow, turnLimit;
	std::array<std::uint32_t, 4> random{};
	std::unordered_map<std::string, Node> nodes;
	std::vector<std::string> order;
	std::vector<Value> slots;
	Keyed<int> slotOf, byName;
	std::vector<Cached> caches;
	Keyed<Value> properties;
	std::unordered_set<std::string> heard, unknown, made_nodes, gone;
	std::unordered_map<std::string, int> calls;
	std::deque<Event> queue;
	std::vector<Waiting> waiting;
	std::deque<std::shared_ptr<Thread>> ready;
	std::vector<Due> schedules;
	std::vector<Line> lines;
	std::vector<Running> running;
	std::vector<std::shared_ptr<Tween>> tweens;
	std::vector<Walk> walks;
	std::vector<std::function<void()>> undo;
	std::vector<Change> changed;
	std::unique_ptr<Fault> fault;
	int version = 0, steps = 0, depth = 0, budget = 0, spent = 0, turn = 0, made = 0, held = 0, cascade = 0, serial = 0;
	bool handling = false, stopped = false, faulted = false;
};
