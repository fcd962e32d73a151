"""What the FIX gateway of a running exchange says, decoded by tshark: every message type in every
version, none malformed, no field that tshark does not know."""
import datetime
import json
import os
import re
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).parents[2]
TSHARK = shutil.which("tshark")
PROGRAM = Path(os.environ.get("DAMRAK_PROGRAM", ROOT / "build/release/damrak"))
PORT = 9878
APPL_VERSIONS = {"FIX.5.0": 7, "FIX.5.0SP1": 8, "FIX.5.0SP2": 9}
VERSIONS = ["FIX.4.0", "FIX.4.1", "FIX.4.2", "FIX.4.3", "FIX.4.4", *APPL_VERSIONS]

if not TSHARK:
    print("tshark is not installed: what the FIX gateway says is not shown to it", file=sys.stderr)


class Client:
    """Numbers its messages and reads until an answer of some type has come."""

    def __init__(self, port, version):
        self.version = version
        self.begin = "FIXT.1.1" if version in APPL_VERSIONS else version
        self.number = 0
        self.rest = b""
        self.heard = []
        self.socket = socket.create_connection(("127.0.0.1", port), timeout=30)

    def send(self, msg_type, body="", skip=0):
        self.number += 1 + skip
        now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y%m%d-%H:%M:%S")
        fields = (f"35={msg_type}|34={self.number}|49=C{self.version}|52={now}|56=DAMRAK|"
                  + (body + "|" if body else "")).replace("|", "\x01")
        text = f"8={self.begin}\x019={len(fields)}\x01{fields}"
        self.socket.sendall(f"{text}10={sum(text.encode()) % 256:03}\x01".encode())

    def until(self, msg_type):
        """One of this type has come, since the last time or at all if it comes by itself."""
        of_type = f"\x0135={msg_type}\x01".encode()
        if msg_type == "X" and any(of_type in message for message in self.heard):
            return
        while True:
            end = re.search(rb"\x0110=\d{3}\x01", self.rest)
            if not end:
                got = self.socket.recv(65536)
                if not got:
                    raise AssertionError(f"{self.version}: no {msg_type} came")
                self.rest += got
                continue
            message, self.rest = self.rest[:end.end()], self.rest[end.end():]
            self.heard.append(message)
            if of_type in message:
                return


def talk(port, version):
    """One of each kind of message that the gateway has for this version."""
    client = Client(port, version)
    old = version < "FIX.4.3"
    time = "|60=20260302-09:00:00" if version >= "FIX.4.2" else ""
    order = "55=TEST" + time + ("|21=1" if version < "FIX.4.4" else "")
    appl = f"|1137={APPL_VERSIONS[version]}" if version in APPL_VERSIONS else ""
    client.send("A", "98=0|108=30" + appl)
    client.until("A")
    if version >= "FIX.4.2":
        client.send("V", "262=m|263=1|264=0|265=1|267=3|269=0|269=1|269=2|146=1|55=TEST")
        client.until("W")
    client.send("D", f"11=a{version}|54=1|38=10|40=2|44=10|{order}")
    client.until("8")
    client.send("D", f"11=b{version}|54=2|38=20|40=2|44=10|{order}")
    client.until("8")
    last = "|125=F" if version == "FIX.4.0" else ""
    client.send("F", f"41=x|11=c|54=1|38=1|55=TEST{time}{last}")
    client.until("9")
    if version >= "FIX.4.2":
        client.until("X")
        client.send("V", "262=y|263=0|264=0|267=1|269=0|146=1|55=NONE")
        client.until("Y")
        client.send("c", "320=1|321=3")
        client.until("d")
    if not old:
        client.send("x", "320=2|559=4")
        client.until("y")
        client.send("q", f"11=q|530=7{time}")
        client.until("r")
        client.send("AF", "584=s|585=7")
        client.until("j")
    client.send("1", "112=there")
    client.until("0")
    client.send("D", "11=incomplete")
    client.until("3")
    client.send("2", "7=1|16=0")
    client.until("4")
    client.send("1", "112=early", skip=1)
    client.until("2")
    client.send("5")
    client.until("5")
    client.socket.close()
    return client.heard


def capture(messages):
    """A pcap file of one connection that carries the messages, each in a segment of its own."""
    out = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 101)
    sequence = 1
    for number, message in enumerate(messages):
        tcp = struct.pack(">HHIIBBHHH", PORT, 40000, sequence, 1, 5 << 4, 0x18, 65535, 0, 0)
        ip = struct.pack(">BBHHHBBH4s4s", 0x45, 0, 40 + len(message), 0, 0, 64, 6, 0,
                         bytes([127, 0, 0, 1]), bytes([127, 0, 0, 1]))
        sequence += len(message)
        data = ip + tcp + message
        out += struct.pack("<IIII", number, 0, len(data), len(data)) + data
    return out


@unittest.skipUnless(TSHARK and PROGRAM.exists(), "tshark and a built program are needed")
class FixGatewayInTshark(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.server = subprocess.Popen(
            [PROGRAM, "serve", "--only", "fix", "--fix-port", "0", "--data", self.folder / "data",
             "--json"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.addCleanup(self.server.stdout.close)
        self.addCleanup(self.server.wait)
        self.addCleanup(self.server.terminate)
        self.port = json.loads(self.server.stdout.readline())["ports"]["fix"]

    def decode(self, messages, *options):
        file = self.folder / "fix.pcap"
        file.write_bytes(capture(messages))
        return subprocess.run([TSHARK, "-r", file, "-d", f"tcp.port=={PORT},fix", *options],
                              capture_output=True, text=True, check=True).stdout

    def test_nothing_is_malformed_or_unknown(self):
        admin = {"A", "0", "2", "3", "4", "5"}
        for version in VERSIONS:
            with self.subTest(version):
                messages = talk(self.port, version)
                types = self.decode(messages, "-T", "fields", "-e", "fix.MsgType").split()
                self.assertEqual(len(types), len(messages))
                expected = admin | {"8", "9"}
                if version >= "FIX.4.2":
                    expected |= {"W", "X", "Y", "d"}
                if version >= "FIX.4.3":
                    expected |= {"y", "r", "j"}
                self.assertEqual(set(types), expected)
                decoded = self.decode(messages, "-O", "fix")
                self.assertEqual(decoded.count("CheckSum (10)"), len(messages))
                fields = [line for line in decoded.splitlines() if re.match(r" +\S", line)]
                # A tag that it does not know has no name before its number.
                strange = [line for line in fields
                           if not re.match(r" +[A-Z]\w+ \(\d+\): ", line)
                           and not line.startswith("        ")]
                self.assertEqual(strange, [])
                self.assertNotRegex(decoded, "Malformed|Expert Info")


if __name__ == "__main__":
    unittest.main()
