"""A verifier of webhooks, written from the specification of Standard Webhooks and nothing else. Reads a list of {secret, headers, body} from standard input."""
import base64, binascii, hashlib, hmac, json, sys


def signature_of(secret, headers, body):
    assert secret.startswith("whsec_"), "secret"
    key = base64.b64decode(secret[len("whsec_"):], validate=True)
    assert 24 <= len(key) <= 64, "length of the secret"
    seconds = headers["webhook-timestamp"]
    assert seconds.isascii() and seconds.isdecimal(), "timestamp"
    signed = b".".join([headers["webhook-id"].encode(), seconds.encode(), body.encode()])
    return hmac.new(key, signed, hashlib.sha256).digest()


def is_genuine(secret, headers, body):
    expected = signature_of(secret, headers, body)
    for signature in headers["webhook-signature"].split(" "):
        version, _, text = signature.partition(",")
        try:
            if version == "v1" and hmac.compare_digest(base64.b64decode(text, validate=True), expected):
                return True
        except binascii.Error:
            continue
    return False


for given in json.load(sys.stdin):
    print("genuine" if is_genuine(given["secret"], given["headers"], given["body"]) else "refused")
