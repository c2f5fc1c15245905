# The runner of a pipeline: it needs Python 3.9 and no package. Nothing in the
# pipeline's text is run as code; expressions are trees that evaluate() walks.
# Values are those of JSON, and they compare, count and print as in the other
# runner, which is written in JavaScript.
import base64
import hashlib
import http.client
import json
import math
import os
import re
import sys
import time
import urllib.error
import urllib.parse
import urllib.request
from datetime import datetime, timezone
from decimal import ROUND_HALF_UP, Decimal


class Missing:
    """What is not there, as opposed to null."""


MISSING = Missing()


class Final(Exception):
    """A failure that no repetition mends."""


def is_number(x):
    return isinstance(x, (int, float)) and not isinstance(x, bool) and math.isfinite(x)


def tidy(x):
    """A number without a fraction is whole, however it came about."""
    if isinstance(x, float) and x.is_integer() and abs(x) < 1e21:
        return int(x)
    return x


def string(x):
    """The text of a value."""
    x = tidy(x)
    if x is None:
        return "null"
    if x is MISSING:
        return "undefined"
    if isinstance(x, bool):
        return "true" if x else "false"
    if isinstance(x, float):
        if math.isnan(x):
            return "NaN"
        if math.isinf(x):
            return "Infinity" if x > 0 else "-Infinity"
        if 1e-6 <= abs(x) < 1e21:
            return format(Decimal(repr(x)), "f")
        mantissa, _, exponent = repr(x).partition("e")
        return f"{mantissa}e{int(exponent):+d}"
    if isinstance(x, list):
        return ",".join("" if v is None or v is MISSING else string(v) for v in x)
    if isinstance(x, dict):
        return "[object Object]"
    return str(x)


NUMERAL = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)


def number(x):
    """The number of a value; what has none is NaN."""
    if isinstance(x, bool):
        return int(x)
    if isinstance(x, (int, float)):
        return x
    if x is None:
        return 0
    if isinstance(x, str):
        text = x.strip()
        if text == "":
            return 0
        if NUMERAL.fullmatch(text):
            return tidy(float(text))
        if text.lstrip("+-") == "Infinity" and len(text) <= 9:
            return -math.inf if text[0] == "-" else math.inf
        return math.nan
    if isinstance(x, list):
        return number(string(x))
    return math.nan


def truthy(x):
    if x is None or x is MISSING or x is False or x == "":
        return False
    return not (isinstance(x, (int, float)) and not isinstance(x, bool) and (x == 0 or math.isnan(x)))


def dump(x, indent=None):
    """A value as JSON; numbers that JSON does not have are null."""

    def plain(v):
        if isinstance(v, dict):
            return {k: plain(w) for k, w in v.items() if w is not MISSING}
        if isinstance(v, list):
            return [None if w is MISSING else plain(w) for w in v]
        if isinstance(v, float) and not math.isfinite(v):
            return None
        return tidy(v)

    return json.dumps(plain(x), ensure_ascii=False, indent=indent, separators=(",", ":") if indent is None else None)


def read(value, path):
    """Follows a path into a record."""
    for key in path:
        if isinstance(value, dict):
            value = value.get(key, MISSING)
        elif isinstance(value, (list, str)) and key == "length":
            value = len(value)
        elif isinstance(value, list) and key.isdecimal() and int(key) < len(value):
            value = value[int(key)]
        else:
            return MISSING
    return value


def write(record, path, value):
    keys = path.split(".")
    for key in keys[:-1]:
        if record.get(key) is None:
            record[key] = {}
        record = record[key]
        if not isinstance(record, dict):
            raise ValueError(f"field {path} lies in a value")
    record[keys[-1]] = value


PLACE = re.compile(r"\$\{([^}]*)\}")


