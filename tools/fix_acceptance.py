#!/usr/bin/env python3
"""Plays QuickFIX's acceptance definitions (test/definitions/server/*/*.def there) against a running
acceptor. They are not part of this repository. Its sessions are of ISLD with TW, ISLD being the
acceptor, with reset_on_logon.

    tools/fix_acceptance.py PORT [--reports] FILE...

A line of a definition is a step: I sends, E expects a message, i and e connect, disconnect, and
expect the end of a connection; a digit behind it tells connections apart. Fields are compared in
their order, times by their form alone. The acceptor of those definitions sends orders back as they
came, and no exchange does: with --reports an ExecutionReport, or a refusal of a message that is not
an order, counts as it if its number and header are right.
"""
import argparse
import datetime
import re
import socket
import sys
import time

SOH = "\x01"
PATIENCE_S = 60
STEP = re.compile(r"([IEie])(?:(\d),)?(.*)", re.DOTALL)
TIME = re.compile(r"<TIME([+-]\d+)?>")
SECOND = r"\d{8}-\d{2}:\d{2}:\d{2}"
FORMS = {"10": r"\d{3}", "42": SECOND, "52": SECOND, "60": SECOND, "122": SECOND}
ROUTING = ["8", "34", "43", "49", "50", "56", "57", "115", "116", "128", "129", "144", "145"]


class Wrong(Exception):
    pass


def with_times(text, now):
    def told(match):
        moment = now + datetime.timedelta(seconds=int(match.group(1) or 0))
        return moment.strftime("%Y%m%d-%H:%M:%S")

    return TIME.sub(told, text)


def completed(message):
    """With the BodyLength and CheckSum that it does not have itself."""
    begin, delimiter, rest = message.partition(SOH)
    if not begin.startswith("8=") or not delimiter:
        return message
    head = begin + SOH
    found = re.search(f"{SOH}10=.*{SOH}$", rest)
    end = found.group(0) if found else ""
    body = rest[: len(rest) - len(end)]
    if f"{SOH}9=" not in message:
        head += f"9={len(body)}{SOH}"
    if not end:
        end = f"10={sum((head + body).encode('latin1')) % 256:03}{SOH}"
    return head + body + end


def fields(message):
    return [tuple((field.split("=") + [""])[:2]) for field in message.rstrip(SOH).split(SOH)]


def report_trouble(expected, received):
    """Of what an exchange says where the definition has its order back."""
    left, right = dict(reversed(fields(expected))), dict(reversed(fields(received)))
    kinds = ["8"] if left["35"] == "D" else ["3", "8", "d", "j"]
    if right.get("35") not in kinds:
        return f"it is no report but of type {right.get('35')}"
    for tag in ROUTING:
        if left.get(tag) != right.get(tag):
            return f"field {tag} should be {left.get(tag)} and is {right.get(tag)}"
    return "" if ("122" in left) == ("122" in right) else "field 122"


def trouble(expected, received, reports):
    """Why this is not what was expected; empty if it is."""
    left, right = fields(expected), fields(received)
    if reports and dict(reversed(left)).get("35") in ("D", "d", "C"):
        return report_trouble(expected, received)
    if len(left) != len(right):
        return "another number of fields"
    for (tag, value), (other_tag, other_value) in zip(left, right):
        if tag != other_tag:
            return f"field {tag} should stand where {other_tag} is"
        same = re.match(FORMS[tag], other_value) if tag in FORMS else value == other_value
        if not same:
            return f"field {tag} should be {value} and is {other_value}"
    return ""


class Connection:
    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S)
        self.bytes = b""

    def receive(self):
        try:
            return self.socket.recv(65536)
        except ConnectionResetError:
            return b""
        except TimeoutError:
            raise Wrong("nothing came") from None

    def take(self, count_or_mark):
        """This many bytes, or those up to a mark."""
        while True:
            if isinstance(count_or_mark, int):
                end = count_or_mark if len(self.bytes) >= count_or_mark else -1
            else:
                found = self.bytes.find(count_or_mark)
                end = found + len(count_or_mark) if found >= 0 else -1
            if end >= 0:
                taken, self.bytes = self.bytes[:end], self.bytes[end:]
                return taken
            more = self.receive()
            if not more:
                raise Wrong("the connection was ended instead")
            self.bytes += more

    def message(self):
        head = self.take(b"\x019=")
        length = self.take(b"\x01")
        body = self.take(int(length[:-1]))
        return (head + length + body + self.take(b"\x01")).decode("latin1")

    def expect_end(self):
        rest = self.bytes + self.receive()
        if rest:
            raise Wrong(f"the end was expected, not {rest.decode('latin1').replace(SOH, '|')}")


class Player:
    def __init__(self, port, reports):
        self.port = port
        self.reports = reports
        self.connections = {}

    def step(self, line):
        kind, which, text = STEP.fullmatch(line).groups()
        now = datetime.datetime.now(datetime.timezone.utc)
        text = completed(with_times(text, now))
        if kind == "i" and text == "CONNECT":
            self.connections[which] = Connection(self.port)
        elif kind == "i":
            self.connections.pop(which).socket.close()
        elif kind == "I":
            self.connections[which].socket.sendall(text.encode("latin1"))
        elif kind == "e":
            self.connections[which].expect_end()
        else:
            received = self.connections[which].message()
            if why := trouble(text, received, self.reports):
                shown = f"{why}\n    expected {text}\n    received {received}"
                raise Wrong(shown.replace(SOH, "|"))

    def play(self, path):
        """Why it went wrong, and in which line; empty if it did not."""
        with open(path, encoding="latin1") as definition:
            lines = definition.read().split("\n")
        try:
            for number, line in enumerate(lines, 1):
                if not line or line.startswith("#"):
                    continue
                try:
                    self.step(line)
                except (Wrong, OSError) as wrong:
                    return f"line {number}: {wrong}"
        finally:
            for connection in self.connections.values():
                connection.socket.close()
            self.connections.clear()
        return ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("port", type=int)
    parser.add_argument("--reports", action="store_true", help="take reports for returned orders")
    parser.add_argument("definitions", nargs="+")
    options = parser.parse_args()
    failures = 0
    for path in options.definitions:
        time.sleep(0.1)  # the connections of the one before are gone by then
        if why := Player(options.port, options.reports).play(path):
            failures += 1
            print(f"{path}: {why}")
    print(f"{len(options.definitions)} definitions, {failures} not kept")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
