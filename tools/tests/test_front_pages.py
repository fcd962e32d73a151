"""What the pages for newcomers print is there: C++ in an example, commands and their options."""
import re
import shlex
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = ("README.md", "SECURITY.md", "docs/features.md", "docs/releasing.md",
         "docs/who-uses-what.md")


def blocks(text, language):
    return re.findall(rf"^```{language}\n(.*?)^```", text, re.M | re.S)


def squeezed(text):
    return " ".join(text.split())


def not_in(examples, block):
    """The parts of a block, which empty lines separate, that no example has."""
    return [part for part in map(squeezed, block.split("\n\n"))
            if not any(part in squeezed(example) for example in examples)]


def reference(page):
    """The options of each command, as docs/reference/cli.md has them."""
    parts = re.split(r"^#{2,4} (damrak[^\n]*)\n", page, flags=re.M)
    return {name: set(re.findall(r"^ +(?:-\w,)?(--[\w-]+)", text, re.M))
            for name, text in zip(parts[1::2], parts[2::2])}


def faults(block, options_of):
    """What the lines of a block ask of damrak that it does not have."""
    for line in block.splitlines():
        if not re.match(r"(?:build/release/)?damrak ", line):
            continue
        words = shlex.split(line.partition("<<")[0], comments=True)[1:]
        name = "damrak"
        while words and f"{name} {words[0]}" in options_of:
            name += f" {words.pop(0)}"
        if name == "damrak":
            if words != ["--help"] and words != ["--version"]:
                yield f"there is no damrak {words[0]}"
            continue
        for word in words:
            option = word.partition("=")[0]
            if option.startswith("--") and option not in options_of[name]:
                yield f"{name} has no {option}"


class FrontPages(unittest.TestCase):
    def read(self, name):
        return (ROOT / name).read_text(encoding="utf-8")

    def test_every_command_is_in_the_reference(self):
        options_of = reference(self.read("docs/reference/cli.md"))
        for page in PAGES:
            for block in blocks(self.read(page), "sh"):
                self.assertEqual(list(faults(block, options_of)), [], page)

    def test_every_target_of_make_is_there(self):
        targets = set(re.findall(r"^([a-z-]+):", self.read("Makefile"), re.M))
        for page in PAGES:
            for block in blocks(self.read(page), "sh"):
                asked = set(re.findall(r"^make ([a-z-]+)", block, re.M))
                self.assertLessEqual(asked, targets, page)

    def test_the_cpp_of_the_readme_is_in_an_example(self):
        examples = [path.read_text(encoding="utf-8") for path in (ROOT / "examples").glob("*.cpp")]
        found = blocks(self.read("README.md"), "cpp")
        self.assertEqual(len(found), 1)
        self.assertEqual(not_in(examples, found[0]), [])

    def test_planted_faults_are_found(self):
        options_of = reference("## damrak sim\n\n### damrak sim run\n\n  -h,--help  x\n  --seed\n")
        good = "damrak sim run a.toml --seed 1 # --no\nls --all\n"
        self.assertEqual(list(faults(good, options_of)), [])
        self.assertEqual(list(faults("damrak sim run --sed 1\ndamrak fly\n", options_of)),
                         ["damrak sim run has no --sed", "there is no damrak fly"])
        self.assertEqual(not_in(["a;\n  b;"], "a; b;\n\nc;"), ["c;"])


if __name__ == "__main__":
    unittest.main()
