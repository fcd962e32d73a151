// A FIX client: logs on, sends one order, tells what became of it, and logs out.
//   build/release/examples/fix_client [PORT] [VERSION] [COMP_ID] [CA.pem]     9878 FIX.4.4 CLIENT1
// Clients that are logged on at the same time have a comp id each. With the certificate of an
// authority the client speaks TLS, and the exchange must have a certificate for localhost by it.
#include <damrak/client/fix_client.hpp>

#include <cstdlib>
#include <string_view>

#include <fmt/format.h>

#include <damrak/net/tls_tcp.hpp>

using namespace damrak;
using namespace damrak::fix_codec;

struct Trader {
    bool answered = false;
    void on_logon(auto& session) {
        session.send("D", session.now(), [&](MessageWriter& order) {
            // No two orders of a client have one name, also not those of two runs: the time is one.
            order.put(tag::cl_ord_id, session.now().value);
            order.put(tag::symbol, "TEST").put_char(tag::side, '1');
            const ApplVersion version = session.appl_version();
            if (version <= ApplVersion::fix43) order.put_char(tag::handl_inst, '1');
            if (version >= ApplVersion::fix42)
                order.put_timestamp(tag::transact_time, session.now(), TimePrecision::milliseconds);
            order.put(tag::order_qty, 100).put_char(tag::ord_type, '2').put(tag::price, "10.01");
        });
    }
    session::fix::Reply on_message(auto& session, const Message& report) {
        fmt::print("order {}: status {}, {} of 100 traded\n", report.text_or_empty(tag::cl_ord_id),
                   report.text_or_empty(tag::ord_status), report.text_or_empty(tag::cum_qty));
        session.logout("done", session.now());
        answered = report.msg_type() == "8";
        return session::fix::Reply::accept();
    }
    void on_logout(auto&, session::fix::Ended, std::string_view) {}
};

template <class Network>
int trade(const client::FixClientSettings& settings, Network network) {
    Trader trader;
    session::fix::MemoryStore store;
    using Client = client::FixClient<Trader, session::fix::MemoryStore, Network>;
    auto client = Client::make(trader, store, settings, std::move(network));
    if (client) (*client)->run([] { return false; });
    if (trader.answered) return 0;
    fmt::print(stderr, "{}\n", client ? (*client)->trouble() : client.error());
    return 1;
}

int main(int argc, char** argv) {
    client::FixClientSettings settings{.reconnect = false};
    settings.port = static_cast<std::uint16_t>(argc > 1 ? std::atoi(argv[1]) : 9'878);
    settings.session.name = {.sender_comp_id = argc > 3 ? argv[3] : "CLIENT1",
                             .target_comp_id = "DAMRAK"};
    const std::string_view version = argc > 2 ? argv[2] : "FIX.4.4";
    BeginString& begin_string = settings.session.name.begin_string;
    begin_string = parse_begin_string(version);
    if (begin_string == BeginString::unknown) begin_string = BeginString::fixt11;
    for (const ApplVersion one : {ApplVersion::fix50, ApplVersion::fix50sp1})
        if (name(one) == version) settings.session.default_appl_version = one;
    settings.session.reset_on_logon = true;
    if (argc <= 4) return trade(settings, net::PlainTcp{});
    auto tls = net::TlsContext::initiator({.authorities = argv[4]}, "localhost");
    if (!tls) return fmt::print(stderr, "{}\n", tls.error()), 1;
    return trade(settings, net::TlsTcp{*std::move(tls)});
}