def text(value, context):
    """Fills ${...} in a text: env.X with :-default, params.x, and fields."""
    if isinstance(value, list):
        return [text(v, context) for v in value]
    if isinstance(value, dict):
        return {k: text(v, context) for k, v in value.items()}
    if not isinstance(value, str):
        return value

    def fill(found):
        path, sign, fallback = found[1].partition(":-")
        keys = path.strip().split(".")
        value = os.environ.get(".".join(keys[1:]), MISSING) if keys[0] == "env" else read(context, keys)
        if value is MISSING or value is None:
            if not sign:
                raise Final(f"{found[0]} is not set")
            return fallback
        return string(value)

    return PLACE.sub(fill, value)


def same(a, b):
    if a is MISSING or a is None or b is MISSING or b is None:
        return (a is MISSING or a is None) and (b is MISSING or b is None)
    if isinstance(a, bool) or isinstance(b, bool):
        return a is b
    if is_number(a) and is_number(b) or isinstance(a, str) and isinstance(b, str):
        return a == b
    if isinstance(a, (dict, list)) and isinstance(b, (dict, list)):
        return dump(a) == dump(b)
    return False


def order(a, b):
    """What of a < b, a == b and a > b holds, as (-1, 0, 1); None for neither."""
    a, b = (string(v) if isinstance(v, (list, dict)) else v for v in (a, b))
    if isinstance(a, str) and isinstance(b, str):
        return (a > b) - (a < b)
    x, y = number(a), number(b)
    if math.isnan(x) or math.isnan(y):
        return None
    return (x > y) - (x < y)


def plus(a, b):
    if isinstance(a, (str, list, dict)) or isinstance(b, (str, list, dict)):
        return string(a) + string(b)
    return tidy(number(a) + number(b))


def divide(a, b):
    x, y = number(a), number(b)
    if y == 0:
        return math.nan if x == 0 or math.isnan(x) else math.copysign(math.inf, x)
    return tidy(x / y)


def remainder(a, b):
    x, y = number(a), number(b)
    if y == 0 or math.isinf(x) or math.isnan(x) or math.isnan(y):
        return math.nan
    return tidy(math.fmod(x, y))


def whole(how):
    def rounded(x=MISSING, *_):
        x = number(x)
        return how(x) if math.isfinite(x) else x

    return rounded


def contains(x=MISSING, y=MISSING, *_):
    if isinstance(x, str):
        return string(y) in x
    return isinstance(x, list) and any(same(v, y) for v in x)


CALLS = {
    "len": lambda x=MISSING, *_: len(x) if isinstance(x, (str, list)) else 0,
    "lower": lambda x=MISSING, *_: string(x).lower(),
    "upper": lambda x=MISSING, *_: string(x).upper(),
    "abs": lambda x=MISSING, *_: abs(number(x)),
    "round": whole(lambda x: math.floor(x + 0.5)),
    "floor": whole(math.floor),
    "ceil": whole(math.ceil),
    "contains": contains,
    "startsWith": lambda x=MISSING, y=MISSING, *_: string(x).startswith(string(y)),
}


def evaluate(tree, record, context):
    op, rest = tree[0], tree[1:]

    def value(i):
        return evaluate(rest[i], record, context)

    if op == "value":
        return rest[0]
    if op == "field":
        return read(record if isinstance(record, dict) and rest[0] in record else context, rest)
    if op == "list":
        return [value(i) for i in range(len(rest))]
    if op == "call":
        if rest[0] not in CALLS:
            raise ValueError(f"function {rest[0]} is not known")
        return CALLS[rest[0]](*(evaluate(t, record, context) for t in rest[1:]))
    if op == "not":
        return not truthy(value(0))
    if op == "neg":
        return tidy(-number(value(0)))
    if op in ("&&", "||"):
        left = value(0)
        return value(1) if truthy(left) == (op == "&&") else left
    if op == "??":
        left = value(0)
        return value(1) if left is None or left is MISSING else left
    if op == "?":
        return value(1) if truthy(value(0)) else value(2)
    if op not in OPERATORS:
        raise ValueError(f"operator {op} is not known")
    return OPERATORS[op](value(0), value(1))


def within(x, many):
    if isinstance(many, list):
        return any(same(v, x) for v in many)
    return isinstance(many, dict) and string(x) in many


