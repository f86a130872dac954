"""A verifier of dice rolls, written from docs/fairness.md and nothing else. Reads {proof, roll} or a list of them from standard input."""
import hashlib, hmac, json, sys

from verify_notation import check_notation


def all_words():
    block = 0
    while True:
        message = "%s:%d:%d" % (proof["client_seed"], proof["nonce"], block)
        digest = hmac.new(seed, message.encode("ascii"), "sha256").digest()
        for i in range(0, 32, 4):
            yield int.from_bytes(digest[i : i + 4], "big")
        block += 1


def die(sides):
    while True:
        word = next(words)
        used.append(word)
        if word < 2**32 // sides * sides:
            return word % sides


def option(pool, name, default):
    return default if pool.get(name) is None else pool[name]


def roll_pool(pool):
    """Rolls and counts a pool again. Returns its dice as (kind, value, flags) and its result."""
    sides, difficulty = pool["sides"], pool["difficulty"]
    usual = {
        "lowest": difficulty,
        "double": option(pool, "double", [sides]),
        "one": 0 if option(pool, "ones", "SUBTRACT") == "IGNORE" else -1,
        "again": option(pool, "again", []),
    }
    chance_die = {"lowest": sides, "double": [], "one": -1, "again": []}
    own = pool["dice"] + pool["modifier"]
    start = [usual] * own
    if own < 1 and option(pool, "chance", False):
        start = [chance_die]
    special = min(option(pool, "special", {"count": 0})["count"], len(start))
    kinds = ["NORMAL"] * (len(start) - special) + ["SPECIAL"] * special + ["DESPERATION"] * pool["desperation_dice"]
    start += [usual] * pool["desperation_dice"]
    room, dice, result = 1000 - len(start), [], 0
    for kind, rules in zip(kinds, start):
        more = True
        while more:
            value = die(sides) + 1
            more = value in rules["again"] and room > 0
            flags = {"kept", "exploded"} if more else {"kept"}
            room -= more
            if difficulty is None:
                result += value
            elif value == 1:
                result += rules["one"]
                flags |= {"botch"} if rules["one"] < 0 else set()
            elif value >= rules["lowest"]:
                double = value in rules["double"]
                result += 2 if double else 1
                flags |= {"success", "critical"} if double else {"success"}
            dice.append((kind, value, flags))
    strained = ("DESPERATION", 1) in [(kind, value) for kind, value, _ in dice]
    if difficulty is None:
        return dice, {"total": result, "net": None, "margin": None, "outcome": None, "strained": strained}
    margin = result - option(pool, "needed", 1)
    outcome = "BOTCH" if result < 0 else "FAILURE" if margin < 0 else "CRITICAL" if result > len(start) else "SUCCESS"
    if roll.get("settlement") == "DESPAIR":
        outcome = "FAILURE"
    return dice, {"total": None, "net": result, "margin": margin, "outcome": outcome, "strained": strained}


def aim(result):
    """The margin and the outcome of a result against the target of the roll."""
    target = roll.get("target")
    if target is None:
        return {"margin": None, "outcome": None}
    margin = target - result if roll["compare"] == "AT_MOST" else result - target
    flags = [flag for shown in roll["dice"] for flag in shown["flags"]]
    outcome = "SUCCESS" if margin >= 0 else "FAILURE"
    if roll["naturals"]:
        outcome = "CRITICAL" if "natural_max" in flags else "BOTCH" if "natural_min" in flags else outcome
    return {"margin": margin, "outcome": outcome}


def verify_pool():
    dice, result = roll_pool(roll["pool"])
    if result["total"] is not None:
        result.update(aim(result["total"]))
    assert [(shown["kind"], shown["value"], set(shown["flags"])) for shown in roll["dice"]] == dice, "pool"
    # A roll of an earlier version has no margin.
    assert all(roll[name] == value for name, value in result.items() if name in roll), "result"
    assert all(shown["sides"] == roll["pool"]["sides"] for shown in roll["dice"]), "sides"


def verify_notation():
    check_notation(roll, die)
    if roll.get("ruleset"):
        return  # What the dice mean follows from the document of the ruleset.
    expected = aim(roll["total"] if roll["net"] is None else roll["net"])
    assert all(roll[name] == value for name, value in expected.items() if name in roll), "aim"


given = json.load(sys.stdin)
for pair in given if isinstance(given, list) else [given]:
    proof, roll = pair["proof"], pair["roll"]
    seed = bytes.fromhex(proof["server_seed"])
    assert hashlib.sha256(seed).hexdigest() == proof["commitment"], "commitment"
    words, used = all_words(), []
    verify_pool() if roll["pool"] else verify_notation()
    assert used == proof["words"], "words"
    print("holds", len(roll["dice"]))
