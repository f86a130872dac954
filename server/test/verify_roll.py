"""A verifier of dice rolls, written from docs/fairness.md and nothing else. Reads {proof, roll} from standard input."""
import hashlib, hmac, json, re, sys

given = json.load(sys.stdin)
proof, roll = given["proof"], given["roll"]
seed = bytes.fromhex(proof["server_seed"])
assert hashlib.sha256(seed).hexdigest() == proof["commitment"], "commitment"


def all_words():
    block = 0
    while True:
        message = "%s:%d:%d" % (proof["client_seed"], proof["nonce"], block)
        digest = hmac.new(seed, message.encode("ascii"), "sha256").digest()
        for i in range(0, 32, 4):
            yield int.from_bytes(digest[i : i + 4], "big")
        block += 1


words, used = all_words(), []


def die(sides):
    while True:
        word = next(words)
        used.append(word)
        if word < 2**32 // sides * sides:
            return word % sides


# The reply has the dice in the order they fell, so each is simply the next.
fudge = roll["notation"] is not None and re.search(r"d\s*f", roll["notation"], re.I)
for shown in roll["dice"]:
    lowest = -1 if fudge else 1
    assert die(shown["sides"]) + lowest == shown["value"], "die"
assert used == proof["words"], "words"
print("holds", len(roll["dice"]))
