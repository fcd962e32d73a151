// HTTP over TLS with a configured certificate: queries, the live stream, and what is wrong with
// files that cannot be used. The client is Python's own.
#include <filesystem>
#include <fstream>
#include <string>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/run_program.hpp"
#include "telemetry_run.hpp"

namespace damrak::testing::http_tls_test {
namespace {

using ::testing::HasSubstr;

class HttpTls : public ServeRun {
  protected:
    HttpTls() {
        const ProgramRun made = run_shell(fmt::format(
            "openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost "
            "-addext subjectAltName=DNS:localhost -keyout {0}/key.pem -out {0}/cert.pem",
            folder()));
        EXPECT_EQ(made.exit_code, 0) << made.err;
    }
    [[nodiscard]] std::string folder() const { return scratch_.path().string(); }
    /// Runs statements of Python with a verified TLS connection `s`.
    [[nodiscard]] ProgramRun client(const std::string& statements) const {
        const std::string script = folder() + "/client.py";
        std::ofstream{script} << fmt::format(
            "import socket, ssl\n"
            "context = ssl.create_default_context(cafile='{}/cert.pem')\n"
            "s = context.wrap_socket(socket.create_connection(('localhost', {}), 10),\n"
            "                        server_hostname='localhost')\n"
            "{}\n",
            folder(), http_, statements);
        return run_shell("python3 " + script);
    }

    ScratchFolder scratch_;
};

TEST_F(HttpTls, EncryptsQueriesAndTheStream) {
    serve({"--only", "http", "--http-port", "0", "--http-tls-certificate", folder() + "/cert.pem",
           "--http-tls-key", folder() + "/key.pem"});
    const ProgramRun query = client(
        "s.sendall(b'GET /health HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: "
        "close\\r\\n\\r\\n')\n"
        "text = b''\n"
        "while part := s.recv(65536): text += part\n"
        "print(s.version(), text.decode())");
    EXPECT_EQ(query.exit_code, 0) << query.err;
    EXPECT_THAT(query.out, HasSubstr("TLSv1.3 HTTP/1.1 200 OK"));
    EXPECT_THAT(query.out, HasSubstr("\"status\""));
    const ProgramRun stream = client(
        "s.sendall(b'GET /v1/stream HTTP/1.1\\r\\nHost: localhost\\r\\nUpgrade: websocket\\r\\n'\n"
        "          b'Connection: Upgrade\\r\\nSec-WebSocket-Version: 13\\r\\n'\n"
        "          b'Sec-WebSocket-Key: AQIDBAUGBwgJCgsMDQ4PEA==\\r\\n\\r\\n')\n"
        "text = b''\n"
        "while b'hello' not in text: text += s.recv(65536)\n"
        "print(text)");
    EXPECT_EQ(stream.exit_code, 0) << stream.err;
    EXPECT_THAT(stream.out, HasSubstr("HTTP/1.1 101"));
    // Without TLS nothing is answered, and nobody else is disturbed.
    EXPECT_EQ(get("/health"), "");
    EXPECT_EQ(client("s.close()").exit_code, 0);
}

TEST_F(HttpTls, HasForwardSecrecy) {
    serve({"--only", "http", "--http-port", "0", "--http-tls-certificate", folder() + "/cert.pem",
           "--http-tls-key", folder() + "/key.pem"});
    const auto shakes_hands = [this](std::string_view suite) {
        const ProgramRun run =
            run_shell(fmt::format("openssl s_client -connect 127.0.0.1:{} -tls1_2 -cipher {} "
                                  "</dev/null",
                                  http_, suite));
        return run.exit_code == 0;
    };
    EXPECT_TRUE(shakes_hands("ECDHE-RSA-AES128-GCM-SHA256"));
    EXPECT_FALSE(shakes_hands("AES128-GCM-SHA256"));        // the key of the certificate reads all
    EXPECT_FALSE(shakes_hands("ECDHE-RSA-AES128-SHA256"));  // encrypts before it authenticates
}

TEST_F(HttpTls, SaysWhichFileCannotBeUsed) {
    const auto refused = run_program({"serve", "--data", folder() + "/data", "--http-port", "0",
                                      "--http-tls-certificate", folder() + "/none.pem",
                                      "--http-tls-key", folder() + "/key.pem"});
    EXPECT_NE(refused.exit_code, 0);
    EXPECT_THAT(refused.err, HasSubstr("--http-tls-certificate"));
    EXPECT_THAT(refused.err, HasSubstr("none.pem"));
}

}  // namespace
}  // namespace damrak::testing::http_tls_test
