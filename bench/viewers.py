#!/usr/bin/env python3
"""Viewers of the live stream of a busy exchange.

    bench/viewers.py PROGRAM [--viewers 1,100,500] [--seconds 10] [--rate 10000] [--save FILE]

Starts an exchange and a load of this many requests a second, then this many viewers, with depth,
best prices and trades in the binary form. Prints the messages that they get, those left out, and
the CPU time of the thread that serves them as a share of a core. The viewers only drain their
sockets: what they cost themselves is not what is measured.
"""
import argparse
import json
import os
import re
import select
import socket
import subprocess
import tempfile
import time
import urllib.request

CHANNELS = [("depth", ', "levels": 50'), ("top", ""), ("trades", "")]
TICK = os.sysconf("SC_CLK_TCK")


def frame(text):
    """A masked text frame of at most 125 bytes."""
    data, mask = text.encode(), b"\1\2\3\4"
    return bytes([0x81, 0x80 | len(data)]) + mask + bytes(
        byte ^ mask[i % 4] for i, byte in enumerate(data))


def connect(port):
    viewer = socket.create_connection(("127.0.0.1", port))
    viewer.sendall(b"GET /v1/stream HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\n"
                   b"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
                   b"Sec-WebSocket-Key: AQIDBAUGBwgJCgsMDQ4PEA==\r\n"
                   b"Sec-WebSocket-Protocol: damrak.binary\r\n\r\n")
    received = b""
    while b"]}" not in received:
        received += viewer.recv(65536)
    for channel, more in CHANNELS:
        request = f'{{"op": "subscribe", "channel": "{channel}", "symbol": "AAPL"{more}}}'
        viewer.sendall(frame(request))
    viewer.setblocking(False)
    return viewer


def drain(viewers, seconds):
    """Reads for this long; returns the bytes."""
    poll, total, end = select.epoll(), 0, time.monotonic() + seconds
    for viewer in viewers:
        poll.register(viewer, select.EPOLLIN)
    by_number = {viewer.fileno(): viewer for viewer in viewers}
    while time.monotonic() < end:
        for number, _ in poll.poll(0.1):
            try:
                total += len(by_number[number].recv(262_144))
            except BlockingIOError:
                pass
    poll.close()
    return total


def cpu_of_threads(process):
    seconds = {}
    for thread in os.listdir(f"/proc/{process}/task"):
        with open(f"/proc/{process}/task/{thread}/stat", encoding="utf-8") as file:
            fields = file.read().rsplit(")", 1)[1].split()
        seconds[thread] = (int(fields[11]) + int(fields[12])) / TICK
    return seconds


def counters(port):
    with urllib.request.urlopen(f"http://localhost:{port}/metrics") as answer:
        text = answer.read().decode()
    return [int(re.search(rf"^damrak_stream_{name}_total (\d+)", text, re.M).group(1))
            for name in ("messages", "left_out")]


def serving_thread(process, port):
    """The thread of the HTTP service: that which answers a burst of queries."""
    before = cpu_of_threads(process)
    for _ in range(400):
        counters(port)
    after = cpu_of_threads(process)
    return max(after, key=lambda thread: after[thread] - before.get(thread, 0))


def measure(process, port, thread, count, seconds):
    viewers = [connect(port) for _ in range(count)]
    drain(viewers, 1)
    cpu, sent = cpu_of_threads(process)[thread], counters(port)
    begin = time.monotonic()
    received = drain(viewers, seconds)
    elapsed = time.monotonic() - begin
    now = counters(port)
    row = {"viewers": count, "messages_per_s": (now[0] - sent[0]) / elapsed,
           "left_out": now[1] - sent[1], "megabytes_per_s": received / elapsed / 1e6,
           "core_percent": 100 * (cpu_of_threads(process)[thread] - cpu) / elapsed}
    for viewer in viewers:
        viewer.close()
    return row


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("program")
    parser.add_argument("--viewers", default="1,100,500")
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--rate", type=int, default=10_000)
    parser.add_argument("--save")
    options = parser.parse_args()
    counts = [int(count) for count in options.viewers.split(",")]
    with tempfile.TemporaryDirectory() as folder:
        exchange = subprocess.Popen(
            [options.program, "serve", "--json", "--data", folder, "--only", "binary,itch,http",
             "--binary-port", "0", "--itch-port", "0", "--http-port", "0"],
            stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        ports = json.loads(exchange.stdout.readline())["ports"]
        thread = serving_thread(exchange.pid, ports["http"])
        load = subprocess.Popen(
            [options.program, "load", "--port", str(ports["binary"]), "--rate", str(options.rate),
             "--clients", "10", "--seconds", str((options.seconds + 4) * len(counts) + 5)],
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            time.sleep(3)
            rows = [measure(exchange.pid, ports["http"], thread, count, options.seconds)
                    for count in counts]
        finally:
            load.kill()
            exchange.terminate()
            load.wait()
            exchange.wait()
    print(f"{'viewers':>8}{'messages/s':>12}{'a viewer':>10}{'left out':>10}{'MB/s':>8}"
          f"{'% of a core':>13}")
    for row in rows:
        print(f"{row['viewers']:>8}{row['messages_per_s']:>12.0f}"
              f"{row['messages_per_s'] / row['viewers']:>10.1f}{row['left_out']:>10}"
              f"{row['megabytes_per_s']:>8.1f}{row['core_percent']:>13.1f}")
    if options.save:
        with open(options.save, "w", encoding="utf-8") as file:
            json.dump({"rate": options.rate, "rows": rows}, file)


if __name__ == "__main__":
    main()
