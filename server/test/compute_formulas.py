"""Computes the derived values of samples with the formulas of examples/verify-roll. Reads [{document, samples}] from standard input."""
import json, os, sys

sys.path.insert(0, os.path.join(os.path.dirname(os.path.abspath(__file__)), "../../examples/verify-roll"))
from verify_named_roll import Rules


def compute(document, sample):
    numbers = {**sample["traits"], "hp.max": sample["traits"]["endurance"]}
    for slot, option in sample["choices"].items():
        choice = document["choices"][slot]
        for name, value in {**choice["values"], **choice["options"][option].get("values", {})}.items():
            numbers[slot + "." + name] = value
    rules = Rules(document, numbers, sample["choices"])
    return {name: rules.compute(derived["formula"]) for name, derived in document["derived"].items()}


print(json.dumps([[compute(given["document"], sample) for sample in given["samples"]] for given in json.load(sys.stdin)]))