OPERATORS = {
    "==": same,
    "!=": lambda a, b: not same(a, b),
    "<": lambda a, b: order(a, b) == -1,
    "<=": lambda a, b: order(a, b) in (-1, 0),
    ">": lambda a, b: order(a, b) == 1,
    ">=": lambda a, b: order(a, b) in (0, 1),
    "+": plus,
    "-": lambda a, b: tidy(number(a) - number(b)),
    "*": lambda a, b: tidy(number(a) * number(b)),
    "/": divide,
    "%": remainder,
    "in": within,
}


def holds(condition, record, context):
    if "tree" not in condition:
        raise ValueError(f"this condition cannot be run here: {condition.get('expr')}")
    return truthy(evaluate(condition["tree"], record, context))


def fixed(x, digits=0):
    x = number(x)
    if not math.isfinite(x):
        return x
    return tidy(float(Decimal(x).quantize(Decimal(1).scaleb(-int(number(digits))), ROUND_HALF_UP)))


def moment(x):
    """A time of milliseconds since 1970 or a text of ISO 8601, in UTC."""
    if is_number(x):
        return datetime.fromtimestamp(x / 1000, timezone.utc)
    day = str(x)
    if re.fullmatch(r"\d{4}-\d\d-\d\d", day, re.ASCII):
        day += "T00:00:00+00:00"
    return datetime.fromisoformat(re.sub("[zZ]$", "+00:00", day)).astimezone(timezone.utc)


def iso(x):
    return moment(x).strftime("%Y-%m-%dT%H:%M:%S.") + f"{moment(x).microsecond // 1000:03d}Z"


def parse_number(x):
    n = number(x)
    if math.isnan(n):
        raise ValueError(f"{string(x)} is no number")
    return n


def join(x, by=","):
    if not isinstance(x, list):
        raise ValueError(f"{string(x)} is no list")
    return by.join("" if v is None else string(v) for v in x)


# The functions of mappings, from left to right.
FUNCTIONS = {
    "trim": lambda x: string(x).strip(),
    "lowercase": lambda x: string(x).lower(),
    "uppercase": lambda x: string(x).upper(),
    "titleCase": lambda x: re.sub(r"\S+", lambda w: w[0][0].upper() + w[0][1:].lower(), string(x)),
    "split": lambda x, by=",": string(x).split(by) if by else list(string(x)),
    "join": join,
    "replace": lambda x, old, new="": string(x).replace(string(old), string(new)),
    "multiply": lambda x, by: tidy(number(x) * number(by)),
    "add": lambda x, by: tidy(number(x) + number(by)),
    "round": fixed,
    "truncate": lambda x, n=80: string(x)[: int(number(n))],
    "hash": lambda x: hashlib.sha256(string(x).encode()).hexdigest(),
    "toISO": iso,
    "toEpoch": lambda x: int(moment(x).timestamp() * 1000),
    "base64": lambda x: base64.b64encode(string(x).encode()).decode(),
    "parseNumber": parse_number,
    "default": lambda x, d: d if x is None or x is MISSING else x,
}


def apply(calls, value):
    for call in calls:
        name, args = call["fn"], call["args"]
        if name not in FUNCTIONS:
            raise ValueError(f"function {name} is not known")
        if value is MISSING and name != "default":
            return MISSING
        value = FUNCTIONS[name](value, *args)
    return value


def transform(stage, record):
    """Builds new records; a mapping with [] gives one for each element."""
    mappings = stage.get("mappings") or []
    lists = {}
    for m in mappings:
        head, mark, _ = m["from"].partition("[]")
        if mark:
            found = read(record, head.split("."))
            if isinstance(found, list):
                lists[head] = found
    out = [{} for _ in range(max([1] + [len(l) for l in lists.values()]))]
    for i, target in enumerate(out):
        for m in mappings:
            head, mark, tail = m["from"].partition("[]")
            if mark:
                elements = lists.get(head, [])
                value = read(elements[i] if i < len(elements) else MISSING, [k for k in tail.split(".") if k])
            else:
                value = read(record, m["from"].split("."))
            result = apply(m.get("calls") or [], value)
            if result is not MISSING:
                write(target, m["to"], result)
    return out


