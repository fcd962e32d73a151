"""What the feed of a running exchange sends, decoded by tshark's own dissectors of SoupBinTCP and
MoldUDP64: nothing malformed, every message where it should be. (Its dissector of ITCH is one of
versions 2 and 3, so the messages themselves are compared between both protocols.)"""
import json
import os
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).parents[2]
TSHARK = shutil.which("tshark")
PROGRAM = Path(os.environ.get("DAMRAK_PROGRAM", ROOT / "build/release/damrak"))
SOUP_PORT = 26401
MOLD_PORT = 26403

if not TSHARK:
    print("tshark is not installed: what the feed sends is not shown to it", file=sys.stderr)


def address(text):
    return socket.inet_aton(text)


def capture(packets, protocol, port, to):
    """A pcap file: a TCP connection from the port, or datagrams to it."""
    out = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 101)
    sequence = 1
    for number, data in enumerate(packets):
        if protocol == socket.IPPROTO_TCP:
            head = struct.pack(">HHIIBBHHH", port, 40000, sequence, 1, 5 << 4, 0x18, 65535, 0, 0)
            sequence += len(data)
        else:
            head = struct.pack(">HHHH", 40000, port, 8 + len(data), 0)
        ip = struct.pack(">BBHHHBBH4s4s", 0x45, 0, 20 + len(head) + len(data), 0, 0, 64, protocol,
                         0, address("127.0.0.1"), address(to))
        frame = ip + head + data
        out += struct.pack("<IIII", number, 0, len(frame), len(frame)) + frame
    return out


@unittest.skipUnless(TSHARK and PROGRAM.exists(), "tshark and a built program are needed")
class FeedInTshark(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.server = subprocess.Popen(
            [PROGRAM, "serve", "--json", "--only", "binary,itch,mold", "--binary-port", "0",
             "--itch-port", "0", "--mold-port", "0", "--data", self.folder / "data"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.addCleanup(self.server.stdout.close)
        self.addCleanup(self.server.wait)
        self.addCleanup(self.server.terminate)
        self.ports = json.loads(self.server.stdout.readline())["ports"]
        self.group = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.addCleanup(self.group.close)
        self.group.bind(("239.192.0.1", self.ports["mold"]))
        self.group.setsockopt(socket.IPPROTO_IP, socket.IP_ADD_MEMBERSHIP,
                              address("239.192.0.1") + address("127.0.0.1"))
        self.group.settimeout(0.5)
        subprocess.run([PROGRAM, "load", "--port", str(self.ports["binary"]), "--clients", "2",
                        "--window", "1", "--seconds", "0.2", "--at-least", "100", "--warm-up", "0"],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)

    def decode(self, packets, protocol, port, dissector, *options):
        file = self.folder / "feed.pcap"
        kind = "tcp" if protocol == socket.IPPROTO_TCP else "udp"
        file.write_bytes(capture(packets, protocol, port, "239.192.0.1"))
        return subprocess.run(
            [TSHARK, "-r", file, "-d", f"{kind}.port=={port},{dissector}", *options],
            capture_output=True, text=True, check=True).stdout

    def hear_soup(self, enough):
        client = socket.create_connection(("127.0.0.1", self.ports["itch"]), timeout=10)
        client.sendall(struct.pack(">H", 47) + b"L" + b" " * 26 + b"1".rjust(20))
        heard = b""
        while len(heard) < enough:
            heard += client.recv(65536)
        client.close()
        packets = []
        while len(heard) >= 2 and len(heard) >= 2 + struct.unpack_from(">H", heard)[0]:
            length = 2 + struct.unpack_from(">H", heard)[0]
            packets.append(heard[:length])
            heard = heard[length:]
        return packets

    def hear_mold(self):
        heard = []
        try:
            while len(heard) < 2_000:
                heard.append(self.group.recv(65536))
        except TimeoutError:
            pass
        return heard

    def test_soupbintcp_is_understood(self):
        packets = self.hear_soup(20_000)
        types = self.decode(packets, socket.IPPROTO_TCP, SOUP_PORT, "soupbintcp", "-T", "fields",
                            "-e", "soupbintcp.packet_type").replace("'", "").split()
        self.assertEqual("".join(types), "A" + "S" * (len(packets) - 1))
        malformed = self.decode(packets, socket.IPPROTO_TCP, SOUP_PORT, "soupbintcp", "-Y",
                                "_ws.malformed && soupbintcp")
        self.assertEqual(malformed, "")

    def test_moldudp64_is_understood_and_has_the_same_messages(self):
        packets = self.hear_mold()
        self.assertGreater(len(packets), 1)
        rows = self.decode(packets, socket.IPPROTO_UDP, MOLD_PORT, "moldudp64", "-T", "fields",
                           "-e", "moldudp64.sequence", "-e", "moldudp64.count", "-e",
                           "_ws.malformed").splitlines()
        self.assertEqual(len(rows), len(packets))
        messages = {}
        for row, packet in zip(rows, packets):
            number, count = struct.unpack_from(">QH", packet, 10)
            fields = row.split("\t")
            self.assertEqual(fields[:2], [str(number), str(count)])
            self.assertEqual(fields[2:], [""])
            at = 20
            for i in range(count):
                length, = struct.unpack_from(">H", packet, at)
                messages[number + i] = packet[at + 2:at + 2 + length]
                at += 2 + length
        for number, packet in enumerate(self.hear_soup(20_000)[1:], start=1):
            if number in messages:
                self.assertEqual(packet[3:], messages[number])


if __name__ == "__main__":
    unittest.main()
