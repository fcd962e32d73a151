#include <damrak/exchange/detail/udp.hpp>

#include <string>

#include <fmt/format.h>

#include <damrak/exchange/detail/settings/sections.hpp>
#include <damrak/udp_gateway/udp_clients.hpp>

namespace damrak::exchange {

void add_udp(Rows<Settings>& rows) {
    using U = UdpSettings;
    const auto udp = [](auto member) { return at(&Settings::udp, member); };
    constexpr std::int64_t k_most_sources = gateway::UdpClients::k_maximum_sources;
    rows.section("udp");
    rows.word("path", udp(&U::path), k_udp_paths,
              "path of datagrams: sockets, AF_XDP, or the best available")
        .by_flag("--udp-path");
    rows.text("interface", udp(&U::interface),
              "network interface for UDP, instead of --address; required by AF_XDP")
        .by_flag("--udp-interface");
    rows.word("mode", udp(&U::mode), k_xdp_modes,
              "AF_XDP: in the driver (native), after it (generic), or auto")
        .by_flag("--udp-xdp-mode");
    rows.truth("prefer_busy_poll", udp(&U::prefer_busy_poll),
               "AF_XDP: receive by polling instead of interrupts");
    rows.number("queues", udp(&U::queues), 0, 64,
                "AF_XDP: number of queues; 0: all of the interface");
    rows.truth("verify_checksum", udp(&U::verify_checksum),
               "AF_XDP: verify UDP checksums; false if the card does");
    rows.number("receive_frames", udp(&U::receive_frames), 64, 65'536,
                "AF_XDP: receive frames of 2 KiB per queue; rounded up to a power of two");
    rows.number("send_frames", udp(&U::send_frames), 64, 65'536,
                "AF_XDP: send frames per queue; rounded up to a power of two");
    rows.number("instrument", udp(&U::instrument), 0, k_most_uint32,
                "instrument of the public formats; 0: the first");
    rows.text("reply_to", udp(&U::reply_to),
              "destination of trades of the public formats: a port, or an address and a port; "
              "empty: the source of the order")
        .by_flag("--udp-reply-to")
        .checked([](const std::string& text) {
            return text.empty() || reply_end(text) ? ""
                                                   : fmt::format("expected {}", k_reply_end_wanted);
        });
    rows.number("sources", udp(&U::sources), 1, k_most_sources, "maximum number of known senders");
    rows.number("anonymous_sources", udp(&U::anonymous_sources), 0, k_most_sources,
                "of them anonymous, if participants have identities; 0: half");
    rows.number("source_timeout_s", udp(&U::source_timeout_s), 1, 1'000'000,
                "a silent sender without open orders is forgotten after this");
}

}  // namespace damrak::exchange