def size(x):
    if is_number(x):
        return x
    return len(x) if isinstance(x, (str, list)) else MISSING


def at_least(x, n):
    return order(x, n) in (0, 1)


def at_most(x, n):
    return order(x, n) in (-1, 0)


def one_of(x, *choices):
    flat = [v for c in choices for v in (c if isinstance(c, list) else [c])]
    return any(same(x, v) for v in flat)


CHECKS = {
    "required": lambda x: x is not MISSING and x is not None and x != "",
    "optional": lambda x: True,
    "string": lambda x: isinstance(x, str),
    "integer": lambda x: is_number(x) and float(x).is_integer(),
    "float": is_number,
    "number": is_number,
    "boolean": lambda x: isinstance(x, bool),
    "array": lambda x: isinstance(x, list),
    "null": lambda x: x is None,
    "min": lambda x, n: at_least(size(x), n),
    "max": lambda x, n: at_most(size(x), n),
    "minLength": lambda x, n: isinstance(x, (str, list)) and len(x) >= n,
    "maxLength": lambda x, n: isinstance(x, (str, list)) and len(x) <= n,
    "oneOf": one_of,
    "in": one_of,
    "equals": same,
    "gte": at_least,
    "lte": at_most,
    "matches": lambda x, p: pattern(p).search(string(x)) is not None,
    "startsWith": lambda x, p: string(x).startswith(string(p)),
}


def pattern(p):
    """A regular expression of the source, which writes them as JavaScript does."""
    body, flags = (p, "") if isinstance(p, str) else re.fullmatch(r"/(.*)/([a-z]*)", p["regex"], re.DOTALL).groups()
    out, in_class, i = "", False, 0
    while i < len(body):
        c = body[i]
        if c == "\\" and i + 1 < len(body):
            out += body[i : i + 2]
            i += 2
            continue
        if c == "[" and in_class:
            c = "\\["
        elif c in "[]":
            in_class = c == "["
        elif c == "$" and not in_class and "m" not in flags:
            c = r"\Z"
        elif body.startswith("(?<", i) and not in_class and body[i + 3 : i + 4] not in ("=", "!"):
            c, i = "(?P<", i + 2
        out += c
        i += 1
    mode = re.ASCII
    for letter, bit in (("i", re.IGNORECASE), ("m", re.MULTILINE), ("s", re.DOTALL)):
        if letter in flags:
            mode |= bit
    return re.compile(out, mode)


def faults_of(stage, record):
    """Says which rules a record breaks."""
    out = []
    for rule in stage.get("rules") or []:
        subject, every = rule["subject"], rule["checks"]
        value = read(record, (subject.get("path") or "").split("."))
        if "call" in subject:
            value = CALLS[subject["call"]["fn"]](value) if subject["call"]["fn"] in CALLS else MISSING
        optional = any(c["check"] == "optional" for any_of in every for c in any_of)
        if optional and (value is MISSING or value is None):
            continue
        for any_of in every:
            passes = False
            for c in any_of:
                if c["check"] not in CHECKS:
                    raise ValueError(f"check {c['check']} is not known")
                passes = passes or CHECKS[c["check"]](value, *c["args"])
            if not passes:
                out.append(f"{subject.get('path')}: {' or '.join(c['check'] for c in any_of)}")
    return out


def attempt(retry, what, work):
    """Repeats work that fails, as the pipeline's retry says."""
    retry = retry or {}
    most = retry.get("max") or retry.get("max_attempts") or 1
    n = 1
    while True:
        try:
            return work()
        except Final:
            raise
        except (OSError, ValueError, http.client.HTTPException) as e:
            if n >= most:
                raise
            print(f"{what}: {e}; attempt {n} of {most}", file=sys.stderr)
            base = retry.get("delay", 0.2)
            wait = {"exponential": base * 2 ** (n - 1), "linear": base * n}.get(retry.get("backoff"), base)
            time.sleep(min(wait, retry.get("max_delay", 60)))
            n += 1


class Stay(urllib.request.HTTPRedirectHandler):
    """Follows no answer to another address."""

    def redirect_request(self, *_):
        return None


