"""Plants a breach of every convention and sees tools/tidy.py find it, and nothing in clean code."""
import contextlib
import io
import sys
import tempfile
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))
import tidy

HEADER = "// What it is.\n#pragma once\n"


def findings(path, text):
    return [finding for _, finding in tidy.check_text(path, text)]


class Planted(unittest.TestCase):
    def caught(self, path, text, expected):
        found = findings(path, text)
        self.assertTrue(any(expected in finding for finding in found), f"{path}: {found}")

    def clean(self, path, text):
        self.assertEqual(findings(path, text), [])

    def test_an_include_may_not_point_down_the_rooms(self):
        text = "#include <damrak/engine/engine.hpp>\n"
        self.caught("src/engine/damrak/book/a.cpp", text, "book/ must not include from engine/")
        self.clean("src/engine/damrak/engine/a.cpp", text)
        self.clean("src/engine/damrak/views/a.cpp", text)
        self.clean("apps/damrak/a.cpp", text)

    def test_gateways_do_not_know_each_other(self):
        text = "#include <damrak/gateway/binary/order_names.hpp>\n"
        for other in ["gateway/fix", "gateway/fix/detail", "gateway", "gateway/detail"]:
            self.caught(f"src/gateways/damrak/{other}/a.cpp", text, "known only to itself")
        self.clean("src/gateways/damrak/gateway/binary/a.cpp", text)
        self.clean("src/gateways/damrak/gateway/binary/detail/a.cpp", text)
        self.clean("src/exchange/damrak/exchange/a.cpp", text)
        self.clean("src/gateways/damrak/gateway/fix/a.cpp", "#include <damrak/gateway/turn.hpp>\n")

    def test_folder_and_namespace_agree(self):
        def declared(name, body="int x;"):
            return f"namespace {name} {{\n{body}\n}}\n"
        for path, right, wrong in [
                ("ordering/damrak/venue", "damrak::venue", "damrak::sequencer"),
                ("ordering/damrak/venue", "damrak::venue::parts", "damrak::venues"),
                ("ordering/damrak/venue/detail", "damrak::venue", "damrak::detail"),
                ("ordering/damrak/venue/detail", "damrak::venue::detail", "damrak"),
                ("gateways/damrak/gateway/fix", "damrak::gateway::fix", "damrak::gateway"),
                ("gateways/damrak/gateway/fix/detail", "damrak::gateway::fix::detail",
                 "damrak::gateway::detail"),
                ("market_data/damrak/feed/itch", "damrak::feed", "damrak::itch"),
                ("engine/damrak/book", "damrak", "other"),
                ("engine/damrak/views", "damrak::views", "damrak_views")]:
            self.clean(f"src/{path}/a.cpp", declared(right))
            self.caught(f"src/{path}/a.cpp", declared(wrong), f"not {wrong}")
        self.clean("src/ordering/damrak/venue/a.cpp",
                   declared("damrak::feed", "class Feed;\ntemplate <class T>\nstruct Other;")
                   + declared("damrak::venue", declared("inner"))
                   + "namespace {\nint x;\n}\nnamespace itch = wire::itch;\n")
        self.caught("src/ordering/damrak/venue/a.cpp",
                    declared("damrak::venue") + declared("damrak::feed", "class A;\nint x;"),
                    "the namespace of this folder is damrak::venue, not damrak::feed")
        self.clean("apps/damrak/a.cpp", declared("anything"))

    def test_net_knows_base_only(self):
        self.caught("src/sessions/damrak/net/a.cpp", "#include <damrak/domain/command.hpp>\n",
                    "net/ must not include from domain/")
        self.clean("src/sessions/damrak/net/a.cpp", "#include <damrak/base/ring.hpp>\n")

    def test_a_detail_stays_in_its_room(self):
        text = "#include <damrak/book/detail/level.hpp>\n"
        self.caught("src/engine/damrak/engine/a.cpp", text, "is a detail of")
        self.clean("src/engine/damrak/book/a.cpp", text)
        self.clean("tests/engine/book/a.cpp", text)

    def test_umbrella_headers_are_for_other_projects(self):
        text = "#include <damrak/engine.hpp>\n"
        self.caught("src/engine/damrak/views/a.cpp", text, "include what you use")
        self.clean("examples/a.cpp", text)

    def test_includes_are_by_full_name(self):
        self.caught("src/engine/damrak/book/a.cpp", '#include "../x.hpp"\n', "by its full name")

    def test_a_room_must_be_in_the_table(self):
        self.caught("src/engine/damrak/kitchen/a.cpp", "", "no room")

    def test_the_lower_rooms_need_only_the_standard_library(self):
        self.caught("src/engine/damrak/base/a.cpp", "#include <nlohmann/json.hpp>\n",
                    "standard library")
        self.clean("src/codecs/damrak/wire/a.cpp", "#include <zlib.h>\n")

    def test_deterministic_rooms_include_nothing_of_the_world(self):
        for header, what in {
            "chrono": "wall clock", "damrak/base/cycle_clock.hpp": "wall clock",
            "random": "random devices", "sys/socket.h": "sockets", "netinet/in.h": "sockets",
            "unordered_map": "hash-order", "unordered_set": "hash-order",
            "iostream": "printing", "cstdio": "printing",
        }.items():
            for room in ["domain", "book", "engine", "views", "generator"]:
                self.caught(f"src/engine/damrak/{room}/a.cpp", f"#include <{header}>\n", what)
            self.clean("src/ordering/damrak/telemetry/a.cpp", f"#include <{header}>\n")

    def test_deterministic_rooms_call_nothing_of_the_world(self):
        for code, what in {
            "auto t = std::chrono::system_clock::now();": "wall clock",
            "clock_gettime(0, &t);": "wall clock", "auto t = time(nullptr);": "wall clock",
            "std::random_device d;": "random devices", "int r = rand();": "random devices",
            "int s = socket(1, 2, 3);": "sockets",
            "std::unordered_map<int, int> m;": "hash-order",
            'std::printf("x");': "printing", "std::cout << 1;": "printing",
        }.items():
            for room in ["domain", "book", "engine", "views", "generator"]:
                self.caught(f"src/engine/damrak/{room}/a.cpp", f"void f() {{ {code} }}\n", what)

    def test_matching_has_no_floating_point(self):
        for code in ["double x{};", "float y{};", "auto z = 0.5;"]:
            for room in ["domain", "book", "engine"]:
                self.caught(f"src/engine/damrak/{room}/a.cpp", code + "\n", "no floating point")
            self.clean("src/codecs/damrak/generator/a.cpp", code + "\n")

    def test_matching_is_neither_virtual_nor_throwing_nor_locked(self):
        for code in ["virtual void f();", "throw 1;", "std::mutex m;", "std::function<void()> f;"]:
            self.caught("src/engine/damrak/engine/a.cpp", code + "\n", "no virtual calls")

    def test_words_in_comments_and_strings_are_not_code(self):
        self.clean("src/engine/damrak/book/a.cpp",
                   "// a double at 0.5, rand() and std::unordered_map\n"
                   '/* virtual */ const char* k = "double"; char q = \'"\';\n'
                   'const char* r = R"(throw double)";\nint n = 1\'000\'000;\n')

    def test_sizes_have_bounds(self):
        self.caught("src/engine/damrak/book/a.cpp", "\n" * 401, "a file stops at 400")
        self.clean("src/engine/damrak/book/a.cpp", "\n" * 400)
        self.caught("src/engine/damrak/book/a.cpp", "//" + "x" * 99 + "\n", "a line stops at 100")
        self.clean("src/engine/damrak/book/a.cpp", "//" + "x" * 98 + "\n")

    def test_functions_stop_at_seventy_lines(self):
        def body(lines):
            return "{\n" + "f({1, 2});\n" * (lines - 2) + "}\n"
        for head in ["void g(int x) ", "TEST(Book, Rests) ", "A::A(int x) : x_{x}, y_{} ",
                     "namespace damrak {\nclass B final {\n auto f() const -> int "]:
            self.caught("src/engine/damrak/book/a.cpp", head + body(71), "a function of 71 lines")
            self.clean("src/engine/damrak/book/a.cpp", head + body(70))

    def test_a_long_table_or_class_is_no_function(self):
        rows = "{1, 2},\n" * 80
        self.clean("src/engine/damrak/domain/a.cpp",
                   f"constexpr auto k_rows = std::to_array<Row>({{\n{rows}}});\n")
        self.clean("src/engine/damrak/domain/a.cpp",
                   "class A {\n" + "int f() { return 1; }\n" * 80 + "};")

    def test_a_header_is_guarded_and_introduced(self):
        self.caught("src/engine/damrak/book/a.hpp", "// What it is.\n", "#pragma once")
        self.caught("src/engine/damrak/book/a.hpp", "#pragma once\n", "opens with what it is")
        self.clean("src/engine/damrak/book/a.hpp", HEADER)

    def test_a_test_waits_for_a_condition_not_for_a_time(self):
        for path, line in [
                ("tests/system/a_test.cpp", "std::this_thread::sleep_for(5ms);"),
                ("tests/system/a_test.cpp", "::usleep(1'000);"),
                ("tests/system/a_test.cpp", "::sleep(1);"),
                ("tests/system/a_test.cpp", "const auto begin = std::chrono::steady_clock::now();"),
                ("tests/system/a_test.cpp", 'run_shell("damrak serve & sleep 0.5; kill $!");'),
                ("tests/peers/a.py", "time.sleep(1)"),
                ("tests/peers/a.py", "begin = time.monotonic()"),
                ("tests/package/a.sh", "sleep 1"),
                ("tests/system/a_test.cpp", "::setsockopt(one, SOL_SOCKET, SO_RCVTIMEO, &b, 8);"),
                ("tests/system/a_test.cpp", "const timeval limit{.tv_sec = 10, .tv_usec = 0};"),
                ("tests/system/a_test.cpp", "return ::poll(&one, 1, 5'000) == 1;"),
                ("tests/system/a_test.cpp", "changed.wait_for(lock, std::chrono::seconds(5));"),
                ("tests/system/a_test.cpp", "changed.wait_for(lock, 500ms);"),
                ("tests/support/a.cpp", "void read(int timeout_ms = 5'000) {}"),
                ("tests/system/a_test.cpp", 'run_shell("timeout 20 damrak serve");'),
                ("tests/system/a_test.cpp", 'run_shell("timeout -s INT 0.3 damrak serve");'),
                ("tests/peers/a.py", "peer = socket.create_connection(there, timeout=20)"),
                ("tests/peers/a.py", "peer.settimeout(0.5)"),
                ("tests/system/a_test.cpp", "const Config config{.patience = 500ms};"),
                ("tests/system/a_test.cpp", "HostileHttp() { restart(32, 1'500ms); }"),
                ("tests/system/a_test.cpp", "server_ = *Server::start(config(5s));"),
                ("tests/system/a_test.cpp", "constexpr auto k_silence_timeout = 10s;"),
                ("tests/web/a.test.ts", "await new Promise((done) => setTimeout(done, 520));"),
                ("tests/web/a.test.ts", "for (const end = performance.now() + 3; ;);"),
                ("tests/web/browser/a.mjs", "const end = Date.now() + 100;")]:
            self.caught(path, line + "\n", "a test waits for a condition")
            self.clean(path, line + "  // real time: the clock itself is tested\n")
            self.clean("tests/programs/a.cpp", line + "\n")
        self.clean("tests/support/eventually.hpp", HEADER + "std::this_thread::sleep_for(2ms);\n")
        self.clean("tests/engine/base/nap_test.cpp", "EXPECT_TRUE(nap.sleep(24h));\n")
        for line in ["::poll(&one, 1, 0);", "gateway.poll(1);", "::poll(&one, 1, patience_ms());",
                     "while (answer.wait_for(0ms) != std::future_status::ready)",
                     'run_shell("timeout $patience damrak serve");',
                     "HostileHttp() { restart(1h); }", "server_ = *Server::start({.tick = 10ms});",
                     "const Config config{.patience = 1h, .tick = 10ms};",
                     '"[session]\\ntimeout_s = 5\\n"', "settings.session_timeout_s = 7;"]:
            self.clean("tests/system/a_test.cpp", line + "\n")
        for line in ["time.pass(500);", "const { setTimeout, clearTimeout } = globalThis;",
                     "performance.now = () => this.now;"]:
            self.clean("tests/web/a.test.ts", line + "\n")
        self.clean("src/engine/damrak/base/a.cpp", "std::this_thread::sleep_for(pause);\n")

    def test_file_names(self):
        self.caught("src/engine/damrak/book/OrderBook.cpp", "", "snake_case")
        self.caught("src/engine/damrak/book/order_book.h", "", ".hpp or .cpp")

    def test_unfinished_work_and_machine_paths(self):
        for word in ["TO" + "DO", "FIX" + "ME", "not " + "implemented"]:
            self.caught("docs/a.md", f"see {word}: this\n", "unfinished work")
        for folder in ["tmp", "home", "root", "work"]:
            self.caught("scripts/a", f"cat /{folder}/x\n", "path of one machine")
            self.clean("docs/a.md", f"see docs/{folder}/x and $HOME/{folder}/y\n")

    def test_phrases_that_read_like_a_translation(self):
        planted = ["it works, also after a crash", "the matching goes on", "the client is told why",
                   "so many of them", "the present session", "a client of another make",
                   "Only then it removes the file", "the buffers come on top", "it begins anew",
                   "the reader takes it away", "in the place of a file", "an answer is under way",
                   "all but for one", "it is taken for another", "whoever asks first"]
        for text in planted:
            self.caught("docs/a.md", text + "\n", "say it plainly")
            self.caught("src/engine/damrak/base/a.cpp", f"// {text}\n", "say it plainly")
            self.caught("tests/support/a.cpp", f"int a;  // {text}\n", "say it plainly")
            self.caught("tools/a.py", f'"""{text}"""\n', "say it plainly")
            self.caught("scripts/a", f"# {text}\n", "say it plainly")
        self.assertEqual(len(tidy.WORDING), len(planted))
        self.caught("docs/a.md", "it works, also\nafter a crash\n", "say it plainly")
        self.caught("src/engine/damrak/base/a.cpp", "/// One of so\n/// many.\n", "say it plainly")

    def test_plain_phrases_pass(self):
        for text in ["even after a crash", "two of a kind are told apart", "so many that it fails",
                     "so long as it runs", "the present is a moment", "nothing is told to stop"]:
            self.clean("docs/a.md", text + "\n")
        self.clean("docs/a.md", "`goes on` and [why](0008-whoever-waits.md)\n```\ngoes on\n```\n")
        self.clean("src/engine/damrak/base/a.cpp", 'const char* text = "it goes on";\n')


