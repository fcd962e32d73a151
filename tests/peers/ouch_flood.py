#!/usr/bin/env python3
"""A hostile client of OUCH 5.0: it enters orders of an instrument that there is not, as fast as the
exchange takes them, to fill the memory for its messages.

    ouch_flood.py PORT USER COUNT

Prints how many were refused, and "ended" if the exchange ended the connection, or "done".
"""
import socket
import struct
import sys
import threading

from patience import PATIENCE_S


def packet(kind, payload):
    return struct.pack(">H", 1 + len(payload)) + kind + payload


def main():
    port, user, count = int(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    peer = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S)
    login = user.ljust(6) + " " * 10 + " " * 10 + "0".rjust(20)
    peer.sendall(packet(b"L", login.encode()))
    refused = 0
    ended = threading.Event()

    def read():
        nonlocal refused
        rest = b""
        while True:
            try:
                more = peer.recv(1 << 20)
            except OSError:
                more = b""
            if not more:
                ended.set()
                return
            rest += more
            at = 0
            while len(rest) - at >= 2:
                length = struct.unpack_from(">H", rest, at)[0]
                if len(rest) - at < 2 + length:
                    break
                refused += rest[at + 2:at + 4] == b"SJ"
                at += 2 + length
            rest = rest[at:]
            if refused >= count:
                return

    reader = threading.Thread(target=read)
    reader.start()
    ref = 0
    try:
        while ref < count and not ended.is_set():
            block = b""
            for _ in range(100):
                ref += 1
                block += packet(b"U", b"O" + struct.pack(">IcI", ref, b"B", 1) + b"NOPE".ljust(8) +
                                struct.pack(">Q", 10000) + b"0YANN" + b"C".ljust(14) + b"\0\0")
            peer.sendall(block)
    except OSError:
        pass
    reader.join(PATIENCE_S)
    print(refused, "ended" if ended.is_set() else "done")


main()
