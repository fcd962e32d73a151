// The FIX gateway of `damrak serve` with TLS, in both wirings: accepted and refused clients, with
// certificates made by the test, replaced while the exchange runs.
#include <chrono>
#include <filesystem>
#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <damrak/client/fix_client.hpp>
#include <damrak/net/tls_tcp.hpp>

#include "raw_binary.hpp"
#include "support/fix_client.hpp"
#include "support/run_program.hpp"
#include "support/running_server.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::fix_tls_test {
namespace {

using fix_codec::MessageWriter;
using net::TlsContext;
using net::TlsFiles;
using net::TlsTcp;
using ::testing::HasSubstr;
using testing::RawClient;
using testing::run_program;
using testing::RunningServer;
namespace tag = fix_codec::tag;

/// Sends an order, and keeps how it stands.
struct Trader {
    std::string status{};
    void on_logon(auto& session) {
        session.send("D", session.now(), [&](MessageWriter& order) {
            order.put(tag::cl_ord_id, session.now().value)
                .put(tag::symbol, "TEST")
                .put_char(tag::side, '1');
            order.put_timestamp(tag::transact_time, session.now(),
                                fix_codec::TimePrecision::milliseconds);
            order.put(tag::order_qty, 100).put_char(tag::ord_type, '2').put(tag::price, "10.01");
        });
    }
    session::fix::Reply on_message(auto& session, const fix_codec::Message& report) {
        status = report.text_or_empty(tag::ord_status);
        session.logout("done", session.now());
        return session::fix::Reply::accept();
    }
    void on_logout(auto&, session::fix::Ended, std::string_view) {}
};

class FixTls : public ::testing::TestWithParam<const char*> {
  protected:
    static void SetUpTestSuite() {
        made_folder = std::make_unique<testing::ScratchFolder>();
        for (const char* const name : {"ca", "other-ca"})
            shell(
                "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes "
                "-days 2 -subj /CN={0} -keyout {0}.key -out {0}.pem",
                name);
        make_certificate("exchange", "ca");
        make_certificate("moved", "other-ca");
        make_certificate("client", "ca");
        make_certificate("stranger", "other-ca");
    }
    static void TearDownTestSuite() { made_folder.reset(); }

    static void make_certificate(const std::string& name, const std::string& authority) {
        shell(
            "openssl req -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes "
            "-subj /CN={0} -keyout {0}.key -out {0}.csr && "
            "printf 'subjectAltName=DNS:localhost,DNS:exchange.test,IP:127.0.0.1\n' > {0}.ext && "
            "openssl x509 -req -in {0}.csr -CA {1}.pem -CAkey {1}.key -CAcreateserial -days 2 "
            "-extfile {0}.ext -out {0}.pem",
            name, authority);
    }
    template <class... Values>
    static void shell(std::string_view script, const Values&... values) {
        const auto run = testing::run_shell(fmt::format(
            "cd '{}' && {}", made("").string(), fmt::format(fmt::runtime(script), values...)));
        ASSERT_EQ(run.exit_code, 0) << run.err;
    }
    [[nodiscard]] static std::filesystem::path made(const std::string& name) {
        return made_folder->path() / name;
    }

    /// The exchange has its certificate and key as "own.pem" and "own.key".
    void give(const std::string& name) const {
        for (const char* const end : {".pem", ".key"})
            std::filesystem::copy_file(made(name + end), own(end),
                                       std::filesystem::copy_options::overwrite_existing);
    }
    [[nodiscard]] std::string own(const std::string& end) const { return folder_ / ("own" + end); }
    [[nodiscard]] std::unique_ptr<RunningServer> serve(std::vector<std::string> more = {}) const {
        more.insert(more.end(),
                    {"--only", "fix,binary", "--wiring", GetParam(), "--fix-tls-certificate",
                     own(".pem"), "--fix-tls-key", own(".key")});
        return std::make_unique<RunningServer>(folder_ / "data", log_, std::move(more));
    }