OPENER = urllib.request.build_opener(Stay)


def ask(url, method, headers, body, seconds):
    address = urllib.parse.urlsplit(url)
    if address.scheme not in ("http", "https"):
        raise Final(f"{address.scheme or url} is not asked")
    request = urllib.request.Request(url, data=body, headers={k: string(v) for k, v in (headers or {}).items()}, method=method)
    try:
        with OPENER.open(request, timeout=seconds) as answer:
            return answer.read()
    except urllib.error.HTTPError as e:
        e.close()
        failure = f"{address.netloc} answers {e.code}"
        raise (Final(failure) if e.code < 500 and e.code != 429 else OSError(failure)) from None


def records(data):
    if isinstance(data, list):
        return data
    for key in ("items", "data", "records", "results", "rows"):
        if isinstance(data, dict) and isinstance(data.get(key), list):
            return data[key]
    return [data]


def lines(path):
    with open(path, encoding="utf-8") as f:
        if re.search(r"\.(ndjson|jsonl)$", path):
            return [json.loads(line) for line in f if line.strip()]
        return records(json.load(f))


# The names that stand for something in every text; any other is a field.
ROOTS = {"env", "params", "previous", "batch", "source", "result"}


def names_fields(stage):
    return any(root not in ROOTS for root in re.findall(r"\$\{\s*(\w+)", json.dumps(stage)))


class Run:
    """One way of the records through the stages."""

    def __init__(self, pipeline, dry, params):
        self.pipeline, self.dry, self.seconds = pipeline, dry, pipeline.get("timeout", 30)
        self.context = {"params": {**(pipeline.get("params") or {}), **params}, "previous": {}, "source": {}}
        self.report = {"pipeline": pipeline["name"], "dry": dry, "read": 0, "failed": 0, "dead": 0, "written": {}}

    def source(self, stage):
        s = text(stage, self.context)
        kind = s.get("type")
        if kind in ("rest", "webhook"):
            url = s.get("endpoint") or s.get("url")
            answer = attempt(s.get("retry") or self.pipeline.get("retry"), s["name"], lambda: ask(url, s.get("method", "GET"), s.get("headers"), None, self.seconds))
            return records(json.loads(answer))
        if kind == "filesystem":
            return lines(s["path"])
        if kind == "list":
            return records(s.get("items") or s.get("values") or s.get("data") or [])
        if kind in ("stdin", "stream"):
            return [json.loads(line) for line in sys.stdin if line.strip()]
        raise ValueError(f"a source of type {kind} cannot be run without its server")

    def sink(self, stage, batch):
        """Hands records over together, or one by one where its text names fields."""
        if not batch:
            return
        context = {**self.context, "batch": {"size": len(batch)}, "result": self.report}
        if not names_fields(stage):
            self.hand(stage, batch, context)
            return
        for record in batch:
            self.hand(stage, [record], {**record, **context})

    def hand(self, stage, batch, context):
        s = text(stage, context)
        if not self.dry:
            try:
                self.deliver(s, batch)
            except (Final, OSError, ValueError, http.client.HTTPException) as e:
                if (s.get("on_error") or {}).get("action") not in ("skip", "dead_letter"):
                    raise
                for record in batch:
                    self.spoilt(stage, record, str(e))
                return
        self.report["written"][s["name"]] = self.report["written"].get(s["name"], 0) + len(batch)

    def deliver(self, s, batch):
        kind = s.get("type")
        if kind in (None, "stdout"):
            for record in batch:
                print(dump(record))
            return
        if kind == "list":
            return
        if kind == "filesystem":
            path = os.path.abspath(s["path"])
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path + ".part", "w", encoding="utf-8") as f:
                f.write(dump(batch, 2) + "\n")
            os.replace(path + ".part", path)
            return
        if kind in ("rest", "webhook"):
            url = s.get("endpoint") or s.get("url")
            if url == "none":
                return
            headers = {"content-type": "application/json", **(s.get("headers") or {})}
            attempt(s.get("retry") or self.pipeline.get("retry"), s["name"], lambda: ask(url, s.get("method", "POST"), headers, dump(batch).encode(), self.seconds))
            return
        raise ValueError(f"a sink of type {kind} cannot be run without its server")

    def spoilt(self, stage, record, why):
        """Deals with a record that failed, as on_error of the stage says."""
        own, above = stage.get("on_error") or {}, self.pipeline.get("on_error") or {}
        action = own.get("action") or above.get("action") or "skip"
        self.report["failed"] += 1
        if action == "stop":
            raise Final(f"{stage['name']}: {why}")
        if action != "dead_letter":
            return
        self.report["dead"] += 1
        if self.dry:
            return
        path = os.path.abspath(own.get("path") or above.get("path") or "dead-letter.ndjson")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "a", encoding="utf-8") as f:
            f.write(dump({"stage": stage["name"], "reason": why, "record": record}) + "\n")

    def each(self, stage, current):
        """Takes the records through a stage that looks at one after the other."""
        out = []
        for record in current:
            try:
                if stage["stage"] == "filter":
                    if holds(stage["where"], record, self.context):
                        out.append(record)
                elif stage["stage"] == "transform":
                    out.extend(transform(stage, record))
                else:
                    faults = faults_of(stage, record)
                    if faults:
                        self.spoilt(stage, record, "; ".join(faults))
                    else:
                        out.append(record)
            except (ValueError, TypeError, AttributeError, ArithmeticError, LookupError, re.error) as e:
                self.spoilt(stage, record, str(e))
        return out


