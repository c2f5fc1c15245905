// The values of a running program. Texts are UTF-8, measured in bytes and indexed
// in code points; lists and objects are shared by all that hold them.

enum class Kind : std::uint8_t { Null, Bool, Number, Text, List, Object, Node, State, Function, Box, Iterator };

struct List;
struct Object;
struct Closure;
struct Box;
struct Iterator;
struct Routine;

class Value {
public:
	Value() = default;
	static Value yes(bool v) { return Value(Kind::Bool, v ? 1.0 : 0.0, nullptr); }
	static Value num(double v) { return Value(Kind::Number, v, nullptr); }
	static Value str(std::string v) { return Value(Kind::Text, 0, std::make_shared<std::string>(std::move(v))); }
	static Value node(std::string id) { return Value(Kind::Node, 0, std::make_shared<std::string>(std::move(id))); }
	static Value state(std::string id) { return Value(Kind::State, 0, std::make_shared<std::string>(std::move(id))); }
	static Value list(std::vector<Value> items);
	static Value object();
	static Value of(Kind kind, std::shared_ptr<void> what) { return Value(kind, 0, std::move(what)); }

	Kind kind() const { return what; }
	bool is(Kind k) const { return what == k; }
	bool isNull() const { return what == Kind::Null; }
	bool flag() const { return number != 0; }
	double real() const { return number; }
	// text is that of a text, and the id of a node or of its state.
	const std::string &text() const { return *static_cast<const std::string *>(ref.get()); }
	List &items() const { return *static_cast<List *>(ref.get()); }
	Object &fields() const { return *static_cast<Object *>(ref.get()); }
	Closure &closure() const { return *static_cast<Closure *>(ref.get()); }
	Box &box() const { return *static_cast<Box *>(ref.get()); }
	Iterator &iterator() const { return *static_cast<Iterator *>(ref.get()); }
	const void *address() const { return ref.get(); }
	template <class T> std::shared_ptr<T> share() const { return std::static_pointer_cast<T>(ref); }

private:
	Value(Kind k, double n, std::shared_ptr<void> r) : what(k), number(n), ref(std::move(r)) {}
	Kind what = Kind::Null;
	double number = 0;
	std::shared_ptr<void> ref;
};

// bury lets go of values one after the other, however deep they are within each
// other.
void bury(std::vector<Value> &&values);

struct List {
	std::vector<Value> items;
	int turn = 0; // in which its old items were saved
	~List() { bury(std::move(items)); }
};

// Object is a map in the order in which its keys came.
struct Object {
	std::vector<std::string> keys;
	std::unordered_map<std::string, Value> values;
	int turn = 0;
	~Object();
	const Value *find(const std::string &key) const;
	Value get(const std::string &key) const;
	bool has(const std::string &key) const { return values.count(key) > 0; }
	void put(const std::string &key, Value v);
	void remove(const std::string &key);
};

struct Box {
	Value v;
	int turn = 0;
	~Box();
};

// Closure is a function with the boxes that it closes over.
struct Closure {
	std::shared_ptr<const Routine> fn;
	std::vector<Value> boxes;
	~Closure() { bury(std::move(boxes)); }
};

// Iterator walks over a list as it was when the walk began.
struct Iterator {
	std::vector<Value> items;
	std::size_t at = 0;
	~Iterator() { bury(std::move(items)); }
};

bool truthy(const Value &v);
// equal compares by content; left counts what may still be compared.
bool equal(const Value &a, const Value &b, int depth, int &left);
bool equal(const Value &a, const Value &b);
// asNumber is a value as a number; false where it is none.
bool asNumber(const Value &v, double &out);
// textOf is a value as text: a text itself, everything else as it is printed.
std::string textOf(const Value &v);
// shown is a value as JSON.
std::string shown(const Value &v);
std::string quote(const std::string &s);
const char *typeName(const Value &v);
Value copyOf(const Value &v, int depth);
std::string formatNumber(double n);
// clip shortens a text for a message, brief one for a trace.
std::string clip(const std::string &s);
std::string brief(const std::string &s);
// parse reads JSON, the keys of objects in their order; false where it is none.
bool parse(const std::string &s, Value &out, int depth);

// numberOf is what a text or a value counts; NaN where it is no number.
Value numberOf(const Value &v);

std::size_t countOf(const std::string &s);
std::vector<std::string> charactersOf(const std::string &s);
