#!/usr/bin/env python3
"""A client of OUCH over SoupBinTCP, made from the specifications alone.

It logs in, sends messages that are given in hexadecimal, and prints what it is sent, one message a
line: its number and its bytes.

    ouch_peer.py PORT USER SEQUENCE COUNT [MESSAGE...] [--session=S] [--password=P] [--logout]

A message is sent at once; `wait:N` waits until message N came. Ends when COUNT messages have come,
without a logout unless asked for.
"""
import socket
import struct
import sys

from patience import PATIENCE_S


class Soup:
    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S)
        self.rest = b""

    def send(self, kind, payload=b""):
        self.socket.sendall(struct.pack(">H", 1 + len(payload)) + kind + payload)

    def read(self):
        """The next packet as (type, payload); nothing at the end."""
        while True:
            if len(self.rest) >= 2:
                length = struct.unpack(">H", self.rest[:2])[0]
                if len(self.rest) >= 2 + length:
                    packet = self.rest[2:2 + length]
                    self.rest = self.rest[2 + length:]
                    return packet[:1], packet[1:]
            more = self.socket.recv(65536)
            if not more:
                return None, b""
            self.rest += more


def main():
    words = [word for word in sys.argv[1:] if not word.startswith("--")]
    given = [word for word in sys.argv[1:] if word.startswith("--")]
    options = dict((word[2:] + "=").split("=")[:2] for word in given)
    port, user, sequence, count = int(words[0]), words[1], words[2], int(words[3])
    soup = Soup(port)
    login = (user.ljust(6) + options.get("password", "").ljust(10) +
             options.get("session", "").rjust(10) + sequence.rjust(20))
    soup.send(b"L", login.encode())
    kind, payload = soup.read()
    if kind != b"A":
        print("rejected" if kind == b"J" else "closed", payload.decode())
        return
    number = int(payload[10:])
    silence = 0
    print("session", payload[:10].decode().strip(), number)

    def receive():
        nonlocal number, silence
        kind, payload = soup.read()
        if kind is None:
            print("closed")
            sys.exit(0)
        if kind == b"Z":
            print("end of session")
        if kind == b"S":
            print(number, payload.hex())
            number += 1
        if kind == b"H":
            soup.send(b"R")
            silence += 1
            if silence == PATIENCE_S:
                print("silent")
                sys.exit(0)

    last = number + count
    for word in words[4:]:
        if word.startswith("wait:"):
            while number <= int(word[5:]):
                receive()
        else:
            soup.send(b"U", bytes.fromhex(word))
    while number < last:
        receive()
    if "logout" in options:
        soup.send(b"O")
        while soup.read()[0] is not None:
            pass


main()
