"""The shell completions, made from the built program and asked in the shells that are installed:
every command and every option that --help names must be offered."""
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).parents[2]
PROGRAM = str(Path(os.environ.get("DAMRAK_PROGRAM", ROOT / "build/release/damrak")).resolve())
COMMAND = re.compile(r"^  ([a-z][a-z-]*) ", re.M)
FLAGS = re.compile(r"^ +(-[-\w,]+)", re.M)

BASH = """
source "$1/damrak.bash"
COMP_WORDS=("${@:2}") COMP_CWORD=$(($# - 2)) COMPREPLY=()
_damrak
printf '%s\\n' "${COMPREPLY[@]}"
"""
# What zsh's own helper is asked to offer.
ZSH = """
_arguments() { print -rl -- "$@" }
file=$1/_damrak
words=("${@:2}") CURRENT=$(($# - 1))
source $file
"""
FISH = "source $argv[1]/damrak.fish; complete -C (string join ' ' -- $argv[2..])"


def words_of(path):
    """Commands and flags of a command, read from its help text in another way than by the tool."""
    text = subprocess.run([PROGRAM, *path, "--help"], check=True, capture_output=True,
                          text=True).stdout
    commands = COMMAND.findall(text.partition("\nSubcommands:\n")[2])
    return commands, [name for names in FLAGS.findall(text) for name in names.split(",")]


def all_commands(path=()):
    commands, flags = words_of(path)
    yield path, commands, flags
    for name in commands:
        yield from all_commands((*path, name))


@unittest.skipUnless(os.path.exists(PROGRAM), "the program is not built")
class Completions(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.mkdtemp()
        subprocess.run([sys.executable, "-B", ROOT / "tools/completions.py", PROGRAM, cls.folder],
                       check=True)
        cls.commands = list(all_commands())

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def offered(self, shell, script, *line):
        if not shutil.which(shell):
            self.skipTest(f"{shell} is not installed")
        bare = {"bash": ["--norc", "-c", script, shell], "zsh": ["-f", "-c", script, shell],
                "fish": ["--no-config", "-c", script]}[shell]
        done = subprocess.run([shell, *bare, self.folder, "damrak", *line], check=True,
                              capture_output=True, text=True,
                              env={**os.environ, "HOME": self.folder})
        self.assertEqual(done.stderr, "")
        return done.stdout.splitlines()

    def test_the_program_has_commands_in_commands(self):
        self.assertIn(("fix", "admin", "set"), [path for path, _, _ in self.commands])

    def test_bash_offers_every_command_and_option(self):
        for path, commands, flags in self.commands:
            self.assertLessEqual(set(flags), set(self.offered("bash", BASH, *path, "-")))
            self.assertLessEqual(set(commands), set(self.offered("bash", BASH, *path, "")))

    def test_bash_offers_the_values_of_an_option(self):
        for line in (["serve", "--wiring", ""], ["serve", "--spin", "--wiring", "=", ""],
                     ["serve", "--wiring", "="]):
            self.assertEqual(self.offered("bash", BASH, *line), ["inline", "pipelined"])

    def test_bash_leaves_files_to_the_shell(self):
        self.assertEqual(self.offered("bash", BASH, "serve", "--config", ""), [""])

    def test_zsh_offers_every_command_and_option(self):
        for path, commands, flags in self.commands:
            specs = self.offered("zsh", ZSH, *path, "")
            named = {re.sub(r"^(\*|\([^)]*\))", "", spec).partition("[")[0].rstrip("=")
                     for spec in specs}
            self.assertLessEqual(set(flags), named)
            inner = [spec for spec in specs if spec.startswith("1:command:")]
            for name in commands:
                self.assertIn(f'{name}\\:"', inner[0])

    def test_zsh_takes_the_file_for_a_completion(self):
        script = ("fpath=($1 $fpath); autoload -Uz compinit; compinit -D -u; "
                  "print -r -- $_comps[damrak]")
        self.assertEqual(self.offered("zsh", script), ["_damrak"])

    def test_fish_offers_every_command_and_option(self):
        for path, commands, flags in self.commands:
            flags = {name for name in flags if name.startswith("--")}
            offered = [line.partition("\t")[0] for line in
                       self.offered("fish", FISH, *path, "--")]
            self.assertEqual(flags, set(offered))
            offered = [line.partition("\t")[0] for line in self.offered("fish", FISH, *path, "")]
            self.assertLessEqual(set(commands), set(offered))

    def test_fish_offers_the_values_of_an_option(self):
        offered = self.offered("fish", FISH, "serve", "--spin", "--wiring", "")
        self.assertEqual([line.partition("\t")[0] for line in offered], ["inline", "pipelined"])


if __name__ == "__main__":
    unittest.main()
