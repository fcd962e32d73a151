#!/usr/bin/env python3
"""The convention check: what the compiler cannot see and reviews should not have to.

    tools/tidy.py [ROOT]

Prints `file:line: finding` for each breach and ends with exit status 1 if there is any. The rules
are those of docs/architecture.md (rooms, determinism) and CONTRIBUTING.md (sizes, names); the tests
in tools/tests plant a breach of every one of them.
"""
import re
import sys
from pathlib import Path, PurePosixPath

import page_modules

# An include may point to the room itself or to one before it.
ROOMS = ["base", "domain", "auction", "book", "engine", "views", "files", "wire", "fix_codec",
         "lobster", "order_flow", "modify", "convert", "generator", "plot", "journal", "session",
         "net", "budget", "sequencer", "telemetry", "venue", "script", "client", "feed", "measures",
         "archive", "tables", "recorded_market", "http", "market_data_api", "market_stream", "page",
         "gateway", "standard_exchange", "exchange", "market_kernel", "participants",
         "live_participants", "explain", "replay", "market_runs", "what_if", "comparison",
         "calibration", "validation", "score", "lab"]
ONLY_BASE = {"net"}
# The rooms in these do not know each other, nor are they known to the room around them.
APART = {"gateway"}
# Folders of rooms that share the namespace of their room.
SHARED = {"client/itch", "feed/itch", "lab/books", "lab/factors", "lab/ladder", "lab/rings",
          "lab/tick_to_trade", "session/soupbin"}
DETERMINISTIC = {"domain", "auction", "book", "engine", "views", "generator", "market_kernel",
                 "participants", "live_participants", "measures"}
INTEGER_ONLY = {"domain", "auction", "book", "engine"}
NO_LIBRARIES = {"base", "domain", "auction", "book", "engine"}
MATCHING = {"auction", "book", "engine"}

CODE_FOLDERS = ["src", "apps", "tests", "fuzz", "bench", "examples"]
TEXT_FOLDERS = [*CODE_FOLDERS, "cmake", "docs", "scripts", "tools", ".ci", ".github"]
CODE = {".cpp", ".hpp"}
FOREIGN_NAMES = {".h", ".cc", ".cxx", ".hh", ".hxx", ".inl"}
PAGE = {".ts", ".mjs"}
TEXT = CODE | PAGE | FOREIGN_NAMES | {".py", ".md", ".txt", ".cmake", ".json", ".toml", ".sh", ""}
SKIPPED = {"build", "__pycache__", "corpus", "data", "golden", "images"}

MADE_BY_A_TOOL = re.compile(r"^//.* Made by\s+// tools/", re.M)

MAX_FILE_LINES = 400
MAX_FUNCTION_LINES = 70
MAX_COLUMNS = 100

BANNED_HEADERS = {
    "a wall clock": r"chrono|ctime|time\.h|sys/time\.h|damrak/base/[a-z_/]*clock\.hpp",
    "random devices and library-dependent distributions": r"random|sys/random\.h",
    "sockets": r"sys/socket\.h|netinet/.*|arpa/.*|netdb\.h|sys/epoll\.h|poll\.h",
    "hash-order iteration": r"unordered_map|unordered_set",
    "printing": r"iostream|cstdio|stdio\.h|print|fmt/.*",
}
BANNED_CODE = {
    "a wall clock": r"std::chrono|\b(?:clock_gettime|gettimeofday|localtime)\b|\btime\(|rdtsc",
    "random devices": r"\brandom_device\b|\bs?rand\(|\bgetrandom\b",
    "sockets": r"(?<![\w.>])(?:socket|recvfrom|sendto)\(",
    "hash-order iteration": r"std::unordered_",
    "printing": r"\b[a-z]*printf\(|std::c(?:out|err|log)\b",
}
FLOATING_POINT = r"\b(?:float|double)\b|(?<![\w.])\d[\d']*\.\d"
BANNED_IN_MATCHING = r"\bvirtual\b|\bthrow\b|std::(?:mutex|function|shared_ptr)\b"

# Put together here so that this file passes its own check.
UNFINISHED = re.compile("|".join([r"\bTO" + r"DO\b", r"\bFIX" + r"ME\b", r"\bXX" + r"X\b",
                                  "not " + "implemented"]))
MACHINE_PATH = re.compile(r"(?<![\w.*$}])/(?:tmp|home|root|work|Users)/")

# Tests wait for conditions, in one place, and assert no time. Their time limits are its patience.
WAITS = "tests/support/eventually.hpp"
REAL_TIME = re.compile(r"\bsleep_(?:for|until)\b|\b(?:u|nano)sleep\(|(?<![\w.])sleep\(?[ ]?[\d.]|"
                       r"\b(?:steady|system|high_resolution)_clock::now\b|"
                       r"\btime\.(?:sleep|time|monotonic|perf_counter)(?:_ns)?\(")
