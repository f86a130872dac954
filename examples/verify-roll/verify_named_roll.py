"""Derives a roll by its name in a ruleset again: its notation, dice, total, score, margin and outcome.

    python3 verify_named_roll.py document.json roll.json proof.json

Written from docs/fairness.md and docs/formulas.md, with the standard library alone. It knows sums of numbers and of dice, also with kh, kl,
dh or dl, and refuses everything else, such as dice that explode."""
import hashlib, hmac, json, operator, re, sys

LIMIT = 10**9
COMPARE = {"<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge, "==": operator.eq, "!=": operator.ne}
# From the weakest to the strongest.
OPERATORS = [{"or": operator.or_}, {"and": operator.and_}, COMPARE, {"+": operator.add, "-": operator.sub}, {"*": operator.mul}]
ROUND = {"floor": lambda a, b: a // b, "ceil": lambda a, b: -(-a // b), "round": lambda a, b: (2 * a + b) // (2 * b)}
HIGHEST, LOWEST = (lambda all: max(all, default=0)), (lambda all: min(all, default=0))
OF_ALL = {"sum": sum, "highest": HIGHEST, "lowest": LOWEST, "fallen": len, "added": sum, "best": HIGHEST, "worst": LOWEST}
COUNTED = {"count": operator.ge, "shown": operator.eq, "at_least": operator.ge, "at_most": operator.le}
OF_NUMBERS = {"min": min, "max": max, "abs": abs, "clamp": lambda value, low, high: max(low, min(high, value))}
cut = lambda value: max(-LIMIT, min(LIMIT, value))


class Rules:
    """A document, and what its formulas read: numbers and choices by name, and dice as pairs of group and value."""
    def __init__(self, document, numbers, chosen):
        self.document, self.numbers, self.chosen, self.dice = document, numbers, chosen, []

    def compute(self, formula):
        """Computes a formula while reading it. None can fail, so both sides of a choice are computed."""
        self.tokens = re.findall(r"\d+|[a-z][a-z0-9_]*|[<>=!]=|\S", str(formula))[::-1]
        value = self.choice()
        assert not self.tokens, formula
        return value

    def take(self, *wanted):
        return self.tokens.pop() if not wanted or self.tokens[-1:] and self.tokens[-1] in wanted else None

    def choice(self):
        value = self.operation(0)
        if not self.take("?"):
            return value
        one, _, other = self.choice(), self.take(":"), self.choice()
        return one if value else other

    def operation(self, level):
        if level == len(OPERATORS):
            return self.operand()
        value = self.operation(level + 1)
        while sign := self.take(*OPERATORS[level]):
            value = cut(OPERATORS[level][sign](value, self.operation(level + 1)))
        return value

    def operand(self):
        token = self.take()
        if token in ("-", "not"):
            return -self.operand() if token == "-" else not self.operand()
        if token.isdigit():
            return int(token)
        if token == "(" or self.take("("):
            value = self.choice() if token == "(" else self.call(token)
            assert self.take(")"), "a parenthesis is missing"
            return value
        return self.numbers[token + "." + self.take() if self.take(".") else token]

    def call(self, name):
        if name in ROUND:
            above, _, below = self.operation(len(OPERATORS) - 1), self.take("/"), int(self.take())
            return ROUND[name](above, below)
        if name == "is":
            slot, _, option = self.take(), self.take(","), self.take()
            return self.chosen.get(slot) == option
        if name in ("sum", "highest", "lowest", "count"):
            values = [self.numbers[trait] for trait in self.members(self.take())]
        elif name in OF_ALL or name in COUNTED:
            # shown(n) asks all dice, and shown(group, n) those of a group.
            group = self.take() if (self.tokens[-1] != ")" if name in OF_ALL else self.tokens[-2] == ",") else None
            values = [value for of, value in self.dice if group in (None, of)]
        if name in OF_ALL:
            return cut(OF_ALL[name](values))
        self.take(",")
        given = [self.choice()]
        while self.take(","):
            given.append(self.choice())
        if name in COUNTED:
            return sum(COUNTED[name](value, given[0]) for value in values)
        if name in OF_NUMBERS:
            return OF_NUMBERS[name](*given)
        rows = self.document["tables"][name]
        return ([value for key, value in rows if key <= given[0]] or [rows[0][1]])[-1]

    def first(self, cases):
        return next(case for case in cases if "when" not in case or self.compute(case["when"]))

    def members(self, group):
        inside = lambda name: name == group or (name is not None and inside(self.document["groups"][name].get("of")))
        return [name for name, of in self.document["traits"].items() if group in of.get("tags", []) or inside(of["group"])]


def fall(terms, proof):
    """Rolls terms, which are pairs of group and text, with the words of the proof. Returns the dice as (term, value, is kept) and the total."""
    seed, used, dice, total = bytes.fromhex(proof["server_seed"]), [], [], 0
    assert hashlib.sha256(seed).hexdigest() == proof["commitment"], "the seed does not match the commitment"

    def draw(sides):
        message = "%s:%d:%d" % (proof["client_seed"], proof["nonce"], len(used) // 8)
        block = hmac.new(seed, message.encode(), "sha256").digest()
        used.append(int.from_bytes(block[len(used) % 8 * 4 :][:4], "big"))
        return used[-1] % sides if used[-1] < 2**32 // sides * sides else draw(sides)

    for i, (_, text) in enumerate(terms):
        count, sides, keep, kept = re.fullmatch(r"(\d*)(?:d(\d+|F)(?:(kh|kl|dh|dl)(\d+))?)?", text).groups()
        faces = [draw(3) - 1 if sides == "F" else draw(int(sides)) + 1 for _ in range(int(count or 1) if sides else 0)]
        order = sorted(range(len(faces)), key=lambda at: faces[at], reverse=(keep or "kh")[1] == "h")
        counts = order if not keep else order[: int(kept)] if keep[0] == "k" else order[int(kept) :]
        dice += [(i, face, at in counts) for at, face in enumerate(faces)]
        total += sum(faces[at] for at in counts) if sides else int(count)
    assert used == proof["words"], "the words do not follow from the seeds"
    return dice, total


def verify(document, roll, proof):
    made, rule = roll["ruleset"], document["rolls"][roll["ruleset"]["roll"]]
    assert proof["roll_id"] == roll["id"], "the proof belongs to another roll"
    rules = Rules(document, dict(made["values"]), dict(made["choices"]))
    for name, asked in rule.get("inputs", {}).items():
        rules.chosen[name] = answer = made["inputs"].get(name)
        rules.numbers[name] = made["values"].get(answer, 0) if "trait" in asked else answer
    for name, formula in rule.get("values", {}).items():
        assert rules.compute(formula) == made["values"][name], name + " does not follow from the sheet"
    cases = rule["dice"] if isinstance(rule["dice"], list) else [{"dice": rule["dice"]}]
    terms, texts = [], []
    for group, template in rules.first(cases)["dice"].items():
        text = re.sub(r"\{([^}]*)\}", lambda found: str(rules.compute(found[1])), template)
        # A group falls out if its number of dice comes to less than 1.
        if not re.match(r"\{[^}]*\}d", template) or int(re.match(r"-?\d+", text)[0]) > 0:
            texts.append(text)
            terms += [(group, term) for term in re.split(r"\s*\+\s*", text)]
    dice, total = fall(terms, proof)
    rules.dice = [(terms[i][0], value) for i, value, kept in dice if kept]
    rules.numbers["total"] = total
    rules.numbers["score"] = score = rules.compute(rule.get("score", "total"))
    margin, end = rules.compute(rule["margin"]) if "margin" in rule else None, rules.first(rule["outcomes"])
    derived = [" + ".join(texts), dice, total, score, margin, end["code"], end.get("label"), end.get("outcome")]
    shown = [(die["term"], die["value"], "kept" in die["flags"]) for die in roll["dice"]]
    stated = [roll["notation"], shown, roll["total"], *(made[name] for name in ("score", "margin", "code", "label")), roll["outcome"]]
    assert derived == stated, "derived %s, but the roll says %s" % (derived, stated)
    return {"dice": [value for _, value, _ in dice], "score": score, "margin": margin, "code": end["code"]}


if __name__ == "__main__":
    print(json.dumps(verify(*(json.load(open(name)) for name in sys.argv[1:4]))))
