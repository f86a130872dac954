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


def verify_pool():
    # The reply has the dice in the order they fell, so each is simply the next.
    for shown in roll["dice"]:
        assert die(shown["sides"]) + 1 == shown["value"], "die"


def verify_notation():
    check_notation(roll, die)


given = json.load(sys.stdin)
for pair in given if isinstance(given, list) else [given]:
    proof, roll = pair["proof"], pair["roll"]
    seed = bytes.fromhex(proof["server_seed"])
    assert hashlib.sha256(seed).hexdigest() == proof["commitment"], "commitment"
    words, used = all_words(), []
    verify_pool() if roll["pool"] else verify_notation()
    assert used == proof["words"], "words"
    print("holds", len(roll["dice"]))
