// A FIX acceptor: anybody may log on in any version; every order is filled at once at its price.
// Serves until its first client has left.
//
//   build/release/examples/fix_acceptor [PORT] [CERTIFICATE.pem KEY.pem]     9878
// With a certificate the acceptor speaks TLS, and nothing else.
#include <damrak/client/fix_acceptor.hpp>

#include <cstdlib>

#include <fmt/format.h>

#include <damrak/net/tls_tcp.hpp>

using namespace damrak;
using fix_codec::ApplVersion, fix_codec::Message, fix_codec::MessageWriter, session::fix::Reply;
namespace tag = fix_codec::tag;

struct Market {
    void on_logon(auto& session) {
        fmt::print("{} is here\n", session.settings().name.target_comp_id);
    }
    Reply on_message(auto& session, const Message& order) {
        if (order.msg_type() != "D") return Reply::unsupported();
        const auto quantity = order.integer(tag::order_qty);
        const auto price = order.decimal(tag::price, 4);
        if (!quantity) return Reply::reject(tag::order_qty, fix_codec::SessionRejectReason::other);
        if (!price) return Reply::reject(tag::price, fix_codec::SessionRejectReason::other);
        ++executions;
        const auto version = session.appl_version();
        session.send("8", session.now(), [&](MessageWriter& report) {
            report.put_decimal(tag::avg_px, *price, 4);
            report.put(tag::cl_ord_id, order.text_or_empty(tag::cl_ord_id));
            report.put(tag::cum_qty, *quantity).put(tag::exec_id, executions);
            report.put_decimal(tag::last_px, *price, 4).put(tag::last_qty, *quantity);
            report.put(tag::order_id, executions).put_char(tag::ord_status, '2');
            report.put(tag::side, order.text_or_empty(tag::side));
            report.put(tag::symbol, order.text_or_empty(tag::symbol));
            // Required and forbidden fields of a report differ in almost every version.
            if (version <= ApplVersion::fix42) report.put_char(tag::exec_trans_type, '0');
            if (version <= ApplVersion::fix41) report.put(tag::order_qty, *quantity);
            if (version == ApplVersion::fix40) return;
            report.put_char(tag::exec_type, version <= ApplVersion::fix42 ? '2' : 'F');
            report.put(tag::leaves_qty, 0);
        });
        return Reply::accept();
    }
    void on_logout(auto&, session::fix::Ended reason, std::string_view) {
        fmt::print("and left: {}\n", session::fix::text(reason));
        left = true;
    }
    int executions = 0;
    bool left = false;
};

template <class Network>
int serve(const client::FixAcceptorSettings& settings, Network network) {
    Market market;
    using Acceptor = client::FixAcceptor<Market, session::fix::MemoryStore, Network>;
    const auto acceptor = Acceptor::make(market, settings, Acceptor::in_memory, std::move(network));
    if (!acceptor) return fmt::print(stderr, "{}\n", acceptor.error()), 1;
    fmt::print("listening on {}\n", (*acceptor)->port());
    std::fflush(stdout);
    (*acceptor)->run([&] { return market.left; });
    return 0;
}

int main(int argc, char** argv) {
    client::FixAcceptorSettings settings;
    settings.port = static_cast<std::uint16_t>(argc > 1 ? std::atoi(argv[1]) : 9'878);
    session::fix::SessionSettings& anyone = settings.sessions.emplace_back();
    anyone.name = {.begin_string = fix_codec::BeginString::unknown,
                   .sender_comp_id = "DAMRAK",
                   .target_comp_id = "*"};
    if (argc <= 3) return serve(settings, net::PlainTcp{});
    auto tls = net::TlsContext::acceptor({.certificate = argv[2], .key = argv[3]});
    if (!tls) return fmt::print(stderr, "{}\n", tls.error()), 1;
    return serve(settings, net::TlsTcp{*std::move(tls)});
}