def united(batch, key):
    """Makes one record of those that have the same value at the key: the first
    gives the place, later ones add to it and overrule it."""
    if not key:
        return batch
    out, places = [], {}
    for record in batch:
        value = read(record, key.split("."))
        if value is MISSING or value is None:
            out.append(record)
            continue
        known = dump(value)
        if known in places:
            out[places[known]] = {**out[places[known]], **record}
        else:
            places[known] = len(out)
            out.append(record)
    return out


def recalls(pipeline):
    """Whether a pipeline asks for what the run before it saw."""
    return re.search(r'\["field","previous"|\$\{\s*previous\b', json.dumps(pipeline["stages"], separators=(",", ":"))) is not None


def state_file():
    """What the last run saw is kept beside the program: by pipeline and stage,
    the last record that came to it. PIPELINE_STATE names another file."""
    return os.path.abspath(os.environ.get("PIPELINE_STATE", "pipeline-state.json"))


def read_state():
    try:
        with open(state_file(), encoding="utf-8") as f:
            return json.load(f)
    except FileNotFoundError:
        return {}
    except ValueError:
        raise ValueError(f"{state_file()} is no JSON; move it away to begin anew") from None


def several(names):
    return names if isinstance(names, list) else [names]


def run_once(pipeline, dry=False, params=None):
    """Takes the records through the stages once and returns the report."""
    keeps = recalls(pipeline)
    before = read_state().get(pipeline["name"], {}) if keeps else {}
    seen = {}
    run = Run(pipeline, dry, params or {})
    outputs, routed, current, last = {}, set(), [], None
    loose = {}  # stages whose records nobody has taken, in their order
    sinks = {s["name"] for s in pipeline["stages"] if s["stage"] == "sink"}

    def output(stage, name):
        if name not in outputs:
            raise ValueError(f"{stage['name']} takes the records of {name}, which has not run before it")
        loose.pop(name, None)
        return outputs[name]

    for stage in pipeline["stages"]:
        kind = stage["stage"]
        run.context["previous"] = before.get(stage["name"], {})
        if kind != "source":
            if stage.get("from"):
                current = [r for name in several(stage["from"]) for r in output(stage, name)]
            elif kind == "merge" and not stage.get("with"):
                current = [r for name in list(loose) for r in output(stage, name)]
            elif kind == "sink" and stage["name"] in routed:
                current = outputs[stage["name"]]
            else:
                loose.pop(last, None)
            if current:
                seen[stage["name"]] = current[-1]
        if kind == "source":
            run.context["source"] = {"name": stage["name"], "type": stage.get("type")}
            current = run.source(stage)
            run.report["read"] += len(current)
            if current:
                seen[stage["name"]] = current[-1]
        elif kind == "merge":
            if stage.get("with"):
                current = current + [r for name in several(stage["with"]) for r in output(stage, name)]
            current = united(current, stage.get("key"))
        elif kind in ("filter", "transform", "validate"):
            current = run.each(stage, current)
        elif kind == "branch":
            to = {r["sink"]: [] for r in stage["routes"]}
            for name in to:
                if name not in sinks:
                    raise ValueError(f"sink {name} is not there")
            for record in current:
                for route in stage["routes"]:
                    if "when" not in route or holds(route["when"], record, run.context):
                        to[route["sink"]].append(record)
                        break
            routed.update(to)
            outputs.update(to)
        elif kind == "sink":
            run.sink(stage, current)
            continue
        outputs[stage["name"]] = current
        loose[stage["name"]] = True
        last = stage["name"]
    if pipeline.get("receipt") and not dry:
        run.deliver({"name": "receipt", **text(pipeline["receipt"], {**run.context, "result": run.report})}, [run.report])
    if keeps and not dry:
        every = {**read_state(), pipeline["name"]: {**before, **seen}}
        with open(state_file() + ".part", "w", encoding="utf-8") as f:
            f.write(dump(every) + "\n")
        os.replace(state_file() + ".part", state_file())
    return run.report


