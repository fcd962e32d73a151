"""The Wireshark dissector, run by tshark over captures that are written here: a TCP connection
whose segments carry the worked bytes of the fuzz corpus, whole, split and merged, and what the
running exchange says to them."""
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

ROOT = Path(__file__).parents[2]
DISSECTOR = ROOT / "tools/wireshark/damrak_binary.lua"
EXAMPLES = ROOT / "fuzz/corpus/binary_codec"
TSHARK = shutil.which("tshark")
SERVER, CLIENT = 12345, 40000
PROGRAM = os.environ.get("DAMRAK_PROGRAM", ROOT / "build/release/damrak")

if not TSHARK:
    print("tshark is not installed: the Wireshark dissector is not tested", file=sys.stderr)


def example(name):
    return (EXAMPLES / name).read_bytes()


def packet(source, target, sequence, payload):
    tcp = struct.pack(">HHIIBBHHH", source, target, sequence, 1, 5 << 4, 0x18, 65535, 0, 0)
    length = 20 + len(tcp) + len(payload)
    ip = struct.pack(">BBHHHBBH4s4s", 0x45, 0, length, 0, 0, 64, 6, 0,
                     bytes([127, 0, 0, 1]), bytes([127, 0, 0, 1]))
    return b"\0" * 12 + b"\x08\x00" + ip + tcp + payload


def capture(segments):
    """A pcap file of (from the server?, bytes) segments of one connection."""
    sent = {True: 1, False: 1}
    out = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1)
    for number, (from_server, payload) in enumerate(segments):
        ports = (SERVER, CLIENT) if from_server else (CLIENT, SERVER)
        data = packet(*ports, sent[from_server], payload)
        sent[from_server] += len(payload)
        out += struct.pack("<IIII", number, 0, len(data), len(data)) + data
    return out


def datagrams(payloads, port=9001):
    """A pcap file of UDP datagrams, by default to the port of the market data feed."""
    out = struct.pack("<IHHiIII", 0xA1B2C3D4, 2, 4, 0, 0, 65535, 1)
    for number, payload in enumerate(payloads):
        udp = struct.pack(">HHHH", 40000, port, 8 + len(payload), 0)
        ip = struct.pack(">BBHHHBBH4s4s", 0x45, 0, 28 + len(payload), 0, 0, 1, 17, 0,
                         bytes([127, 0, 0, 1]), bytes([239, 0, 0, 1]))
        data = b"\0" * 12 + b"\x08\x00" + ip + udp + payload
        out += struct.pack("<IIII", number, 0, len(data), len(data)) + data
    return out


def dissect(segments, *fields):
    """For each packet the values of the fields, a message's beside those of the next."""
    return dissect_file(capture(segments), *fields)


def dissect_file(packets, *fields):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "capture.pcap"
        path.write_bytes(packets)
        command = [TSHARK, "-n", "-X", f"lua_script:{DISSECTOR}", "-r", str(path), "-T", "fields"]
        for field in fields:
            command += ["-e", field]
        run = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
        if "lua" in run.stderr.lower():
            raise AssertionError(run.stderr)
        return [line.split("\t") for line in run.stdout.split("\n")[:-1]]


def names(segments):
    return [row[0] for row in dissect(segments, "damrak_binary.message")]


