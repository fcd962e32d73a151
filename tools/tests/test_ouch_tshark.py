"""A session of OUCH 4.2 and one of 5.0 at a running exchange, decoded by tshark: its dissector of
SoupBinTCP reads both, that of OUCH (4.x) every message of 4.2, without anything malformed."""
import json
import os
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from test_feed_tshark import PROGRAM, TSHARK, capture  # noqa: E402

PORT = 26400


def packet(kind, payload=b""):
    return struct.pack(">H", 1 + len(payload)) + kind + payload


def enter(token, side, shares, price):
    return (b"O" + token.ljust(14) + side + struct.pack(">I", shares) + b"AAPL".ljust(8) +
            struct.pack(">II", price, 99_999) + b"DMRK" + b"Y" + b"P" + b"N" +
            struct.pack(">I", 0) + b"N" + b" ")


@unittest.skipUnless(TSHARK and PROGRAM.exists(), "tshark and a built program are needed")
class OuchInTshark(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def serve(self, version):
        config = self.folder / "damrak.toml"
        config.write_text(f'[ouch]\nversion = "{version}"\n')
        server = subprocess.Popen(
            [PROGRAM, "serve", "--json", "--only", "ouch", "--ouch-port", "0", "--config", config,
             "--data", self.folder / version], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
            text=True)
        self.addCleanup(server.stdout.close)
        self.addCleanup(server.wait)
        self.addCleanup(server.terminate)
        return json.loads(server.stdout.readline())["ports"]["ouch"]

    def talk(self, port, requests, answers):
        """The packets of the exchange, as many as there are answers."""
        client = socket.create_connection(("127.0.0.1", port), timeout=10)
        self.addCleanup(client.close)
        client.sendall(packet(b"L", b"DAMR01" + b" " * 20 + b"1".rjust(20)))
        for request in requests:
            client.sendall(packet(b"U", request))
        heard, packets = b"", []
        while len([p for p in packets if p[2:3] != b"H"]) < answers + 1:
            heard += client.recv(65536)
            while len(heard) >= 2 and len(heard) >= 2 + struct.unpack_from(">H", heard)[0]:
                length = 2 + struct.unpack_from(">H", heard)[0]
                packets.append(heard[:length])
                heard = heard[length:]
        return packets

    def decode(self, packets, *options):
        file = self.folder / "ouch.pcap"
        file.write_bytes(capture(packets, socket.IPPROTO_TCP, PORT, "127.0.0.1"))
        return subprocess.run([TSHARK, "-r", file, "-d", f"tcp.port=={PORT},soupbintcp", *options],
                              capture_output=True, text=True, check=True).stdout

    def test_every_message_of_4_2_is_understood(self):
        requests = [
            enter(b"ONE", b"B", 100, 100_000), enter(b"TWO", b"S", 40, 100_000),
            b"U" + b"ONE".ljust(14) + b"THREE".ljust(14) +
            struct.pack(">III", 90, 90_000, 99_999) + b"Y" + b"N" + struct.pack(">I", 0),
            b"X" + b"THREE".ljust(14) + struct.pack(">I", 0),
            enter(b"BAD", b"B", 0, 100_000)]
        packets = self.talk(self.serve("4.2"), requests, 8)
        rows = self.decode(packets, "-T", "fields", "-e", "ouch.packet_type").split()
        letters = [row.strip("'") for row in rows]
        self.assertEqual(sorted(letters), sorted(p[3:4].decode() for p in packets
                                                 if p[2:3] == b"S"))
        for letter in "SAEUCJ":
            self.assertIn(letter, letters)
        self.assertEqual(self.decode(packets, "-Y", "_ws.malformed"), "")
        asked = self.decode([packet(b"U", request) for request in requests], "-T", "fields", "-e",
                            "ouch.packet_type").split()
        self.assertEqual([row.strip("'") for row in asked], ["O", "O", "U", "X", "O"])

    def test_soupbintcp_of_5_0_is_understood(self):
        packets = self.talk(self.serve("5.0"), [b"Q" + struct.pack(">H", 0)], 2)
        types = self.decode(packets, "-T", "fields", "-e",
                            "soupbintcp.packet_type").replace("'", "").split()
        self.assertEqual([t for t in types if t != "H"], ["A", "S", "S"])
        self.assertEqual(self.decode(packets, "-Y", "_ws.malformed && !ouch"), "")


if __name__ == "__main__":
    unittest.main()
