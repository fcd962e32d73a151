"""The check of include roots, on commands with a root too many and one missing."""
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import check_include_roots as check  # noqa: E402  (the path comes first)

NEEDS = {"engine": [], "codecs": ["engine"]}


def command(name, *roots):
    folders = " ".join(f"-I{check.ROOT}/src/{root}" for root in roots)
    return {"command": f"g++ {folders} -c a.cpp -o CMakeFiles/damrak_{name}.dir/a.cpp.o"}


class IncludeRoots(unittest.TestCase):
    def found(self, *commands):
        return list(check.findings(commands, ["engine", "codecs"], NEEDS))

    def test_what_a_component_needs_is_seen(self):
        self.assertEqual(
            self.found(command("engine", "engine"), command("codecs", "codecs", "engine")), [])

    def test_a_root_too_many_or_missing_is_a_finding(self):
        for roots in (("engine", "codecs"), ()):
            with self.subTest(roots=roots):
                found = self.found(command("engine", *roots),
                                   command("codecs_cold", "codecs", "engine"))
                self.assertEqual(len(found), 1)
                self.assertIn("engine: compiled with", found[0])

    def test_a_component_that_is_not_compiled_is_a_finding(self):
        self.assertEqual(self.found(command("engine", "engine")),
                         ["codecs: nothing of it is compiled"])


if __name__ == "__main__":
    unittest.main()
