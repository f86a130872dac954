"""Evaluates dice notation, written from docs/fairness.md and nothing else. See verify_roll.py."""
import operator, re

COMPARE = {">=": operator.ge, ">": operator.gt, "<=": operator.le, "<": operator.lt, "=": operator.eq}


class Notation:
    """Parses a notation into nested tuples, whose first item is their kind."""

    def __init__(self, text):
        self.text, self.at, self.label = text, 0, None
        self.terms = self.sum()
        assert self.next() == "", "end of notation"

    def next(self):
        self.at += len(re.match(r"[ \t]*", self.text[self.at :])[0])
        return self.text[self.at :]

    def take(self, pattern):
        found = re.match(pattern, self.next(), re.I)
        self.at += len(found[0]) if found else 0
        return found[0].lower() if found else None

    def sum(self):
        sign, terms = self.take("-") or "+", []
        while sign:
            self.next()
            start, self.label = self.at, None
            value = self.product()
            end, label = self.at, self.label or (None, self.at, self.at)
            text = self.text[start : label[1]] + self.text[label[2] : end]
            terms.append((sign, value, text.strip(), label[0]))
            sign = self.take("[+-]")
        return terms

    def product(self):
        value = self.signed()
        while self.take(r"\*"):
            value = ("product", value, self.signed())
        return value

    def signed(self):
        if self.take("-"):
            return ("negative", self.signed())
        value, end = self.operand(), self.at
        if self.take(r"\["):
            found = re.match(r"([^\]]*)\]", self.text[self.at :])
            self.at += len(found[0])
            self.label = (found[1].strip(), end, self.at)
        return value

    def operand(self):
        rounding = self.take("floor|ceil|round")
        if rounding:
            assert self.take(r"\("), "parenthesis"
            above = self.product()
            assert self.take("/"), "division"
            below = self.signed()
            assert self.take(r"\)"), "parenthesis"
            return (rounding, above, below)
        if self.take(r"\("):
            value = ("sum", self.sum())
            assert self.take(r"\)"), "parenthesis"
            return value
        number = self.take(r"\d+")
        if not self.take("d"):
            return ("number", int(number))
        dice = {"count": int(number or 1), "sides": self.take(r"\d+|%|f")}
        while True:
            modifier = self.take("!o|!|ro|r|kh|kl|dh|dl|mi|ma|f|(?=[<>=])")
            if modifier is None:
                return ("dice", dice)
            assert modifier not in dice, "given twice"
            if modifier in ("", "r", "ro", "f"):
                sign = self.take(">=|<=|>|<|=")
                than = -1 if sign and self.take("-") else 1
                dice[modifier] = (COMPARE[sign or "="], than * int(self.take(r"\d+")))
            else:
                dice[modifier] = True if modifier[0] == "!" else int(self.take(r"\d+"))


def dice_in(value):
    if value[0] == "dice":
        return [value[1]]
    if value[0] == "sum":
        return [dice for term in value[1] for dice in dice_in(term[1])]
    return [dice for part in value[1:] if isinstance(part, tuple) for dice in dice_in(part)]


def kept_of(dice):
    dropped = dice.get("dh", 0) + dice.get("dl", 0)
    return dice.get("kh", dice.get("kl", dice["count"] - dropped))


