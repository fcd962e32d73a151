#include "serve/udp.hpp"

#include <cstddef>

#include <fmt/format.h>

#include <damrak/exchange/udp.hpp>
#include <damrak/udp_gateway/udp_clients.hpp>

#include "serve/config.hpp"

namespace damrak::app {

void read_udp(ConfigTable& root, UdpSettings& settings) {
    auto udp = root.section("udp");
    if (!udp) return;
    if (const auto chosen =
            udp->word("path", {exchange::k_udp_paths.begin(), exchange::k_udp_paths.end()}))
        settings.path = static_cast<net::PathChoice>(*chosen);
    udp->text("interface", settings.interface);
    if (const auto chosen =
            udp->word("mode", {exchange::k_xdp_modes.begin(), exchange::k_xdp_modes.end()}))
        settings.mode = static_cast<net::XdpMode>(*chosen);
    udp->flag("prefer_busy_poll", settings.prefer_busy_poll);
    udp->integer("queues", settings.queues, 0, 64);
    udp->flag("verify_checksum", settings.verify_checksum);
    udp->integer("receive_frames", settings.receive_frames, 64, 65'536);
    udp->integer("send_frames", settings.send_frames, 64, 65'536);
    udp->integer("instrument", settings.instrument, 0);
    udp->text("reply_to", settings.reply_to);
    if (!settings.reply_to.empty() && !exchange::reply_end(settings.reply_to))
        udp->refuse("reply_to", fmt::format("expected {}", exchange::k_reply_end_wanted));
    udp->integer("sources", settings.sources, 1, gateway::UdpClients::k_maximum_sources);
    udp->integer("anonymous_sources", settings.anonymous_sources, 0,
                 gateway::UdpClients::k_maximum_sources);
    udp->integer("source_timeout_s", settings.source_timeout_s, 1, 1'000'000);
    udp->finish();
}

std::string udp_text(const UdpSettings& settings) {
    return fmt::format(
        "\n[udp]\npath = \"{}\"\ninterface = {}\nmode = \"{}\"\nprefer_busy_poll = {}\n"
        "queues = {}\nverify_checksum = {}\nreceive_frames = {}\nsend_frames = {}\ninstrument = "
        "{}\nreply_to = "
        "{}\nsources = {}\nanonymous_sources = {}\nsource_timeout_s = {}\n",
        exchange::k_udp_paths.at(static_cast<std::size_t>(settings.path)),
        toml_text(settings.interface),
        exchange::k_xdp_modes.at(static_cast<std::size_t>(settings.mode)),
        settings.prefer_busy_poll, settings.queues, settings.verify_checksum,
        settings.receive_frames, settings.send_frames, settings.instrument,
        toml_text(settings.reply_to), settings.sources, settings.anonymous_sources,
        settings.source_timeout_s);
}

}  // namespace damrak::app