class WholeTree(unittest.TestCase):
    def run_on(self, files):
        with tempfile.TemporaryDirectory() as folder:
            for name, text in files.items():
                path = Path(folder) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            output = io.StringIO()
            with contextlib.redirect_stdout(output):
                status = tidy.main(Path(folder))
            return status, output.getvalue()

    def test_a_clean_tree_passes(self):
        status, output = self.run_on({"src/engine/damrak/book/a.hpp": HEADER, "README.md": "x\n"})
        self.assertEqual((status, output), (0, "convention check: 2 files, 0 findings\n"))

    def test_one_breach_fails_with_its_place(self):
        status, output = self.run_on({"src/engine/damrak/book/a.hpp": HEADER + "\nfloat x;\n"})
        self.assertEqual(status, 1)
        self.assertIn("src/engine/damrak/book/a.hpp:4: book/ counts in integers", output)

    def test_modules_of_the_page_import_in_no_circle(self):
        way = {"README.md": "x\n",
               "web/src/main.ts": 'import "./page.css";\nimport { a } from "./heatmap/a.js";\n',
               "web/src/heatmap/a.ts": 'import {\n  b,\n  c,\n} from "../ui/b.js";\n',
               "web/src/ui/b.ts": 'import { text } from "./text.js";\n',
               "web/src/ui/text.ts": 'import { other } from "other";\n'}
        self.assertEqual(self.run_on(way)[0], 0)
        for back in ['import type { A } from "../heatmap/a.js";\n',
                     'export { a } from "../heatmap/a.js";\n']:
            status, output = self.run_on(way | {"web/src/ui/text.ts": back})
            self.assertEqual(status, 1)
            self.assertIn("a circle of imports: web/src/heatmap/a.ts > web/src/ui/b.ts > "
                          "web/src/ui/text.ts > web/src/heatmap/a.ts", output)

    def test_a_panel_of_the_page_is_a_folder_with_view_model_and_test(self):
        folder = "web/src/panels/tape/"
        whole = {"README.md": "x\n", folder + "view.ts": "", folder + "model.ts": "",
                 folder + "model.test.ts": "", folder + "rows.ts": ""}
        self.assertEqual(self.run_on(whole)[0], 0)
        for name in ["view.ts", "model.ts", "model.test.ts"]:
            status, output = self.run_on({path: text for path, text in whole.items()
                                          if path != folder + name})
            self.assertEqual(status, 1)
            self.assertIn(f"web/src/panels/tape:1: a panel is a folder; it has no {name}", output)
        self.assertEqual(self.run_on(whole | {"web/src/panels/chart.ts": ""})[0], 1)

    def test_an_empty_tree_does_not_pass(self):
        self.assertEqual(self.run_on({})[0], 1)

    def test_what_is_built_is_not_looked_at(self):
        status, _ = self.run_on({"README.md": "x\n", "build/a.cpp": "//" + "x" * 200})
        self.assertEqual(status, 0)


if __name__ == "__main__":
    unittest.main()
