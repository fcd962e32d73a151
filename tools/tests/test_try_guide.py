"""Tests of tools/try_guide: each mark does what it says, and what does not fit has a clear line."""
import contextlib
import importlib.machinery
import importlib.util
import io
import tempfile
import unittest
from pathlib import Path

PATH = str(Path(__file__).resolve().parents[1] / "try_guide")
LOADER = importlib.machinery.SourceFileLoader("try_guide", PATH)
SPEC = importlib.util.spec_from_loader("try_guide", LOADER)
try_guide = importlib.util.module_from_spec(SPEC)
LOADER.exec_module(try_guide)


class Guides(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.tree = Path(temporary.name) / "tree"
        self.guide = Path(temporary.name) / "guide.md"
        self.tree.mkdir()
        (self.tree / "list.txt").write_text("one\ntwo\ntwo more\n", encoding="utf-8")

    def follow(self, *marked, runs=True):
        """Whether the blocks fit, each its marks and text; what is said of one that does not."""
        text = "# A guide\n" + "".join(f"```txt {marks}\n{block}```\n" for marks, block in marked)
        self.guide.write_text(text, encoding="utf-8")
        said = io.StringIO()
        with contextlib.redirect_stderr(said), contextlib.redirect_stdout(io.StringIO()):
            good = try_guide.try_guide(self.guide, self.tree, runs)
        return good, said.getvalue().removeprefix(f"{self.guide}:").strip()

    def lines(self, name="list.txt"):
        return (self.tree / name).read_text(encoding="utf-8").split()

    def test_a_block_goes_after_before_or_in_place_of_a_line(self):
        self.assertEqual(self.follow(('file=list.txt after="one"', "a\n"),
                                     ('file=list.txt before="two more"', "b\n"),
                                     ('file=list.txt replace="one"', "c\nd\n")), (True, ""))
        self.assertEqual(self.lines(), ["c", "d", "a", "two", "b", "two", "more"])

    def test_a_block_is_a_new_file(self):
        self.assertTrue(self.follow(("file=a/b.txt", "new\n"))[0])
        self.assertEqual(self.lines("a/b.txt"), ["new"])

    def test_commands_run_in_the_tree_until_one_fails(self):
        self.assertTrue(self.follow(("run", "cp list.txt copy.txt\n"))[0])
        self.assertEqual(self.lines("copy.txt"), self.lines())
        self.assertEqual(self.follow(("run", "false\ntouch late\n")),
                         (False, "2: the commands end with exit status 1"))
        self.assertFalse((self.tree / "late").exists())

    def test_commands_can_be_left_out(self):
        self.assertEqual(self.follow(("run", "touch made\n"), ('file=list.txt after="six"', "a\n"),
                                     runs=False),
                         (False, "5: list.txt: 0 lines contain 'six'; it must be one"))
        self.assertFalse((self.tree / "made").exists())

    def test_the_first_block_that_does_not_fit_ends_it(self):
        self.assertEqual(self.follow(('file=list.txt after="one"', "a\n"),
                                     ('file=list.txt after="two"', "b\n"),
                                     ("file=late.txt", "c\n")),
                         (False, "5: list.txt: 2 lines contain 'two'; it must be one"))
        self.assertEqual(self.lines(), ["one", "a", "two", "two", "more"])
        self.assertFalse((self.tree / "late.txt").exists())

    def test_what_does_not_fit_is_named(self):
        for marks, why in [('file=list.txt before="six"', "list.txt: 0 lines contain 'six'"),
                           ("file=list.txt", "list.txt exists already"),
                           ('file=none.txt after="one"', "there is no none.txt"),
                           ("file=../out.txt", "../out.txt is outside the tree"),
                           ('file=list.txt behind="one"', "marks that are not known"),
                           ('file=list.txt after="one" before="one"', "marks that are not known"),
                           ('file="list.txt', 'txt file="list.txt: No closing quotation'),
                           ("runs", "marks that are not known")]:
            good, said = self.follow((marks, "x\n"))
            self.assertFalse(good, marks)
            self.assertIn(f"2: {why}", said)

    def test_a_guide_without_a_marked_block_is_none(self):
        self.assertEqual(self.follow(("", "only to read\n")),
                         (False, "nothing in it is to be done"))


class Copies(unittest.TestCase):
    @unittest.skipUnless((try_guide.ROOT / ".git").exists(), "not in a repository")
    def test_have_the_files_of_the_tree(self):
        with tempfile.TemporaryDirectory() as folder:
            try_guide.copy_tree(try_guide.ROOT, Path(folder))
            self.assertTrue((Path(folder) / "tools/try_guide").is_file())
            self.assertFalse((Path(folder) / ".git").exists())


if __name__ == "__main__":
    unittest.main()
