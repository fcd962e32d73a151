#include <damrak/gateway/udp/udp_settings.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <iterator>
#include <span>
#include <string>

#include <arpa/inet.h>
#include <fmt/format.h>
#include <net/if.h>

#include <damrak/gateway/udp/setup.hpp>
#include <damrak/gateway/udp/udp_clients.hpp>
#include <damrak/net/address.hpp>

namespace damrak::gateway::udp {

namespace {

using Source = Identities::Source;

// "10.0.0.7" or "10.0.0.7:4000", "fd00::7" or "[fd00::7]:4000".
std::optional<Source> parse_source(const std::string& text) {
    Source source{};
    if (inet_pton(AF_INET6, text.c_str(), source.first.data()) == 1) return source;
    const std::size_t colon = text.rfind(':');
    const std::string host = text.substr(0, colon);
    std::array<std::uint8_t, 4> address{};
    if (host.starts_with('[') && host.ends_with(']')) {
        const std::string inner = host.substr(1, host.size() - 2);
        if (inet_pton(AF_INET6, inner.c_str(), source.first.data()) != 1) return {};
    } else {
        if (inet_pton(AF_INET, host.c_str(), address.data()) != 1) return {};
        source = Identities::source_of(address, 0);
    }
    if (colon == std::string::npos) return source;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data() + colon + 1, end, source.second);
    if (error != std::errc{} || stop != end || source.second == 0) return {};
    return source;
}

std::string source_text(const Source& source) {
    const auto& [address, port] = source;
    const auto of_ipv4 = std::span{address}.last<4>();
    std::array<std::uint8_t, 4> plain{};
    std::ranges::copy(of_ipv4, plain.begin());
    std::array<char, INET6_ADDRSTRLEN> text{};
    if (Identities::source_of(plain, port) == source)
        ::inet_ntop(AF_INET, plain.data(), text.data(), text.size());
    else
        ::inet_ntop(AF_INET6, address.data(), text.data(), text.size());
    return port == 0 ? std::string{text.data()} : net::host_and_port(text.data(), port);
}

std::optional<SettingValue> sources_of(const ParticipantSettings& one) {
    const auto& sources = one.of<UdpSources>().all;
    if (sources.empty()) return {};
    std::vector<std::string> texts;
    for (const Source& source : sources) texts.push_back(source_text(source));
    return texts;
}

std::string set_sources(ParticipantSettings& one, const SettingValue& value) {
    auto& sources = one.of<UdpSources>().all;
    sources.clear();
    for (const std::string& text : std::get<std::vector<std::string>>(value)) {
        const auto source = parse_source(text);
        if (!source)
            return fmt::format(R"(expected IP addresses, with or without a port, such as )"
                               R"("10.0.0.7:4000" or "[fd00::7]:4000"; found "{}")",
                               text);
        sources.push_back(*source);
    }
    return {};
}

void add_source_rows(Rows<ParticipantSettings>& rows) {
    rows.custom(SettingKind::texts, "udp_sources", sources_of, set_sources,
                "IP addresses of the participant over UDP, with or without a port")
        .by_reload();
}

std::int64_t count_sources(const Settings& settings) {
    std::int64_t count = 0;
    for (const ParticipantSettings& one : settings.participants)
        count += std::ssize(one.of<UdpSources>().all);
    return count;
}

void add_sources_to(Identities& identities, const Settings& settings) {
    for (const ParticipantSettings& one : settings.participants)
        for (const Source& source : one.of<UdpSources>().all) identities.add_source(source, one.id);
}

std::optional<Misfit> sources_clash(const ParticipantSettings& one,
                                    const ParticipantSettings& other) {
    if (!share_any(one.of<UdpSources>().all, other.of<UdpSources>().all)) return {};
    return Misfit{"udp_sources", "another participant has one of them already"};
}

}  // namespace

const CredentialKind k_udp_sources{.name = "UDP source",
                                   .add_rows = add_source_rows,
                                   .count = count_sources,
                                   .add_to = add_sources_to,
                                   .clash = sources_clash};

std::optional<Misfit> check_udp(const Settings& settings) {
    if (!settings.port("udp")) return {};
    const auto& udp = settings.of<UdpSettings>();
    if (!udp.interface.empty() && ::if_nametoindex(udp.interface.c_str()) == 0)
        return Misfit{"udp.interface",
                      fmt::format("there is no network interface '{}'", udp.interface)};
    if (udp.path == net::PathChoice::xdp && udp.interface.empty())
        return Misfit{"udp.path", "AF_XDP needs udp.interface, the name of a network interface"};
    const auto& instruments = settings.instruments;
    const auto is_it = [&](const InstrumentSettings& one) {
        return one.definition.id.value == udp.instrument;
    };
    if (udp.instrument != 0 && instruments && std::ranges::none_of(*instruments, is_it))
        return Misfit{"udp.instrument", fmt::format("there is no instrument {}", udp.instrument)};
    return {};
}

void add_udp_rows(Rows<Settings>& rows) {
    using U = UdpSettings;
    const auto udp = [](auto member) { return at(k_own<UdpSettings>, member); };
    constexpr std::int64_t k_most_sources = UdpClients::k_maximum_sources;
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

}  // namespace damrak::gateway::udp