TIME_LIMIT = re.compile(r"\bSO_(?:RCV|SND)TIMEO\b|\btv_u?sec = [1-9]|"
                        r"::poll\([^;]*, ?[1-9][\d']*\)|"
                        r"\bwait_for\(.*\b[1-9][\d']*(?:ms|s|\))|"
                        r"\bint \w*(?:timeout|silence|limit|patience)_m?s = [1-9]|"
                        r"(?<![\w-])timeout (?:-\w+ \w+ )?[\d.]+ |"
                        r"\bsettimeout\([\d.]|\btimeout=[\d.]|"
                        # What a server in a test is given; ticks of its own are no limit.
                        r"(?:patience|timeout|silence)\w*(?: ?[={]|\() ?[1-9][\d']*m?s\b(?!\")|"
                        r"\b\w*start\((?:[^;{]*[(, ])?[1-9][\d']*m?s\b(?!\")")
# The page's tests have timers whose time they let pass (tests/web/support.ts).
WEB_TIME = re.compile(r"\bsetTimeout\([^)]|\b(?:Date|performance)\.now\(\)")
REASON_FOR_REAL_TIME = "real time: "

# Phrases that read like a translation, with what an English editor would write.
WORDING = {
    "also after|also if|also when|also where": "even after, even if, including",
    "anew": "again, from the start",
    "but for": "except for",
    "comes? on top": "plus, in addition",
    "go on|goes on|going on": "continue",
    "in the place of": "in place of, instead of",
    "(?:is|are|was|were|be|been|not) told(?! apart\\b| back\\b| otherwise\\b| to\\b| what\\b)":
        "is reported, is notified, learns",
    "of another make": "third-party",
    "only then (?:it|is|do|does)": "and then, once that is done",
    "so (?:late|long|many|much|often)(?! as| that| more)": "this late, this long, this many",
    "the present (?!and|is|was)[a-z]+": "the current",
    "takes? away|takes? it away|taken away|taking away": "removes",
    "taken for": "counts as, is treated as",
    "under way": "pending, in progress, in flight",
    "whoever": "anyone who, the client that",
}
BETWEEN_WORDS = r"(?:\s+(?://[/!]?<?|#)?\s*)"
WORDINGS = [(re.compile(rf"\b(?:{phrases.replace(' ', BETWEEN_WORDS)})\b", re.I), better)
            for phrases, better in WORDING.items()]
WORDING_ITSELF = {"tools/tidy.py", "tools/tests/test_tidy.py"}
FENCE_OR_CODE = re.compile(r"^(```|~~~).*?^\1|`[^`\n]*`|\]\([^)\s]*\)", re.M | re.S)
SCRIPT_TEXT = re.compile(r"(?:^|(?<=\s))#[^\n]*|\"\"\".*?\"\"\"", re.M | re.S)

TOKEN = re.compile(r"""
    (?P<raw>R"(?P<mark>[^(\s"]*)\(.*?\)(?P=mark)")
  | (?P<comment>//[^\n]*|/\*.*?\*/)
  | (?P<number>(?<![\w'])\d(?:'?[\w.])*)
  | (?P<string>"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')
""", re.VERBOSE | re.DOTALL)
INCLUDE = re.compile(r"^\s*#\s*include\s*[<\"]([^>\"]+)[>\"]")
NAMESPACE = re.compile(r"^(?:inline )?namespace ([\w:]+)\s*\{(.*?)^\}", re.M | re.S)
DECLARATIONS = re.compile(r"(?:\s*(?:template\s*<[^;{]*>\s*)?(?:class|struct|enum)\b[^;{]*;)*\s*")
CONTAINER = re.compile(r"\b(?:namespace|class|struct|union|enum|concept)\b|\bextern\s*$")


def code_only(text):
    """The text with comments, literals and preprocessor lines blanked out, line breaks kept."""
    def blank(match):
        if match.lastgroup == "number":
            return match.group()
        return re.sub(r"[^\n]", " ", match.group())
    text = TOKEN.sub(blank, text)
    return re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", lambda m: "\n" * m.group().count("\n"), text,
                  flags=re.MULTILINE)


def room_of(path):
    parts = PurePosixPath(path).parts
    return parts[3] if parts[0] == "src" and parts[2:3] == ("damrak",) and len(parts) > 4 else None


def line_of(text, position):
    return text.count("\n", 0, position) + 1


def row_of(room):
    """The room's place in ROOMS; nothing for what is none."""
    return ROOMS.index(room) if room in ROOMS else None


