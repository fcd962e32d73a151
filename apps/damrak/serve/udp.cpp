#include "serve/udp.hpp"

#include <bit>
#include <charconv>
#include <random>
#include <string_view>
#include <system_error>

#include <arpa/inet.h>
#include <fmt/format.h>

#include <damrak/views/udp_clients.hpp>

#include "serve/config.hpp"

namespace damrak::app {

void read_udp(ConfigTable& root, UdpSettings& settings) {
    auto udp = root.section("udp");
    if (!udp) return;
    if (const auto chosen = udp->word("path", {k_udp_paths.begin(), k_udp_paths.end()}))
        settings.path = static_cast<net::PathChoice>(*chosen);
    udp->text("interface", settings.interface);
    if (const auto chosen = udp->word("mode", {k_xdp_modes.begin(), k_xdp_modes.end()}))
        settings.mode = static_cast<net::XdpMode>(*chosen);
    udp->flag("prefer_busy_poll", settings.prefer_busy_poll);
    udp->integer("queues", settings.queues, 0, 64);
    udp->flag("verify_checksum", settings.verify_checksum);
    udp->integer("receive_frames", settings.receive_frames, 64, 65'536);
    udp->integer("send_frames", settings.send_frames, 64, 65'536);
    udp->integer("instrument", settings.instrument, 0);
    udp->text("reply_to", settings.reply_to);
    if (!settings.reply_to.empty() && !reply_end(settings.reply_to))
        udp->refuse("reply_to", fmt::format("expected {}", k_reply_end_wanted));
    udp->integer("sources", settings.sources, 1, views::UdpClients::k_maximum_sources);
    udp->integer("anonymous_sources", settings.anonymous_sources, 0,
                 views::UdpClients::k_maximum_sources);
    udp->integer("source_timeout_s", settings.source_timeout_s, 1, 1'000'000);
    udp->finish();
}

std::string udp_text(const UdpSettings& settings) {
    return fmt::format(
        "\n[udp]\npath = \"{}\"\ninterface = {}\nmode = \"{}\"\nprefer_busy_poll = {}\n"
        "queues = {}\nverify_checksum = {}\nreceive_frames = {}\nsend_frames = {}\ninstrument = "
        "{}\nreply_to = "
        "{}\nsources = {}\nanonymous_sources = {}\nsource_timeout_s = {}\n",
        k_udp_paths.at(static_cast<std::size_t>(settings.path)), toml_text(settings.interface),
        k_xdp_modes.at(static_cast<std::size_t>(settings.mode)), settings.prefer_busy_poll,
        settings.queues, settings.verify_checksum, settings.receive_frames, settings.send_frames,
        settings.instrument, toml_text(settings.reply_to), settings.sources,
        settings.anonymous_sources, settings.source_timeout_s);
}

std::optional<net::Endpoint> reply_end(const std::string& text) {
    net::Endpoint end;
    const auto colon = text.rfind(':');
    const std::string_view port =
        std::string_view{text}.substr(colon == std::string::npos ? 0 : colon + 1);
    const auto read = std::from_chars(port.data(), port.data() + port.size(), end.port);
    const bool sound = read.ec == std::errc{} && read.ptr == port.data() + port.size();
    if (!sound || end.port == 0) return {};
    if (colon != std::string::npos &&
        ::inet_pton(AF_INET, text.substr(0, colon).c_str(), end.address.data()) != 1)
        return {};
    return end;
}

gateway::UdpGatewayConfig udp_config(const ServeSettings& settings) {
    std::random_device chance;
    InstrumentId instrument{settings.udp.instrument};
    if (!instrument)
        instrument = settings.instruments && !settings.instruments->empty()
                         ? settings.instruments->front().definition.id
                         : InstrumentId{1};
    return {.instrument = instrument,
            .maximum_sources = settings.udp.sources,
            .maximum_anonymous = settings.udp.anonymous_sources,
            .source_timeout_ns = std::int64_t{settings.udp.source_timeout_s} * 1'000'000'000,
            .cancel_on_silence = settings.cancel_on_disconnect,
            .messages_per_second = settings.messages_per_second,
            .burst_messages = settings.burst_messages == 0 ? settings.messages_per_second
                                                           : settings.burst_messages,
            .reply_to = reply_end(settings.udp.reply_to).value_or(net::Endpoint{}),
            .salt = std::uint64_t{chance()} << 32U | chance()};
}

std::expected<net::AnyPath, std::string> open_udp_path(const ServeSettings& settings) {
    const UdpSettings& udp = settings.udp;
    const auto colon = udp.reply_to.find(':');
    return net::AnyPath::open(
        {.choice = udp.path,
         .interface = udp.interface,
         .address = udp.interface.empty() ? settings.numeric_address : "",
         .port = settings.port("udp").value_or(0),
         .mode = udp.mode,
         .prefer_busy_poll = udp.prefer_busy_poll,
         .queues = udp.queues,
         .receive_frames = std::bit_ceil(udp.receive_frames),
         .send_frames = std::bit_ceil(udp.send_frames),
         .verify_checksum = udp.verify_checksum,
         .neighbour = colon == std::string::npos ? "" : udp.reply_to.substr(0, colon)});
}

}  // namespace damrak::app
