"""Tests of tools/soak: what it finds wrong with samples and with what a reader of the feed got."""
import importlib.machinery
import importlib.util
import pathlib
import tempfile
import unittest

PATH = str(pathlib.Path(__file__).resolve().parents[1] / "soak")
LOADER = importlib.machinery.SourceFileLoader("soak", PATH)
soak = importlib.util.module_from_spec(importlib.util.spec_from_loader("soak", LOADER))
LOADER.exec_module(soak)


def level(**changed):
    """Sixty equal samples, with these values from the thirtieth on."""
    first = {"private_kib": 9000, "pools_kib": 1000, "other_kib": 1000, "threads": 10,
             "files": 50}
    return [{"second": i, **first, **(changed if i >= 30 else {})} for i in range(60)]


class Levels(unittest.TestCase):
    def test_a_level_passes(self):
        self.assertEqual(soak.faults_of_levels(level()), [])

    def test_what_rises_is_named(self):
        for name, value in (("pools_kib", 1051), ("other_kib", 1051), ("threads", 13),
                            ("files", 83)):
            with self.subTest(name):
                faults = soak.faults_of_levels(level(**{name: value}))
                self.assertTrue(faults)
                self.assertIn(str(value), faults[0])


class Pools(unittest.TestCase):
    def test_are_what_is_advised_to_be_on_huge_pages(self):
        part = "00-01 rw-p\nSize: {0} kB\nRss: {1} kB\nVmFlags: rd wr {2}\n".format
        smaps = part(100, 30, "hg") + part(50, 50, "mr") + part(8, 4, "mr hg")
        self.assertEqual(soak.pools(smaps), (108, 34))


class FeedReader(unittest.TestCase):
    def faults(self, got, file):
        reader = soak.Reader("reader", 0, 1, 0)
        reader.session, reader.bytes = b"2026113000", bytearray(got)
        with tempfile.TemporaryDirectory() as folder:
            data = pathlib.Path(folder)
            (data / "feed").mkdir()
            (data / "feed" / "2026113000.itch").write_bytes(file)
            reader.check(data)
        return reader.faults

    def test_the_beginning_of_the_file_passes(self):
        self.assertEqual(self.faults(b"abc", b"abcdef"), [])

    def test_other_bytes_more_bytes_and_none_are_faults(self):
        for got in (b"abd", b"abcdefg", b""):
            self.assertTrue(self.faults(got, b"abcdef"), got)


if __name__ == "__main__":
    unittest.main()