    /// Order status for a client that trusts `authority`, or the error.
    static std::string trade(const RunningServer& server, const std::string& authority,
                             const std::string& name = "localhost",
                             const std::string& certificate = {}) {
        TlsFiles files{.authorities = made(authority + ".pem")};
        if (!certificate.empty()) {
            files.certificate = made(certificate + ".pem");
            files.key = made(certificate + ".key");
        }
        auto context = TlsContext::initiator(files, name);
        if (!context) return context.error();
        Trader trader;
        session::fix::MemoryStore store;
        client::FixClientSettings settings{.port = server.fix_port(), .reconnect = false};
        settings.session.name = {.sender_comp_id = "T", .target_comp_id = "DAMRAK"};
        settings.session.reset_on_logon = true;
        using Client = client::FixClient<Trader, session::fix::MemoryStore, TlsTcp>;
        auto client = Client::make(trader, store, settings, TlsTcp{*std::move(context)});
        if (!client) return client.error();
        (*client)->run([] { return false; });
        return trader.status.empty() ? (*client)->trouble() : trader.status;
    }

    static inline std::unique_ptr<testing::ScratchFolder> made_folder;
    testing::ScratchFolder folder_;
    std::string log_ = folder_ / "log";
};

INSTANTIATE_TEST_SUITE_P(Wirings, FixTls, ::testing::Values("inline", "pipelined"),
                         [](const auto& of) { return std::string{of.param}; });

TEST_P(FixTls, IsForThoseWhoTrustTheExchange) {
    give("exchange");
    const auto server = serve();
    EXPECT_EQ(trade(*server, "ca"), "0");
    EXPECT_EQ(trade(*server, "ca", "exchange.test"), "0");
    EXPECT_EQ(trade(*server, "ca", "127.0.0.1"), "0");
}

TEST_P(FixTls, IsRefusedByThoseWhoDoNot) {
    give("exchange");
    const auto server = serve();
    EXPECT_THAT(trade(*server, "other-ca"), HasSubstr("peer certificate: "));
    EXPECT_THAT(trade(*server, "ca", "elsewhere.test"), HasSubstr("hostname mismatch"));
    testing::FixClient plain{"FIX.4.4", "PLAIN"};
    EXPECT_FALSE(plain.connect(server->fix_port()));
    EXPECT_THAT(server->log_with("no TLS"), HasSubstr("ended: no TLS handshake: "));
}

TEST_P(FixTls, HasForwardSecrecy) {
    give("exchange");
    const auto server = serve();
    const auto shakes_hands = [&](std::string_view suite) {
        const auto run = testing::run_shell(
            fmt::format("openssl s_client -connect 127.0.0.1:{} -tls1_2 -cipher {} </dev/null",
                        server->fix_port(), suite));
        return run.exit_code == 0;
    };
    EXPECT_TRUE(shakes_hands("ECDHE-ECDSA-AES128-GCM-SHA256"));
    EXPECT_FALSE(shakes_hands("ECDHE-ECDSA-AES128-SHA256"));  // encrypts before it authenticates
}

TEST_P(FixTls, MayAskClientsForTheirCertificates) {
    give("exchange");
    const auto server = serve({"--fix-tls-client-ca", made("ca.pem")});
    // It hears why where the alert comes before the end.
    const std::string closed = "the other side closed the connection";
    EXPECT_THAT(trade(*server, "ca"), HasSubstr(closed));
    EXPECT_THAT(trade(*server, "ca", "localhost", "stranger"), HasSubstr(closed));
    EXPECT_THAT(server->log_with("peer certificate"), HasSubstr("no TLS handshake"));
    EXPECT_EQ(trade(*server, "ca", "localhost", "client"), "0");
}

TEST_P(FixTls, TakesNewCertificatesWithoutAnEnd) {
    give("exchange");
    const auto server = serve();
    EXPECT_EQ(trade(*server, "ca"), "0");
    give("moved");
    server->ask_to_reload();
    EXPECT_THAT(server->log_with("reloaded "), HasSubstr("reloaded "));
    EXPECT_THAT(trade(*server, "ca"), HasSubstr("peer certificate"));
    EXPECT_EQ(trade(*server, "other-ca"), "0");
    std::ofstream{own(".pem")} << "nothing\n";
    server->ask_to_reload();
    EXPECT_THAT(server->log_with("not reloaded"), HasSubstr("certificate " + own(".pem") + ": "));
    EXPECT_EQ(trade(*server, "other-ca"), "0") << "the last one holds";
}

TEST_P(FixTls, EndlessHandshakesHoldUpNoOther) {
    give("exchange");
    const auto server = serve();
    std::vector<std::unique_ptr<RawClient>> stuck;
    for (int i = 0; i < 100; ++i) {
        stuck.push_back(std::make_unique<RawClient>(server->fix_port()));
        // The head of a ClientHello of 512 bytes, and the first few of them.
        stuck.back()->send_hex("16030102 00010001 fc0303");
    }
    const RawClient binary{server->port()};
    const testing::Login login = testing::hello(binary);
    EXPECT_EQ(login.status, 1U);
    for (std::uint32_t i = 2; i < 200; ++i)
        ASSERT_EQ(testing::place(binary, i, login.client, {.quantity = 1, .instrument = 4}).status,
                  1U);
    EXPECT_EQ(trade(*server, "ca"), "0");
}

TEST_P(FixTls, IsSpokenByTheProgram) {
    give("exchange");
    const auto server = serve();
    const std::string port = fmt::format("{}", server->fix_port());
    const auto load = run_program({"load", "--gateway", "fix", "--host", "localhost", "--port",
                                   port, "--tls-ca", made("ca.pem"), "--clients", "3", "--seconds",
                                   "0.3", "--at-least", "50", "--warm-up", "0"});
    EXPECT_EQ(load.exit_code, 0) << load.err;
    const auto refused = run_program({"load", "--gateway", "fix", "--host", "localhost", "--port",
                                      port, "--tls-ca", made("other-ca.pem"), "--seconds", "0.1"});
    EXPECT_EQ(refused.exit_code, 1);
    EXPECT_THAT(refused.err, HasSubstr("peer certificate"));
    const auto term = run_program(
        {"term", "--fix", "--host", "localhost", "--port", port, "--tls-ca", made("ca.pem")},
        "buy 5 TEST 9.5\nquit\n");
    EXPECT_EQ(term.exit_code, 0) << term.err;
    EXPECT_THAT(term.out, HasSubstr("9.5")) << term.err;
}

TEST_P(FixTls, IsMissedWhereTheExchangeHasNone) {
    const RunningServer server{folder_ / "data", log_, {"--only", "fix", "--wiring", GetParam()}};
    EXPECT_THAT(trade(server, "ca"),
                HasSubstr("before the handshake was done; does it speak TLS?"));
}

TEST(FixTlsSettings, SayWhichFileWillNotDoAndWhy) {
    const testing::ScratchFolder folder;
    const std::string file = folder / "exchange.toml";
    const auto refused = [&](const std::string& text) {
        std::ofstream{file} << "[fix.tls]\n" << text;
        const auto run = run_program({"serve", "--config", file, "--data", folder / "data"});
        EXPECT_EQ(run.exit_code, 1);
        return run.err;
    };
    EXPECT_THAT(refused("certificate = \"none.pem\"\nkey = \"none.key\"\n"),
                HasSubstr("certificate none.pem: No such file or directory"));
    EXPECT_THAT(refused("certificate = \"none.pem\"\n"), HasSubstr("and its key belong together"));
    EXPECT_THAT(refused("client_ca = \"ca.pem\"\n"), HasSubstr("needs a certificate"));
    EXPECT_FALSE(std::filesystem::exists(folder / "data")) << "nothing was opened";
}

}  // namespace
}  // namespace damrak::fix_tls_test
