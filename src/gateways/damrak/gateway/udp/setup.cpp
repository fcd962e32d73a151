#include <damrak/gateway/udp/setup.hpp>

#include <bit>
#include <charconv>
#include <random>
#include <string_view>
#include <system_error>

#include <arpa/inet.h>

namespace damrak::gateway::udp {

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

UdpGatewayConfig udp_config(const Settings& settings) {
    std::random_device chance;
    const auto& udp = settings.of<UdpSettings>();
    InstrumentId instrument{udp.instrument};
    if (!instrument)
        instrument = settings.instruments && !settings.instruments->empty()
                         ? settings.instruments->front().definition.id
                         : InstrumentId{1};
    return {.instrument = instrument,
            .maximum_sources = udp.sources,
            .maximum_anonymous = udp.anonymous_sources,
            .source_timeout_ns = std::int64_t{udp.source_timeout_s} * 1'000'000'000,
            .cancel_on_silence = settings.cancel_on_disconnect,
            .messages_per_second = settings.messages_per_second,
            .burst_messages = settings.burst(),
            .reply_to = reply_end(udp.reply_to).value_or(net::Endpoint{}),
            .salt = std::uint64_t{chance()} << 32U | chance()};
}

std::expected<net::AnyPath, std::string> open_udp_path(const Settings& settings) {
    const auto& udp = settings.of<UdpSettings>();
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

}  // namespace damrak::gateway::udp
