"""Makes releases of a temporary repository, whose builds are stand-ins; faulty ones are refused."""
import gzip
import hashlib
import os
import shutil
import subprocess
import tarfile
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "scripts/release"
CHANGELOG = """\
# Changelog

## [Unreleased]

## [1.2.0] - 2026-11-30

### Added
- A [guide](docs/guide.md), as [others](https://example.org/a) have one ([why](docs/why.md)).

## [1.1.0] - 2026-10-01

- Older.
"""
TREE = {
    "CHANGELOG.md": CHANGELOG,
    "CMakeLists.txt": "cmake_minimum_required(VERSION 3.25)\n"
                      "project(damrak VERSION 1.2.0 LANGUAGES CXX)\n",
    "CITATION.cff": 'cff-version: 1.2.0\nversion: 1.2.0\ndate-released: "2026-11-30"\n',
    "python/VERSION": "1.2.0\n",
    "docs/how-to/install.md": "find_package(damrak 1.2 REQUIRED)\n",
    ".gitignore": "/build/\n/python/damrak/_core*\n",
    ".ci/run": "#!/bin/sh\necho the whole check >>build/log\n",
    "scripts/bootstrap": "#!/bin/sh\n",
    "scripts/python": "#!/bin/sh\n[ \"$*\" = 'wheel --both' ] || exit 1\n"
                      "mkdir -p build/wheel\n"
                      "echo 11 >build/wheel/damrak-1.2.0-cp311.whl\n"
                      "echo 12 >build/wheel/damrak-1.2.0-cp312.whl\n",
    "Makefile": "deb:\n\tmkdir -p build/deb\n\techo deb >build/deb/damrak_1.2.0_amd64.deb\n",
}
GIT = ["git", "-c", "user.name=A", "-c", "user.email=a@example.org"]


