// The live page as `damrak serve` delivers it: complete, from the program alone, and with the
// headers that keep foreign scripts out.
#include <regex>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/run_program.hpp"
#include "support/running_server.hpp"
#include "telemetry_run.hpp"

namespace damrak::testing::page_test {
namespace {

using ::testing::AllOf;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

class Page : public ServeRun {
  protected:
    void SetUp() override { serve({"--only", "http", "--http-port", "0"}); }
    static std::string etag_of(const std::string& answer) {
        std::smatch found;
        return std::regex_search(answer, found, std::regex{"ETag: (W/\"[0-9a-f]{16}\")\r\n"})
                   ? found[1].str()
                   : "";
    }
};

TEST_F(Page, IsPartOfTheProgram) {
    const std::string document = get("/");
    EXPECT_THAT(document, AllOf(StartsWith("HTTP/1.1 200"), EndsWith("</html>\n"),
                                HasSubstr("Content-Type: text/html; charset=utf-8\r\n"),
                                HasSubstr("src=\"/page.js\""), HasSubstr("href=\"/page.css\"")));
    EXPECT_THAT(get("/page.js"),
                AllOf(StartsWith("HTTP/1.1 200"),
                      HasSubstr("Content-Type: text/javascript; charset=utf-8\r\n"),
                      HasSubstr("/v1/stream")));
    EXPECT_THAT(get("/page.css"), AllOf(StartsWith("HTTP/1.1 200"),
                                        HasSubstr("Content-Type: text/css; charset=utf-8\r\n")));
}

TEST_F(Page, LetsTheBrowserLoadNothingElse) {
    const std::string document = get("/");
    EXPECT_THAT(document, HasSubstr("X-Content-Type-Options: nosniff\r\n"));
    EXPECT_THAT(document, HasSubstr("Content-Security-Policy: default-src 'self'; "));
    EXPECT_THAT(document, Not(HasSubstr("unsafe-inline")));
    EXPECT_THAT(document, HasSubstr("frame-ancestors 'self'"));
    EXPECT_THAT(get("/page.js"), HasSubstr("X-Content-Type-Options: nosniff\r\n"));
    EXPECT_THAT(get("/health"), HasSubstr("X-Content-Type-Options: nosniff\r\n"));
}

TEST_F(Page, IsSentAgainOnlyIfItChanged) {
    for (const char* const path : {"/", "/page.js", "/page.css"}) {
        const std::string etag = etag_of(get(path));
        ASSERT_NE(etag, "") << path;
        const std::string again = get(path, "If-None-Match: " + etag + "\r\n");
        EXPECT_THAT(again, AllOf(StartsWith("HTTP/1.1 304"), EndsWith("\r\n\r\n"))) << path;
        EXPECT_THAT(get(path, "If-None-Match: \"0\"\r\n"), StartsWith("HTTP/1.1 200")) << path;
    }
}

TEST_F(Page, IsSentCompressedToThoseWhoTakeIt) {
    const ProgramRun run = run_shell(fmt::format(
        R"(python3 -c '
import gzip, urllib.request
def get(path, codings):
    headers = {{"Accept-Encoding": codings}}
    request = urllib.request.Request("http://localhost:{}" + path, headers=headers)
    with urllib.request.urlopen(request) as answer:
        assert answer.headers["Vary"] == "Accept-Encoding"
        return answer.headers["Content-Encoding"], answer.read()
total = 0
for path in ("/", "/page.js", "/page.css"):
    coding, small = get(path, "br, gzip")
    assert coding == "gzip" and get(path, "gzip;q=0") == (None, gzip.decompress(small)), path
    total += len(small)
print("kB", total // 1000)
')",
        http_));
    EXPECT_EQ(run.exit_code, 0) << run.err;
    EXPECT_THAT(run.out, ::testing::MatchesRegex("kB [1-6]?[0-9]\n"));
}

TEST_F(Page, HasNoOtherFiles) {
    for (const char* const path :
         {"/index.html", "//", "/page.js/", "/page.jsx", "/../page.js", "/%2e%2e/etc/passwd",
          "/page.css/../../operator-token", "/.page.js", "/web/dist/page.js"})
        EXPECT_THAT(get(path), StartsWith("HTTP/1.1 404")) << path;
}

}  // namespace
}  // namespace damrak::testing::page_test
