#!/usr/bin/env python3
"""Makes the data directory beside this file: make.py PROGRAM OUTPUT, with the program of 9a086a3.

Starts it in a new directory, enters what README.md lists, and stops it with SIGTERM."""
import json
import pathlib
import signal
import socket
import struct
import subprocess
import sys
import time

CONFIG = """
[doors]
binary = 0
fix = 0
udp = 0
[journal]
segment_mib = 1
[fix]
store_file_mib = 1
[capacity]
connections = 100
instruments = 8
participants = 200
accounts = 400
orders = 1000
special_orders = 200
levels = 1000
ladder_nodes = 1000
[[instruments]]
id = 1
symbol = "AAPL"
[[instruments]]
id = 2
symbol = "MSFT"
[[instruments]]
id = 3
symbol = "EURX"
tick = 0.05
tick_bands = [{ from = 100, tick = 0.1 }]
[[participants]]
id = 150
name = "bounded"
limits.open_orders = 7
limits.position = 5000
[[participants]]
id = 151
name = "blocked"
blocked = true
"""
FOR_EVER = 2**64 - 1
YEAR_2090_US = 3786912000 * 10**6


class Binary:
    """A client of version 2 of the binary protocol."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.sequence = 0
        answer = self.ask(1, bytes(8))
        self.client = struct.unpack(">Q", answer[16:24])[0]

    def ask(self, kind, payload):
        self.sequence += 1
        self.socket.sendall(struct.pack(">BBHIII", kind, 2, len(payload), self.sequence, 0, 0) + payload)
        time.sleep(0.05)
        return self.socket.recv(4096)

    def order(self, name, instrument, side, quantity, price_e2, tif=0, until=FOR_EVER):
        return self.ask(10, struct.pack(">QQIBBBxQQQ", self.client, name, instrument, side, 0, tif,
                                        quantity, price_e2, until))


class Fix:
    def __init__(self, port, comp_id):
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.comp_id = comp_id
        self.next = 1
        self.send("35=A|98=0|108=30")

    def send(self, fields):
        kind, _, rest = fields.partition("|")
        stamp = time.strftime("%Y%m%d-%H:%M:%S", time.gmtime())
        body = f"{kind}|34={self.next}|49={self.comp_id}|56=DAMRAK|52={stamp}|"
        body += rest + "|" if rest else ""
        body = body.replace("NOW", stamp).replace("|", "\x01")
        message = f"8=FIX.4.4\x019={len(body)}\x01{body}"
        message += f"10={sum(message.encode()) % 256:03}\x01"
        self.next += 1
        self.socket.sendall(message.encode())
        time.sleep(0.05)
        print(self.comp_id, self.socket.recv(65536).decode().replace("\x01", "|"))

    def order(self, name, symbol, side, quantity, price, more=""):
        kind = "" if "40=" in more else "|40=2"
        limit = f"|44={price}" if price else ""
        self.send(f"35=D|11={name}|55={symbol}|54={side}|60=NOW|38={quantity}{kind}{limit}"
                  + (f"|{more}" if more else ""))


def datagram(sequence, order_id, price_e2, quantity, side, instrument=1):
    return (b"DMRK" + struct.pack(">BBHIIQQ", 1, 1, 1, sequence, 0, 0, 0)
            + struct.pack(">QIIIIIBBBB", order_id, price_e2, quantity, instrument, 0, 0, 1, side, 0, 1))


def trade(binary_port, fix_port, udp_port):
    anna, bert = Binary(binary_port), Binary(binary_port)
    anna.order(11, 1, 0, 100, 9900)
    anna.order(12, 1, 0, 200, 9850)
    anna.order(13, 1, 1, 150, 10100)
    anna.order(14, 1, 0, 30, 9700, tif=3, until=YEAR_2090_US)
    bert.order(21, 1, 1, 40, 9900)  # takes 40 of Anna's 11
    # Own orders cross in MSFT, each with a later one on the other side.
    anna.order(15, 2, 1, 10, 5000)
    anna.order(16, 2, 0, 25, 5050)
    bert.order(22, 3, 1, 60, 12010)
    bert.order(23, 3, 0, 60, 9995)

    fix = Fix(fix_port, "CLIENT1")
    fix.order("plain", "AAPL", 1, 70, "99.00", "59=1")
    fix.order("iceberg", "AAPL", 2, 500, "101.00", "111=100|59=1")
    fix.order("hidden", "AAPL", 2, 90, "101.50", "111=0|59=1")
    fix.order("passive", "AAPL", 2, 80, "102.00", "18=6|59=1")
    fix.order("dated", "AAPL", 1, 60, "98.00", "59=6|126=20900101-00:00:00")
    fix.order("stop", "AAPL", 1, 40, "", "40=3|99=103.00|59=1")
    fix.order("stoplimit", "AAPL", 2, 45, "95.00", "40=4|99=96.00|59=1")
    # Held: no ask of 400 is there.
    fix.order("held", "AAPL", 1, 1000, "100.50", "110=400|59=1")
    fix.order("before", "AAPL", 1, 20, "97.50", "59=1")
    fix.send("35=G|11=after|41=before|55=AAPL|54=1|60=NOW|38=25|40=2|44=97.60|59=1")
    fix.order("gone", "AAPL", 1, 10, "90.00", "59=1")
    fix.send("35=F|11=cancel|41=gone|55=AAPL|54=1|60=NOW|38=10")
    other = Fix(fix_port, "CLIENT2")
    # Too small for what is held, and below it: this one and "under" rest.
    other.order("small", "AAPL", 2, 35, "100.20", "59=1")
    # Held in EURX until 30 of it trade; then it is a hidden one that crosses what came between.
    other.order("freed", "EURX", 1, 100, "110.00", "110=30|59=1")
    fix.order("between", "EURX", 2, 15, "109.00", "59=1")
    bert.order(24, 3, 1, 50, 11000)
    # A whole slice of the iceberg and some of the next one, behind what was there before it.
    bert.order(25, 1, 0, 300, 10100)

    sender = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    sender.bind(("127.99.3.7", 26999))
    for packet in (datagram(1, 501, 9950, 300, 1), datagram(2, 502, 10500, 120, 0),
                   datagram(5, 503, 9500, 50, 1)):
        sender.sendto(packet, ("127.0.0.1", udp_port))
        time.sleep(0.05)
        print("udp", sender.recv(2048).hex())
    bert.order(26, 1, 1, 10, 9600)
    other.order("under", "AAPL", 2, 33, "100.30", "59=1")


def main():
    program, output = sys.argv[1], pathlib.Path(sys.argv[2])
    config = output.with_suffix(".toml")
    config.write_text(CONFIG)
    server = subprocess.Popen([program, "serve", "--config", config, "--only", "binary", "--only",
                               "fix", "--only", "udp", "--data", output, "--json"],
                              stdout=subprocess.PIPE, text=True)
    ready = json.loads(server.stdout.readline())
    print(ready)
    ports = ready["ports"] if "ports" in ready else ready
    trade(ports["binary"], ports["fix"], ports["udp"])
    server.send_signal(signal.SIGTERM)
    sys.exit(server.wait())


if __name__ == "__main__":
    main()