@unittest.skipUnless(TSHARK, "tshark is not installed")
class Dissector(unittest.TestCase):
    def test_every_message_has_its_name(self):
        requests = ["v1_hello", "v1_heartbeat", "v1_new_order", "v1_modify", "v1_cancel",
                    "v1_cancel_capture", "v1_logout", "v2_hello", "v2_new_order", "v2_modify",
                    "v2_cancel", "v2_logout"]
        requests += ["v2_linked_order", "v2_quote", "v2_quote_protection"]
        answers = ["v1_order_ack", "v1_modify_ack", "v1_trade", "v1_error", "v2_order_ack",
                   "v2_modify_ack", "v2_trade", "v2_quote_ack", "v2_quote_protection_ack",
                   "v2_order_changed"]
        segments = [(False, example(n)) for n in requests] + [(True, example(n)) for n in answers]
        self.assertEqual(names(segments), [
            "HELLO", "HEARTBEAT", "NEW_ORDER", "MODIFY_ORDER", "CANCEL_ORDER", "CANCEL_ORDER",
            "LOGOUT", "HELLO", "NEW_ORDER", "MODIFY_ORDER", "CANCEL_ORDER", "LOGOUT",
            "LINKED_ORDER", "QUOTE", "QUOTE_PROTECTION",
            "ORDER_ACK", "MODIFY_ACK", "TRADE", "ERROR", "ORDER_ACK", "MODIFY_ACK", "TRADE",
            "QUOTE_ACK", "QUOTE_PROTECTION_ACK", "ORDER_CHANGED"])

    def test_fields_are_read_where_they_are(self):
        fields = ["client_id", "order_id", "new_order_id", "client_order_id", "trade_id",
                  "instrument", "side", "quantity", "price", "time", "status"]
        rows = dissect([(False, example("v1_new_order")), (True, example("v1_order_ack")),
                        (True, example("v1_trade")), (False, example("v2_new_order")),
                        (True, example("v2_modify_ack")), (True, example("v2_trade"))],
                       *(f"damrak_binary.{f}" for f in fields))
        self.assertEqual(rows, [
            ["1", "", "", "", "", "1", "0", "100", "10123", "", ""],
            ["1", "1", "", "", "", "1", "", "100", "10123", "2513214357", "1"],
            ["2", "3", "", "", "1", "", "", "25", "10120", "2513214582", ""],
            ["1", "", "", "1", "", "1", "0", "100", "10123", "", ""],
            ["1", "1", "2", "1", "", "1", "", "60", "10120", "", "1"],
            ["2", "3", "", "1", "1", "", "", "25", "10120", str(0x5EF3FCBD64B), ""]])

    def test_fields_of_links_and_quotes(self):
        fields = ["order_type", "stop_price", "other_order_id", "contingency", "bid_quantity",
                  "bid_price", "ask_quantity", "ask_price", "bid_order_id", "ask_order_id",
                  "maximum_quantity", "window", "lost_quantity", "change", "reason"]
        rows = dissect([(False, example("v2_linked_order")), (False, example("v2_quote")),
                        (True, example("v2_quote_ack")), (False, example("v2_quote_protection")),
                        (True, example("v2_order_changed"))],
                       *(f"damrak_binary.{f}" for f in fields))
        self.assertEqual([" ".join(value or "-" for value in row) for row in rows], [
            "3 900 1 1 - - - - - - - - - - -", "- - - - 100 900 100 1100 - - - - - - -",
            "- - - - 100 - 91 - 1 2 - - - - 0", "- - - - - - - - - - 10 1000000 - - -",
            "- - - - - - - - - - - - 91 1 98"])

    def test_merged_messages_are_taken_apart(self):
        merged = example("v1_hello") + example("v1_new_order") + example("v1_logout")
        self.assertEqual(names([(False, merged)]), ["HELLO,NEW_ORDER,LOGOUT"])

    def test_split_messages_are_put_together(self):
        stream = example("v2_hello") + example("v2_new_order") + example("v2_cancel")
        for cut in (1, 15, 16, 17, 24, 30, 60, len(stream) - 1):
            found = names([(False, stream[:cut]), (False, stream[cut:])])
            self.assertEqual(",".join(filter(None, found)), "HELLO,NEW_ORDER,CANCEL_ORDER", cut)
        found = names([(False, stream[i:i + 1]) for i in range(len(stream))])
        self.assertEqual(list(filter(None, found)), ["HELLO", "NEW_ORDER", "CANCEL_ORDER"])

    def test_what_is_wrong_is_marked(self):
        rows = dissect([(False, example("wrong_version")), (False, example("too_short")),
                        (False, example("unknown_type"))], "_ws.expert.message")
        self.assertEqual(rows, [["Unknown version"], ["Payload shorter than that of NEW_ORDER"],
                                ["Unknown type"]])

    def test_refusals_are_marked(self):
        ack = bytearray(example("v1_order_ack"))
        ack[16 + 44] = 3
        filled = bytearray(example("v2_order_ack"))
        filled[16 + 52] = 4
        rows = dissect([(True, bytes(ack)), (True, bytes(filled))], "_ws.expert.message")
        self.assertEqual(rows, [["Refused: out of order"], [""]])