class Roll:
    """Rolls a notation."""

    def __init__(self, terms, die):
        self.die = die
        every = dice_in(("sum", terms))
        reserved = sum(dice["count"] * (1 + ("ro" in dice) + ("!o" in dice)) for dice in every)
        self.spare, self.fallen, self.term, self.terms, self.result = 1000 - reserved, [], 0, [], 0
        d20s = [dice for dice in every if dice["sides"] == "20"]
        one = len(d20s) == 1 and kept_of(d20s[0]) == 1 and not {"!", "!o", ""} & d20s[0].keys()
        self.natural = d20s[0] if one else None
        for self.term, (sign, value, text, label) in enumerate(terms):
            subtotal = self.value(value)
            self.result += -subtotal if sign == "-" else subtotal
            self.terms.append({"notation": text, "label": label, "sign": sign, "subtotal": subtotal})

    def value(self, value):
        kind, *parts = value
        if kind == "number":
            return parts[0]
        if kind == "dice":
            return self.roll(parts[0])
        if kind == "sum":
            return sum((-1 if sign == "-" else 1) * self.value(part) for sign, part, _, _ in parts[0])
        values = [self.value(part) for part in parts]
        if kind == "negative":
            return -values[0]
        if kind == "product":
            return values[0] * values[1]
        above, below = values
        if kind == "floor":
            return above // below
        return -(-above // below) if kind == "ceil" else (2 * above + below) // (2 * below)

    def fall(self, dice):
        sides = {"f": 3, "%": 100}.get(dice["sides"]) or int(dice["sides"])
        value = self.die(sides) + (-1 if dice["sides"] == "f" else 1)
        self.fallen.append({"kind": "NORMAL", "sides": sides, "value": value, "flags": [], "term": self.term})
        return self.fallen[-1]

    def has_room(self):
        self.spare -= 1
        return self.spare >= 0

    def roll(self, dice):
        counted = []
        reroll, explodes = dice.get("r") or dice.get("ro"), "!" in dice or "!o" in dice
        for _ in range(dice["count"]):
            one = self.fall(dice)
            while reroll and reroll[0](one["value"], reroll[1]) and ("ro" in dice or self.has_room()):
                one["flags"].append("rerolled")
                one = self.fall(dice)
                if "ro" in dice:
                    break
            counted.append(one)
            highest = 1 if dice["sides"] == "f" else one["sides"]
            while explodes and one["value"] == highest and ("!o" in dice or self.has_room()):
                one["flags"].append("exploded")
                one = self.fall(dice)
                counted.append(one)
                if "!o" in dice:
                    break
        counts = {}
        for one in counted:
            value = min(max(one["value"], dice.get("mi", one["value"])), dice.get("ma", 10**9))
            counts[id(one)] = value
            if value != one["value"]:
                one["counts_as"] = value
                one["flags"].append("adjusted")
        kept = counted
        for word in ("kh", "kl", "dh", "dl"):
            if word in dice:
                best = sorted(counted, key=lambda one: counts[id(one)] * (-1 if word[1] == "h" else 1))
                kept = best[: dice[word]] if word[0] == "k" else best[dice[word] :]
        total, kept = 0, {id(one) for one in kept}
        for one in counted:
            value = counts[id(one)]
            one["flags"].append("kept" if id(one) in kept else "dropped")
            if id(one) not in kept:
                continue
            if "" in dice:
                won = dice[""][0](value, dice[""][1])
                lost = "f" in dice and dice["f"][0](value, dice["f"][1])
                one["flags"] += ["success"] * won + ["botch"] * lost
                value = won - lost
            total += value
            if dice is self.natural and one["value"] in (1, 20):
                one["flags"].append("natural_max" if one["value"] == 20 else "natural_min")
        return total


def check_notation(roll, die):
    """Compares the roll of a notation with the dice that `die` draws."""
    parsed = Notation(roll["notation"]).terms
    rolled = Roll(parsed, die)
    successes = any("" in dice for dice in dice_in(("sum", parsed)))
    assert roll["net" if successes else "total"] == rolled.result, "result"
    assert roll["total" if successes else "net"] is None, "result"
    assert len(rolled.fallen) == len(roll["dice"]), "number of dice"
    for mine, shown in zip(rolled.fallen, roll["dice"]):
        if "term" not in shown:  # A die of an earlier version.
            for one in (mine, shown):
                one["flags"] = [flag for flag in one["flags"] if not flag.startswith("natural_")]
            mine = {key: mine[key] for key in shown}
        assert mine == shown, "die %s is not %s" % (shown, mine)
    if roll.get("terms"):
        assert roll["terms"] == rolled.terms, "terms %s are not %s" % (roll["terms"], rolled.terms)
