"""The flame graph adds samples up by function and draws them to scale."""
import pathlib
import re
import subprocess
import sys
import unittest

TOOL = pathlib.Path(__file__).parent.parent / "flame_graph.py"
SAMPLES = """\
damrak 7
\tffff1 tcp_sendmsg
\t0001 damrak::Engine<damrak::Sink<int> >::apply(damrak::Command const&)

damrak 7
\t0001 damrak::Engine<damrak::Sink<int> >::apply(damrak::Command const&)

damrak 8
\tffff2 clear_page

"""


def flame(text, *options):
    return subprocess.run([sys.executable, TOOL, *options], input=text, capture_output=True,
                          text=True, check=False)


def width_of(svg, name):
    return float(re.search(rf"<title>{name}:.*?width=\"([0-9.]+)\"", svg, re.S).group(1))


class FlameGraph(unittest.TestCase):
    def test_width_is_the_share_of_the_samples(self):
        svg = flame(SAMPLES).stdout
        self.assertEqual(width_of(svg, "all"), 1200)
        self.assertEqual(width_of(svg, "Engine::apply"), 800)
        self.assertEqual(width_of(svg, "tcp_sendmsg"), 400)
        self.assertIn("Engine::apply: 66.7 %", svg)

    def test_one_thread_alone(self):
        svg = flame(SAMPLES, "--thread", "8").stdout
        self.assertEqual(width_of(svg, "clear_page"), 1200)
        self.assertNotIn("Engine", svg)

    def test_from_a_function_on(self):
        svg = flame(SAMPLES, "--from", "Engine::apply").stdout
        self.assertEqual(width_of(svg, "Engine::apply"), 1200)
        self.assertEqual(width_of(svg, "tcp_sendmsg"), 600)
        self.assertNotIn("clear_page", svg)

    def test_small_shares_are_left_out(self):
        self.assertNotIn("tcp_sendmsg", flame(SAMPLES, "--least", "50").stdout)

    def test_without_samples_there_is_no_picture(self):
        run = flame("")
        self.assertEqual(run.returncode, 1)
        self.assertIn("no samples", run.stderr)


if __name__ == "__main__":
    unittest.main()