class Exchange:
    """A running exchange in a directory of its own."""

    def __enter__(self):
        self.folder = tempfile.TemporaryDirectory()
        self.process = subprocess.Popen(
            [PROGRAM, "serve", "--json", "--only", "binary", "--binary-port", "0", "--data",
             self.folder.name], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.port = json.loads(self.process.stdout.readline())["ports"]["binary"]
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.communicate()
        self.folder.cleanup()

    def talk(self, requests, answer_bytes):
        """Both sides of a connection as they were read: segments of capture()."""
        segments = []
        with socket.create_connection(("127.0.0.1", self.port), timeout=30) as connection:
            for request in requests:
                connection.sendall(request)
                segments.append((False, request))
            while answer_bytes > 0:
                segments.append((True, connection.recv(4096)))
                answer_bytes -= len(segments[-1][1]) or answer_bytes
        return segments


@unittest.skipUnless(TSHARK, "tshark is not installed")
@unittest.skipUnless(os.access(PROGRAM, os.X_OK), "there is no program")
class DissectorOfTheRunningExchange(unittest.TestCase):
    def answers(self, requests, answer_bytes):
        with Exchange() as exchange:
            rows = dissect(exchange.talk([example(r) for r in requests], answer_bytes),
                           "damrak_binary.message", "_ws.expert.message", "damrak_binary.order_id")
        found = [row[0] for row in rows[len(requests):] if row[0]]
        self.assertEqual({row[1] for row in rows}, {""})
        return ",".join(found), ",".join(row[2] for row in rows[len(requests):] if row[2])

    def test_version_1(self):
        names_told, orders = self.answers(
            ["v1_hello", "v1_new_order", "v1_modify", "v1_cancel_capture", "v1_logout"],
            32 + 64 + 64 + 48 + 32)
        self.assertEqual(names_told, "HELLO_ACK,ORDER_ACK,MODIFY_ACK,CANCEL_ACK,LOGOUT_ACK")
        self.assertEqual(orders, "1,1,2")

    def test_version_2(self):
        names_told, orders = self.answers(
            ["v2_hello", "v2_new_order", "v2_modify"], 32 + 72 + 72)
        self.assertEqual(names_told, "HELLO_ACK,ORDER_ACK,MODIFY_ACK")
        self.assertEqual(orders, "1,1")


@unittest.skipUnless(TSHARK, "tshark is not installed")
class FeedDissector(unittest.TestCase):
    """The datagrams of the fuzz corpus, each behind a byte of its length."""
    EXAMPLES = ROOT / "fuzz/corpus/l2_receiver"

    def example(self, name, nth=0):
        data = (self.EXAMPLES / name).read_bytes()
        for _ in range(nth):
            data = data[1 + 16 + data[0]:]
        return data[1:1 + 16 + data[0]]

    def test_deltas_and_snapshots_are_read(self):
        fields = ["sequence", "instrument", "type", "bids", "asks", "price", "quantity", "action",
                  "side", "phase"]
        packets = datagrams([self.example("empty_then_add"), self.example("empty_then_add", 1),
                             self.example("gap", 1), self.example("book")])
        rows = dissect_file(packets, *(f"damrak_l2.{f}" for f in fields))
        self.assertEqual(rows, [
            ["0", "1", "1", "0", "0", "", "", "", "", "0"],
            ["1", "1", "0", "", "", "100", "5", "0", "0", ""],
            ["7", "1", "0", "", "", "100", "5", "1", "0", ""],
            ["0", "1", "1", "2", "3", "101,99,110,111,112", "7,6,8,1,9", "", "", "0"]])

    def test_what_is_wrong_is_marked(self):
        packets = datagrams([self.example("wrong_version"), self.example("too_short"),
                             self.example("unknown_type"), self.example("bad_counts")])
        self.assertEqual(dissect_file(packets, "_ws.expert.message"), [
            ["Unknown version"], ["Shorter than its header says"],
            ["Unknown type, or wrong length"], ["Wrong length"]])


@unittest.skipUnless(TSHARK, "tshark is not installed")
class PacketDissector(unittest.TestCase):
    """The worked bytes of docs/protocols/packet.md."""
    PACKED = bytes.fromhex("00000007 0000002a 00002742 0000012c 01 01")
    WORDS = bytes.fromhex("07000000 2a000000 42270000 2c010000 01000000 01000000")
    TRADE = bytes.fromhex("0000002a 00000000 00002742 00000064")
    ORDERS = bytes.fromhex(
        "444d524b 01 01 0002 00000007 00000000 6b657900000000000000000000000000"
        "000000000000002a 00002742 0000012c 00000002 00000000 00000000 01 01 00 01"
        "000000000000002b 00002738 00000064 00000002 00000000 00000000 01 00 00 03")
    REPLIES = bytes.fromhex(
        "444d524b 01 03 0001 00000005 00000000"
        "03 01 00 00 00000007 000000000000002a 0000010000000001 0000010000000009"
        "00002742 00000064 000000c8 00000002 17f5ab1c2d3e4f50")

    def test_every_format_is_read(self):
        fields = ["format", "sequence", "order_id", "price", "quantity", "action", "side",
                  "bid_id", "ask_id", "reply", "remaining"]
        packets = datagrams([self.PACKED, self.WORDS, self.TRADE, self.ORDERS, self.REPLIES], 26402)
        rows = dissect_file(packets, *(f"damrak_packet.{f}" for f in fields))
        self.assertEqual(rows, [
            ["packed", "7", "42", "10050", "300", "1", "1", "", "", "", ""],
            ["words", "7", "42", "10050", "300", "1", "1", "", "", "", ""],
            ["trade", "", "", "10050", "100", "", "", "42", "0", "", ""],
            ["extended", "7", "42,43", "10050,10040", "300,100", "1,1", "1,0", "", "", "", ""],
            ["extended", "5,7", "42", "10050", "100", "", "1", "", "", "3", "200"]])

    def test_what_is_wrong_is_marked(self):
        wrong_type = self.PACKED[:16] + b"\x09\x01"
        wrong_side = self.WORDS[:20] + b"\x02\x00\x00\x00"
        refused = bytearray(self.REPLIES)
        refused[16], refused[18] = 2, 200
        packets = datagrams([self.PACKED[:17], wrong_type, wrong_side, self.ORDERS[:-1],
                             b"DMRK\x02" + self.ORDERS[5:], bytes(refused)], 26402)
        self.assertEqual(dissect_file(packets, "_ws.expert.message"), [
            ["Neither a length of the public formats nor the extended header"],
            ["Unknown type"], ["Unknown side"], ["Wrong length"], ["Unknown version"],
            ["Refused: 200"]])


if __name__ == "__main__":
    unittest.main()
