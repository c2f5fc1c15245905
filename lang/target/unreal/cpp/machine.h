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
	// spawned is told of every node that a program made, those above first. like is
	// the node of the prototype that it is a copy of, alone; empty where nothing has
	// the name of a template: then it looks like a node of that name, with all below.
	virtual void spawned(const std::string &id, const std::string &name, const std::string &like, const std::string &parent) = 0;
	// destroyed is told of what spawned made and what is there no more.
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
	bool rest = false; // the last parameter is the list of the arguments that the others leave
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
	struct Template { std::string name; std::vector<std::string> nodes; };

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
	std::vector<Template> templates;
};

// Instance is what spawn made of a template: its nodes, in the order of those of the
// prototype, and where its rows begin in the tables of a machine.
struct Instance {
	int of = 0;
	std::vector<std::string> nodes;
	int slots = 0, computed = 0, functions = 0;
	bool dead = false; // its rows may be those of another
};

// Routine is a function with whose it is. In the code of an instance the nodes,
// slots, computed values and functions of its prototype are its own.
struct Routine {
	const Function *code;
	std::string owner;
	std::shared_ptr<const Instance> of; // none: the code as it stands
	bool dead() const { return of && of->dead; }
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
	// hears says whether a handler of any kind has the name of an event; what is
	// spawned later may hear of more.
	bool hears(const std::string &event) const { return heard.count(event) > 0; }
	// eachState tells of all state keys; prototypes have none.
	void eachState(const std::function<void(const std::string &owner, const std::string &key, const Value &v)> &tell) const;

	bool tracing = false;
	std::vector<Entry> trace;

private:
	struct Try { int pc; std::size_t height; };
	using Code = std::shared_ptr<const Routine>;
	struct Frame { Code fn; int pc = 0; std::vector<Value> locals; std::size_t base = 0; std::vector<Try> tries; };
	struct Thread { std::vector<Frame> frames; std::vector<Value> stack; int depth = 0; };
	struct Waiting { int at; std::shared_ptr<Thread> thread; std::string owner; };
	struct Event { std::string node, name; Value payload; bool within = false; }; // within: for the node and those below alone
	struct Change { int slot; Value old; };
	struct Cached { Value v; bool fresh = false, busy = false; int version = 0; };
	struct Due { Program::Schedule row; int at; bool on; };
	struct Line { std::shared_ptr<const Program::Timeline> row; bool on = false; int since = 0, next = 0; };
	struct Running { std::shared_ptr<const Program::StateMachine> row; int state = -1, since = 0; bool fired = false; };
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
	struct Walk { std::shared_ptr<const Program::Tree> tree; Visit root; double next = 0; bool over = false; };
	struct Block { int slots, computed, functions; };
	// Template is a prototype: its rows in the tables of the program.
	struct Template {
		std::vector<int> slots, computed, functions, watches, binds, handlers, subscriptions, wires, schedules, timelines, machines, trees;
		int rows = 0;
		std::vector<Block> free; // given back by instances that are no more
	};
	struct Home { int of = -1, at = 0; }; // a template, and the place among its rows
	struct Row { std::string owner; const std::string *key; int fn; };
	using Args = std::vector<Value>;
	using Key = std::pair<std::string, std::string>;
	struct KeyHash {
		std::size_t operator()(const Key &k) const { return std::hash<std::string>()(k.first) * 31 + std::hash<std::string>()(k.second); }
	};
	template <class T> using Keyed = std::unordered_map<Key, T, KeyHash>;
	using Born = std::shared_ptr<Instance>;

	const Value *held_property(const std::string &node, const std::string &key) const;
	void keep(const std::string &node, const std::string &key, const Value &v);

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
	void bind(const Program::Bind &b);
	bool floods();
	int after(double seconds) const;
	double time() const { return static_cast<double>(steps) / p.spatial; }
	bool tight() const { return spent >= MaxStepNow; }

	// Instructions.
	std::shared_ptr<Thread> thread(const Code &fn, const Args &args, const std::vector<Value> &boxes, int below);
	static void enter(Thread &t, const Code &f, const Args &args, const std::vector<Value> &boxes);
	Value call(const Code &fn, const Args &args, const std::vector<Value> &boxes);
	Value call(int fn, const Args &args) { return call(routine(fn), args, {}); }
	const Code &routine(int fn) const { return functions[static_cast<std::size_t>(fn)]; }
	const std::string &ownerOf(int fn) const { return routine(fn)->owner; }
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

	// Templates.
	void sortOut(const std::vector<Node> &list);
	Home homeOf(const std::string &node) const;
	Home homeOfFn(int fn) const { return homeOf(p.functions[static_cast<std::size_t>(fn)].owner); }
	bool isLive(const std::string &node) const { return homeOf(node).of < 0; }
	bool isLiveFn(int fn) const { return homeOfFn(fn).of < 0; }
	Born instantiate(int which, const std::string &above);
	std::string arrive(Node n, const std::string &like);
	void depart(const std::vector<std::string> &ids);
	void dress(const std::string &id, const Value &at, const Value &overrides);
	void firstValues(const Instance &it);
	void furnish(const Born &it);
	void release(Instance &it);
	void bear(const Born &it);
	void bury();
	void forget(const std::string &id);
	void disown(const Instance &it, const std::string &id);
	void hear(const Program::Handler &h);
	bool below(std::string node, const std::string &top) const;
	int slotFor(const Instance *it, int slot) const;
	int computedFor(const Instance *it, int i) const;
	int functionFor(const Instance *it, int fn) const;
	const std::string &nodeFor(const Instance *it, const std::string &id) const;
	void retarget(Program::TreeNode &n, const Instance *it) const;

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
	void walk(std::shared_ptr<const Program::Tree> t);
	static Visit visitOf(const Program::TreeNode &n);
	static void reset(Visit &v);

	Program p;
	Host *host;
	int MaxStepNow, turnLimit;
	std::array<std::uint32_t, 4> random{};
	std::unordered_map<std::string, Node> nodes, prototypes;
	std::vector<std::string> order;
	std::vector<Value> slots;
	std::vector<Row> slotRows, computedRows;
	std::vector<Code> functions;
	Keyed<int> slotOf, byName, computedOf;
	std::vector<Cached> caches;
	std::unordered_map<std::string, std::unordered_map<std::string, Value>> properties; // of each node
	std::size_t property_count = 0;
	std::unordered_set<std::string> unknown, made_nodes, gone;
	std::unordered_map<std::string, int> calls, heard;
	// The rows of what is there: those of the program without prototypes, and of instances.
	std::vector<Program::Watch> watches;
	std::vector<Program::Bind> binds;
	std::vector<Program::Handler> hearing;
	std::vector<Program::Subscription> subscriptions;
	std::vector<Program::Wire> wires;
	std::vector<Template> templates;
	std::unordered_map<std::string, int> templateOf;      // by name
	std::unordered_map<std::string, Home> homes;          // by the id of a node of a prototype
	std::vector<Home> slotHomes, computedHomes, fnHomes;  // by the index in the program
	std::unordered_map<std::string, Born> lives;          // by the ids of their nodes
	std::deque<Born> born;
	std::vector<std::string> ending;
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
	int version = 0, steps = 0, depth = 0, budget = 0, spent = 0, turn = 0, made = 0, held = 0, cascade = 0, serial = 0, rows = 0;
	bool handling = false, stopped = false, faulted = false;
};