def folders_of(parts):
    """The folders of a file, without its name and what is a detail."""
    folders = parts[:-1]
    return folders[:folders.index("detail")] if "detail" in folders else folders


def check_include(path, included):
    """Why a file may not include another, or nothing."""
    room = room_of(path)
    if ".." in PurePosixPath(included).parts:
        return f"include <damrak/...> by its full name, not {included}"
    if room in DETERMINISTIC:
        for what, pattern in BANNED_HEADERS.items():
            if re.fullmatch(pattern, included):
                return f"{room}/ must not know {what}: {included}"
    if room in NO_LIBRARIES and re.match(r"(?:fmt|nlohmann|CLI|boost)/|z(?:lib|std)\.h", included):
        return f"{room}/ needs nothing but the standard library: {included}"
    parts = PurePosixPath(included).parts
    if room and parts[0] == "damrak" and len(parts) == 2:
        return f"{included} is for programs outside the library: include what you use"
    if parts[0] != "damrak" or len(parts) < 3:
        return None
    if "detail" in parts and not path.startswith("tests/"):
        owner = "/".join(parts[:parts.index("detail")]) + "/"
        if not re.match(r"src/[a-z_]+/" + owner, path):
            return f"{included} is a detail of {owner}, not to be included from outside"
    if room in APART and parts[1] == room:
        inner = folders_of(parts)[2:3]
        if inner and inner != folders_of(PurePosixPath(path).parts)[4:5]:
            return f"{inner[0]}/ in {room}/ is known only to itself: {included}"
    if room is None or parts[1] == room or row_of(parts[1]) is None:
        return None
    if row_of(parts[1]) >= row_of(room) or (room in ONLY_BASE and parts[1] != "base"):
        return f"{room}/ must not include from {parts[1]}/: {included}"
    return None


def check_includes(path, text):
    for number, line in enumerate(text.splitlines(), 1):
        match = INCLUDE.match(line)
        finding = match and check_include(path, match.group(1))
        if finding:
            yield number, finding


def check_namespaces(path, code):
    """Folder and namespace agree; the rooms of the engine are `damrak` itself."""
    if room_of(path) is None:
        return
    parts = PurePosixPath(path).parts
    folders = folders_of(parts)[3:]
    if "/".join(folders) in SHARED:
        folders = folders[:1]
    wanted = "damrak" if parts[1] == "engine" else "::".join(("damrak", *folders))
    for match in NAMESPACE.finditer(code):
        name, body = match.groups()
        before = code[:match.start()]
        if (f"{name}::".startswith(f"{wanted}::") or DECLARATIONS.fullmatch(body)
                or before.count("{") > before.count("}")):
            continue
        yield line_of(code, match.start()), f"the namespace of this folder is {wanted}, not {name}"


def check_determinism(path, code):
    room = room_of(path)
    banned = {}
    if room in DETERMINISTIC:
        banned |= {f"must not know {what}": pattern for what, pattern in BANNED_CODE.items()}
    if room in INTEGER_ONLY:
        banned["counts in integers, no floating point"] = FLOATING_POINT
    if room in MATCHING:
        banned["has no virtual calls, exceptions, locks or type erasure"] = BANNED_IN_MATCHING
    for what, pattern in banned.items():
        for match in re.finditer(pattern, code):
            yield line_of(code, match.start()), f"{room}/ {what}: {match.group().strip()}"


def functions(code):
    """(first line, last line) of the outermost function bodies, found by matching braces."""
    stack, header_from = [], 0
    for match in re.finditer(r"[{};]", code):
        position, mark = match.start(), match.group()
        if mark == "{":
            header = re.sub(r"alignas\([^()]*\)", "", code[header_from:position])
            inside = bool(stack) and stack[-1][0] != "container"
            if inside:
                kind = "inner"
            elif CONTAINER.search(header) and "(" not in header.split("{")[-1]:
                kind = "container"
            elif re.search(r"(?<![=!<>])=(?!=)", re.sub(r"\([^()]*\)|operator\s*\S+", "", header)):
                kind = "value"
            else:
                kind = "function"
            stack.append((kind, position))
        elif mark == "}" and stack:
            kind, start = stack.pop()
            if kind == "function":
                yield line_of(code, start), line_of(code, position)
        header_from = position + 1


def check_sizes(path, text):
    lines = text.splitlines()
    if len(lines) > MAX_FILE_LINES and not MADE_BY_A_TOOL.search(text):
        yield len(lines), f"{len(lines)} lines; a file stops at {MAX_FILE_LINES}"
    for number, line in enumerate(lines, 1):
        if len(line) > MAX_COLUMNS:
            yield number, f"{len(line)} columns; a line stops at {MAX_COLUMNS}"


