"""Checks a proof of `latchkey audit proof`, with nothing of Latchkey: Python's standard library, and openssl for Ed25519.

Usage: check-proof.py FILE KEY. Prints the name of the event, and exits with 0 if the proof is valid.
"""
import base64, hashlib, hmac, json, re, subprocess, sys, tempfile, uuid

sha256 = lambda *parts: hashlib.sha256(b"".join(parts)).digest()
FIELDS = ["actor_name", "target_name", "impersonator_name", "ip", "user_agent", "details.to", "details.statedReason"]


def commitment(event):
    salt, kept = (bytes.fromhex(event.pop(name) or "") for name in ("salt", "kept"))
    details = json.loads(event.pop("details"))
    event["at"] = event.pop("at_micros")
    digests = {}
    for index, field in enumerate(FIELDS):
        holder, name = (details, field.split(".")[1]) if "." in field else (event, field)
        value = holder.pop(name) if isinstance(holder.get(name), str) else None
        stored = kept[34 + 32 * index : 66 + 32 * index]
        if kept and kept[1] >> index & 1:
            assert re.fullmatch("erased:[0-9a-f]{16}", value or ""), field + " is not a pseudonym"
            digests[field] = stored.hex()
            continue
        key = stored or sha256(b"latchkey/audit-field/v1\n", field.encode(), b"\n", salt)
        digests[field] = sha256(key, b"\0" if value is None else b"\1" + value.encode()).hex()
    columns = {name: value for name, value in event.items() if value is not None}
    # RFC 8785. The keys are ASCII and the numbers are small integers, so sorting by code points is enough.
    text = json.dumps({**columns, "details": details, "digests": digests}, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    key = kept[2:34] or sha256(b"latchkey/audit-rest/v1\n", salt)
    return hmac.digest(key, b"latchkey/audit-event/v1\n" + text.encode(), "sha256")


def root_of(leaf, index, size, path):
    """RFC 9162, section 2.1.3.2."""
    node, last = index, size - 1
    for sibling in path:
        assert last > 0, "the path is too long"
        if node & 1 or node == last:
            leaf = sha256(b"\1", sibling, leaf)
            while not node & 1 and node:
                node, last = node >> 1, last >> 1
        else:
            leaf = sha256(b"\1", leaf, sibling)
        node, last = node >> 1, last >> 1
    assert last == 0, "the path is too short"
    return leaf


def is_signed(key, text, lines):
    name, key_id, encoded = key.split("+", 2)
    public = base64.b64decode(encoded)
    assert public[0] == 1 and sha256(name.encode(), b"\n", public)[:4].hex() == key_id, "the key is malformed"
    for line in lines:
        dash, signer, signature = line.split(" ")
        signature = base64.b64decode(signature)
        if signer == name and signature[:4].hex() == key_id:
            with tempfile.NamedTemporaryFile() as pem, tempfile.NamedTemporaryFile() as message, tempfile.NamedTemporaryFile() as signed:
                pem.write(bytes.fromhex("302a300506032b6570032100") + public[1:]), pem.flush()
                message.write(text.encode()), message.flush()
                signed.write(signature[4:]), signed.flush()
                return not subprocess.run(
                    ["openssl", "pkeyutl", "-verify", "-pubin", "-keyform", "DER", "-inkey", pem.name, "-rawin", "-in", message.name, "-sigfile", signed.name],
                    stdout=subprocess.DEVNULL,
                ).returncode
    return False


def main(path, key):
    head, _, note = open(path, encoding="utf-8").read().partition("\n\n")
    magic, extra, index, *path = head.split("\n")
    assert magic == "c2sp.org/tlog-proof@v1", "this is not a proof"
    event = json.loads(base64.b64decode(extra.removeprefix("extra ")))["event"]
    name, event_id, micros = event["event"], uuid.UUID(event["id"]), int(event["at_micros"])
    text, _, signatures = note.rpartition("\n\n")
    origin, size, root = text.split("\n")[:3]
    entry = event_id.bytes + micros.to_bytes(8, "big", signed=True) + commitment(event)
    path = [base64.b64decode(line) for line in path]
    actual = root_of(sha256(b"\0", entry), int(index.removeprefix("index ")), int(size), path)
    assert origin == key.split("+")[0], "this is the key of another log"
    assert actual == base64.b64decode(root), "the event is not in the tree"
    assert is_signed(key, text + "\n", signatures.strip().split("\n")), "the signature is not valid"
    print(name)


main(*sys.argv[1:])