class Release(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.tree = Path(temporary.name)
        self.out = self.tree / "build/release-1.2.0"
        for name, text in TREE.items():
            self.write(name, text)
        shutil.copy(SCRIPT, self.tree / "scripts/release")
        for name in (".ci/run", "scripts/bootstrap", "scripts/python"):
            (self.tree / name).chmod(0o755)
        (self.tree / "build").mkdir()
        self.git("init", "-q")
        self.commit()
        self.git("tag", "v1.2.0")

    def write(self, name, text):
        path = self.tree / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")

    def git(self, *arguments):
        subprocess.run([*GIT, *arguments], cwd=self.tree, check=True, capture_output=True)

    def commit(self):
        self.git("add", "--all")
        self.git("commit", "-q", "--allow-empty", "--message", "Change")

    def changed(self, name, text):
        """The tree with another file, committed and tagged."""
        self.write(name, text)
        self.commit()
        self.git("tag", "--force", "v1.2.0")

    def run_script(self, *arguments):
        environment = {name: value for name, value in os.environ.items() if name != "MAKEFLAGS"}
        return subprocess.run(["scripts/release", *arguments], cwd=self.tree, capture_output=True,
                              text=True, env=environment)

    def assert_refused(self, *lines, version="1.2.0"):
        for options in ([], ["--dry-run"]):
            done = self.run_script(*options, version)
            self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
            found = done.stderr.splitlines()
            self.assertEqual(found[:-1], [f"release: {line}" for line in lines])
            self.assertIn("nothing was made", found[-1])
            self.assertFalse(self.out.exists())

    def test_a_release_is_whole(self):
        done = self.run_script("1.2.0")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual((self.tree / "build/log").read_text(), "the whole check\n")
        files = {path.name: path.read_bytes() for path in self.out.iterdir()}
        sums = files.pop("SHA256SUMS").decode()
        self.assertEqual(sorted(files), [
            "RELEASE-NOTES.md", "damrak-1.2.0-cp311.whl", "damrak-1.2.0-cp312.whl",
            "damrak-1.2.0.tar.gz", "damrak_1.2.0_amd64.deb"])
        self.assertEqual(dict(reversed(line.split("  ")) for line in sums.splitlines()),
                         {name: hashlib.sha256(data).hexdigest() for name, data in files.items()})

    def test_notes_are_the_section_with_paths_in_place_of_relative_links(self):
        self.run_script("--tested", "1.2.0")
        notes = (self.out / "RELEASE-NOTES.md").read_text()
        self.assertTrue(notes.startswith(
            "# Damrak 1.2.0\n\n### Added\n"
            "- A guide (`docs/guide.md`), as [others](https://example.org/a) have one "
            "(why: `docs/why.md`).\n"), notes)
        self.assertNotIn("Older", notes)

    def test_the_archive_is_the_tag_and_the_same_every_time(self):
        archives = []
        for mask in (0o022, 0o077):
            before = os.umask(mask)
            self.addCleanup(os.umask, before)
            self.assertEqual(self.run_script("--tested", "1.2.0").returncode, 0)
            archives.append((self.out / "damrak-1.2.0.tar.gz").read_bytes())
            shutil.rmtree(self.out)
        self.assertEqual(archives[0], archives[1])
        unpacked = self.tree / "build/archive.tar"
        unpacked.write_bytes(gzip.decompress(archives[0]))
        with tarfile.open(unpacked) as archive:
            names = {member.name for member in archive if member.isfile()}
            self.assertEqual({member.uid for member in archive}, {0})
        self.assertEqual(names, {f"damrak-1.2.0/{name}" for name in [*TREE, "scripts/release"]})

    def test_tests_that_passed_are_not_run_again(self):
        self.assertEqual(self.run_script("--tested", "1.2.0").returncode, 0)
        self.assertFalse((self.tree / "build/log").exists())

    def test_a_dry_run_prints_the_steps_and_makes_nothing(self):
        done = self.run_script("--dry-run", "1.2.0")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for step in (".ci/run", "git archive v1.2.0", "make deb", "scripts/python wheel --both"):
            self.assertIn(step, done.stdout)
        self.assertEqual(list((self.tree / "build").iterdir()), [])

    def test_a_release_that_fails_half_way_is_not_there(self):
        self.changed("Makefile", "deb:\n\tfalse\n")
        self.assertNotEqual(self.run_script("--tested", "1.2.0").returncode, 0)
        self.assertFalse(self.out.exists())
        self.changed("Makefile", TREE["Makefile"])
        self.assertEqual(self.run_script("--tested", "1.2.0").returncode, 0)

    def test_a_build_that_changes_the_tree_is_refused(self):
        self.changed("Makefile", TREE["Makefile"] + "\techo x >>CHANGELOG.md\n")
        done = self.run_script("--tested", "1.2.0")
        self.assertEqual(done.returncode, 1)
        self.assertIn("the build has changed the tree", done.stderr)
        self.assertFalse(self.out.exists())

    def test_changes_that_are_not_committed_are_refused(self):
        self.write("new.txt", "x")
        self.assert_refused("new.txt: one of 1 paths that differ from the commit: "
                            "commit or remove them")

    def test_modules_of_a_development_build_are_refused(self):
        self.write("python/damrak/_core.so", "x")
        self.assert_refused("python/damrak/_core.so: one of 1 files that git ignores and a wheel "
                            "would contain: remove them")

    def test_a_release_that_is_there_is_not_overwritten(self):
        self.out.mkdir()
        done = self.run_script("1.2.0")
        self.assertEqual(done.returncode, 1)
        self.assertIn("build/release-1.2.0: is there already: remove it", done.stderr)

    def test_a_missing_tag_is_refused(self):
        self.git("tag", "--delete", "v1.2.0")
        self.assert_refused("tag v1.2.0: does not exist: "
                            "git tag --annotate --message 'Damrak 1.2.0' v1.2.0")

    def test_the_tag_of_another_commit_is_refused(self):
        self.commit()
        heads = [subprocess.run([*GIT, "rev-parse", name], cwd=self.tree, capture_output=True,
                                text=True).stdout[:10] for name in ("v1.2.0", "HEAD")]
        self.assert_refused(f"tag v1.2.0: is on commit {heads[0]}, and the tree is at {heads[1]}: "
                            "git checkout v1.2.0")

    def test_a_missing_section_is_refused(self):
        self.changed("CHANGELOG.md", CHANGELOG.replace("[1.2.0] - 2026-11-30", "[1.2.0]"))
        done = self.run_script("--dry-run", "1.2.0")
        self.assertIn("release: CHANGELOG.md: has no section of 1.2.0: name the section of the "
                      "release '## [1.2.0] - 20", done.stderr)

    def test_two_sections_of_the_version_are_refused(self):
        self.changed("CHANGELOG.md", CHANGELOG + "\n## [1.2.0] - 2026-09-01\n- x\n")
        self.assert_refused("CHANGELOG.md:14: is a second section of 1.2.0: join the two")

    def test_an_empty_section_is_refused(self):
        before, rest = CHANGELOG.split("\n### Added")
        self.changed("CHANGELOG.md", before + rest[rest.index("\n## ["):])
        self.assert_refused("CHANGELOG.md:5: the section of 1.2.0 is empty: list what changed")

    def test_entries_that_are_still_unreleased_are_refused(self):
        self.changed("CHANGELOG.md", CHANGELOG.replace("[Unreleased]\n", "[Unreleased]\n- Late.\n"))
        self.assert_refused("CHANGELOG.md:4: is unreleased: move it to the section of 1.2.0")

    def test_each_place_that_names_another_version_is_refused(self):
        places = {"CMakeLists.txt": (2, "1.2.0", "1.2.0"), "python/VERSION": (1, "1.2.0", "1.2.0"),
                  "CITATION.cff": (2, "version: 1.2.0\ndate", "1.2.0"),
                  "docs/how-to/install.md": (1, "damrak 1.2", "1.2")}
        for name, (line, old, wanted) in places.items():
            with self.subTest(name):
                other = wanted.replace("1.2", "1.9")
                self.changed(name, TREE[name].replace(old, old.replace("1.2", "1.9")))
                self.assert_refused(f"{name}:{line}: says {other}: change it to {wanted}")
                self.changed(name, TREE[name])

    def test_another_date_of_the_citation_is_refused(self):
        self.changed("CITATION.cff", TREE["CITATION.cff"].replace("11-30", "11-29"))
        self.assert_refused("CITATION.cff:3: says 2026-11-29: change it to 2026-11-30")

    def test_every_fault_is_reported(self):
        self.write("new.txt", "x")
        self.write("python/VERSION", "2.0.0\n")
        self.git("tag", "--delete", "v1.2.0")
        done = self.run_script("1.2.0")
        self.assertIn("release: 3 faults; nothing was made", done.stderr)

    def test_wrong_usage(self):
        for arguments, said in ((["1.2"], "VERSION is three numbers, such as 0.9.0"),
                                (["--fast", "1.2.0"], "no such option: --fast"),
                                (["1.2.0", "1.3.0"], "one version, not 1.2.0 and 1.3.0")):
            done = self.run_script(*arguments)
            self.assertEqual(done.returncode, 2)
            self.assertTrue(done.stderr.startswith(f"release: {said}\n  scripts/release VERSION"),
                            done.stderr)


if __name__ == "__main__":
    unittest.main()