def check_functions(code):
    for first, last in functions(code):
        length = last - first + 1
        if length > MAX_FUNCTION_LINES:
            yield first, f"a function of {length} lines; one stops at {MAX_FUNCTION_LINES}"


def check_real_time(path, text):
    """No test depends on the clock of the machine; tests/programs/ has no tests."""
    if not path.startswith("tests/") or path.startswith("tests/programs/") or path == WAITS:
        return
    is_of_page = PurePosixPath(path).suffix in PAGE
    patterns = [WEB_TIME] if is_of_page else [REAL_TIME, TIME_LIMIT]
    for number, line in enumerate(text.splitlines(), 1):
        match = next(filter(None, (pattern.search(line) for pattern in patterns)), None)
        if match and REASON_FOR_REAL_TIME not in line:
            yield number, (f"a test waits for a condition ({WAITS}), as long as its patience, or "
                           f"has virtual time; else say "
                           f"`{REASON_FOR_REAL_TIME}why` on the line: {match.group()}")


def prose_of(path, text):
    """What is written for readers: a document without its code, or the comments of a program."""
    suffix = PurePosixPath(path).suffix
    def blank(match):
        return re.sub(r"[^\n]", " ", match.group())
    if suffix == ".md":
        return FENCE_OR_CODE.sub(blank, text)
    if suffix in CODE | PAGE:
        comments = [match for match in TOKEN.finditer(text) if match.lastgroup == "comment"]
    else:
        comments = SCRIPT_TEXT.finditer(text)
    prose, end = [], 0
    for match in comments:
        prose += [re.sub(r"[^\n]", " ", text[end:match.start()]), match.group()]
        end = match.end()
    return "".join(prose)


def check_wording(path, text):
    if path in WORDING_ITSELF:
        return
    prose = prose_of(path, text)
    for pattern, better in WORDINGS:
        for match in pattern.finditer(prose):
            phrase = " ".join(re.findall(r"\w+", match.group()))
            yield line_of(prose, match.start()), f"say it plainly ({better}): {phrase}"


def check_header(path, text):
    if not re.search(r"^#pragma once$", text, re.MULTILINE):
        yield 1, "a header has #pragma once"
    if not text.startswith("//"):
        yield 1, "a header opens with what it is, who calls it and what it costs"


def check_text(path, text):
    """All findings in one file, as (line, text)."""
    findings = []
    for number, line in enumerate(text.splitlines(), 1):
        if UNFINISHED.search(line):
            findings.append((number, "unfinished work belongs in an issue, not in the tree"))
        if MACHINE_PATH.search(line):
            findings.append((number, "the path of one machine"))
    findings += check_real_time(path, text)
    findings += check_wording(path, text)
    suffix = PurePosixPath(path).suffix
    if suffix in CODE | {".py"}:
        findings += check_sizes(path, text)
    if suffix in CODE:
        code = code_only(text)
        findings += check_includes(path, text)
        findings += check_namespaces(path, code)
        findings += check_determinism(path, code)
        findings += check_functions(code)
    if suffix == ".hpp":
        findings += check_header(path, text)
    return findings + check_name(path)


def check_name(path):
    pure = PurePosixPath(path)
    findings = []
    if pure.suffix in FOREIGN_NAMES:
        findings.append((1, "C++ files end in .hpp or .cpp"))
    if pure.suffix in CODE and not re.fullmatch(r"[a-z][a-z0-9_]*", pure.stem):
        findings.append((1, "file names are snake_case"))
    if (room := room_of(path)) is not None and row_of(room) is None:
        findings.append((1, f"{room} is no room of docs/architecture.md"))
    return findings


def files(root):
    for path in sorted(root.iterdir()):
        if path.is_file() and path.suffix in TEXT and path.name != ".git":
            yield path
    for folder in TEXT_FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            inside = path.relative_to(root).parts[:-1]
            if path.is_file() and path.suffix in TEXT and not SKIPPED.intersection(inside):
                yield path


def main(root):
    count = breaches = 0
    for path in files(root):
        name = path.relative_to(root).as_posix()
        count += 1
        text = path.read_text(encoding="utf-8", errors="replace")
        for line, finding in sorted(check_text(name, text)):
            breaches += 1
            print(f"{name}:{line}: {finding}")
    modules = {path.relative_to(root).as_posix(): path.read_text(encoding="utf-8")
               for path in sorted((root / "web/src").rglob("*.ts"))}
    for name, finding in page_modules.findings(modules):
        breaches += 1
        print(f"{name}:1: {finding}")
    print(f"convention check: {count} files, {breaches} findings")
    return 1 if breaches or count == 0 else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parents[1])))
