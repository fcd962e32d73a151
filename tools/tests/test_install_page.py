"""The page on installation has lines for CMake for each component, which are right."""
import re
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
import components_page  # noqa: E402  (the path comes first)
import umbrella_headers  # noqa: E402

ROOT = umbrella_headers.ROOT
SNIPPET = re.compile(r"""^```cmake
# (\w+): (.*)
find_package\(damrak ([\d.]+) REQUIRED COMPONENTS (\w+)\)
target_link_libraries\(my_program PRIVATE damrak::(\w+)\)   # #include <damrak/(\w+).hpp>
```$""", re.M)
# What cmake/components.cmake finds, by the package that has it.
PACKAGES = {"fmt": "libfmt-dev", "ZLIB": "zlib1g-dev", "pugixml": "libpugixml-dev",
            "PkgConfig": "pkg-config", "zstd": "libzstd-dev", "OpenSSL": "libssl-dev",
            "Boost": "libboost-dev", "sqlite3": "libsqlite3-dev", "tsl-robin-map": "robin-map-dev"}
# Included by a header of this component, and found without CMake.
HEADERS_ONLY = {"techniques": {"libreaderwriterqueue-dev"}}


def found_for(component, text):
    """The packages that a component itself looks for."""
    blocks = re.findall(r"^if\((.*?)\)\n(.*?)^endif\(\)", text, re.M | re.S)
    names = [name for condition, body in blocks if f'"{component}" IN_LIST' in condition
             for name in re.findall(r"find_package\((\S+)|pkg_check_modules\((\S+)", body)]
    return ({PACKAGES["".join(name)] for name in names} | HEADERS_ONLY.get(component, set()))


class InstallPage(unittest.TestCase):
    def setUp(self):
        page = (ROOT / "docs/how-to/install.md").read_text(encoding="utf-8")
        self.snippets = SNIPPET.findall(page)
        self.names, self.needs, _ = components_page.listed(ROOT)

    def test_each_component_has_its_lines(self):
        self.assertEqual([snippet[0] for snippet in self.snippets], self.names)
        for name, _, _, *mentioned in self.snippets:
            self.assertEqual(mentioned, [name] * 3)

    def test_the_version_is_that_of_the_project(self):
        project = (ROOT / "CMakeLists.txt").read_text(encoding="utf-8")
        version = re.search(r"project\(damrak VERSION (\d+\.\d+)", project)[1]
        self.assertEqual({snippet[2] for snippet in self.snippets}, {version})

    def test_the_packages_are_those_that_cmake_looks_for(self):
        text = (ROOT / "cmake/components.cmake").read_text(encoding="utf-8")
        said = {name: packages for name, packages, *_ in self.snippets}

        def packages_of(name):
            words = said[name].replace("no package", "").replace(",", "").split()
            if words[:2] == ["those", "of"]:
                return packages_of(words[2]) | set(words[3:])
            return set(words)

        def looked_for(name):
            return found_for(name, text).union(*(looked_for(need) for need in self.needs[name]))

        for name in self.names:
            self.assertEqual(packages_of(name), looked_for(name), name)


class UmbrellaHeaders(unittest.TestCase):
    def test_each_public_header_is_in_the_one_of_its_component_once(self):
        texts = {path: text for path, text in umbrella_headers.headers()}
        self.assertEqual(len(texts), len(components_page.listed(ROOT)[0]))
        for path, text in texts.items():
            included = re.findall(r"^#include <(.*)>$", text, re.M)
            public = [header.relative_to(path.parents[1]).as_posix()
                      for header in path.parent.rglob("*.hpp")
                      if "/detail/" not in header.as_posix() and header != path]
            self.assertEqual(included, sorted(public))


if __name__ == "__main__":
    unittest.main()