DAYS = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"]
MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
SPANS = [(0, 59), (0, 23), (1, 31), (1, 12), (0, 7)]


def cron_number(word, field):
    """Reads a number, or the name of a month or a day in its field."""
    name = word.lower()
    if field == 4 and name in DAYS:
        return DAYS.index(name)
    if field == 3 and name in MONTHS:
        return MONTHS.index(name) + 1
    if not re.fullmatch(r"\d+", word, re.ASCII):
        raise ValueError(f'"{word}" is no part of a schedule')
    return int(word)


def due(schedule, date):
    """Says whether a five-field schedule fires in the minute of a date (UTC)."""
    now = [date.minute, date.hour, date.day, date.month, date.isoweekday() % 7]
    fields = schedule.split()
    if len(fields) != 5:
        raise ValueError(f'"{schedule}" is no schedule of five fields')

    def fits(i):
        at = [now[i]] + ([7] if i == 4 and now[i] == 0 else [])
        found = False
        for part in fields[i].split(","):
            span, slash, step = part.partition("/")
            if span == "*":
                low, high = SPANS[i]
            elif "-" in span:
                low, high = (cron_number(w, i) for w in span.split("-", 1))
            else:
                low = cron_number(span, i)
                high = SPANS[i][1] if slash else low
            every = cron_number(step, 0) if slash else 1
            if every < 1:
                raise ValueError(f'"{part}" is no part of a schedule')
            found = found or any(low <= n <= high and (n - low) % every == 0 for n in at)
        return found

    fit = [fits(i) for i in range(5)]
    day = fit[2] and fit[4] if "*" in (fields[2], fields[4]) else fit[2] or fit[4]
    return fit[0] and fit[1] and fit[3] and day


FAILURES = (Final, OSError, http.client.HTTPException, ValueError, TypeError, AttributeError, ArithmeticError, LookupError)


def main(pipelines, argv):
    dry = "--dry-run" in argv
    names = [a for a in argv if not a.startswith("--")]
    chosen = [p for p in pipelines if not names or p["name"] in names]
    if not chosen:
        raise ValueError(f"no pipeline is called {', '.join(names)}")
    if "--schedule" not in argv:
        for p in chosen:
            print(dump(run_once(p, dry)), file=sys.stderr)
        return
    before = None
    while True:
        now = datetime.now(timezone.utc)
        minute = now.replace(second=0, microsecond=0)
        if minute != before:
            before = minute
            for p in chosen:
                try:
                    if p.get("schedule") and due(p["schedule"], now):
                        print(dump(run_once(p, dry)), file=sys.stderr)
                except FAILURES as e:
                    print(f"{p['name']}: {e}", file=sys.stderr)
        time.sleep(1)
