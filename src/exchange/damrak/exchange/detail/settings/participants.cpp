#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <arpa/inet.h>
#include <fmt/format.h>

#include <damrak/exchange/detail/settings/ouch.hpp>
#include <damrak/exchange/detail/settings/sections.hpp>
#include <damrak/exchange/settings_table.hpp>
#include <damrak/net/address.hpp>
#include <damrak/ouch_gateway/ouch_tag.hpp>
#include <damrak/wire/binary/api_key.hpp>

namespace damrak::exchange {

namespace {

using P = ParticipantSettings;
using Source = gateway::Identities::Source;

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
        source = gateway::Identities::source_of(address, 0);
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
    if (gateway::Identities::source_of(plain, port) == source)
        ::inet_ntop(AF_INET, plain.data(), text.data(), text.size());
    else
        ::inet_ntop(AF_INET6, address.data(), text.data(), text.size());
    return port == 0 ? std::string{text.data()} : net::host_and_port(text.data(), port);
}

std::optional<SettingValue> sources_of(const P& one) {
    if (one.udp_sources.empty()) return {};
    std::vector<std::string> texts;
    for (const Source& source : one.udp_sources) texts.push_back(source_text(source));
    return texts;
}

std::string set_sources(P& one, const SettingValue& value) {
    one.udp_sources.clear();
    for (const std::string& text : std::get<std::vector<std::string>>(value)) {
        const auto source = parse_source(text);
        if (!source)
            return fmt::format(R"(expected IP addresses, with or without a port, such as )"
                               R"("10.0.0.7:4000" or "[fd00::7]:4000"; found "{}")",
                               text);
        one.udp_sources.push_back(*source);
    }
    return {};
}

std::optional<SettingValue> key_of(const P& one) {
    if (!one.api_key) return {};
    std::string text;
    for (const std::byte byte : *one.api_key)
        text += fmt::format("{:02x}", std::to_integer<unsigned>(byte));
    return text;
}

std::string set_key(P& one, const SettingValue& value) {
    one.api_key = wire::binary::parse_api_key(std::get<std::string>(value));
    return one.api_key ? ""
                       : "expected 1 to 16 characters, or the 16 bytes as 32 hexadecimal digits";
}

// Rows for the limits in an S. A missing limit is printed only if there is a default to override.
template <class S, class Limits>
void add_limits(Rows<S>& rows, Limits limits, bool prints_unlimited) {
    const auto add = [&](std::string_view name, auto member, std::string help) {
        auto& row = rows.number(name, at(limits, member), 0, k_most_int64, std::move(help));
        row.by_reload();
        if (!prints_unlimited) row.unset_at(LimitDetails::k_unlimited);
    };
    add("order_quantity", &LimitDetails::order_quantity, "quantity of one order");
    add("order_notional", &LimitDetails::order_notional,
        "limit price times quantity of one order, in price units");
    add("open_orders", &LimitDetails::open_orders, "resting and waiting orders, all instruments");
    add("open_notional", &LimitDetails::open_notional,
        "sum of limit price times open quantity, in price units");
    add("position", &LimitDetails::position,
        "position in an instrument, either way, if all open orders of that side fill");
}

std::string check_mpid(const std::string& text) {
    const bool fits = text.size() <= 4 && std::ranges::all_of(text, [](char c) {
                          return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z');
                      });
    return fits ? ""
                : fmt::format("expected at most 4 capital letters or digits; found \"{}\"", text);
}

std::vector<Setting<P>> participant_rows(const Settings& settings) {
    Rows<P> rows;
    rows.number("id", &P::id, 1, settings.capacity.maximum_participants,
                "number of the participant")
        .is_required()
        .by_reload();
    rows.text("name", &P::name, "for readers of the file").by_reload();
    rows.truth("blocked", &P::blocked, "cancel its orders and reject new ones").by_reload();
    rows.custom(SettingKind::text, "api_key", key_of, set_key,
                "1 to 16 characters, or the 16 bytes as 32 hexadecimal digits")
        .by_reload();
    rows.text("mpid", &P::mpid,
              "1 to 4 letters or digits that the feed shows with its displayed orders; empty: none")
        .checked(check_mpid);
    rows.texts("fix_comp_ids", &P::fix_comp_ids, "comp ids of the participant over FIX")
        .unset_at(std::vector<std::string>{})
        .by_reload();
    rows.custom(SettingKind::texts, "udp_sources", sources_of, set_sources,
                "IP addresses of the participant over UDP, with or without a port")
        .by_reload();
    rows.custom(SettingKind::texts, "ouch_users", ouch_users_of, set_ouch_users,
                "users over OUCH: name of up to 6 characters, password of up to 10, and version, "
                "such as DAMR01:secret:5.0")
        .by_reload();
    rows.section("limits");
    add_limits(rows, &P::limits, false);
    return rows.take();
}

template <class T>
bool share_any(const std::vector<T>& some, const std::vector<T>& others) {
    return std::ranges::any_of(
        some, [&](const T& one) { return std::ranges::find(others, one) != others.end(); });
}

std::optional<Misfit> participant_clash(const P& one, const P& other) {
    if (one.id == other.id) return Misfit{"id", "another participant has this id already"};
    if (one.api_key && one.api_key == other.api_key)
        return Misfit{"api_key", "another participant has this key already"};
    if (share_any(one.fix_comp_ids, other.fix_comp_ids))
        return Misfit{"fix_comp_ids", "another participant has one of them already"};
    const auto name = [](const OuchUserSettings& user) { return gateway::ouch_session(user.name); };
    for (const OuchUserSettings& user : one.ouch_users)
        if (std::ranges::find(other.ouch_users, name(user), name) != other.ouch_users.end())
            return Misfit{"ouch_users", "another participant has one of these names already"};
    if (share_any(one.udp_sources, other.udp_sources))
        return Misfit{"udp_sources", "another participant has one of them already"};
    return {};
}

}  // namespace

void add_default_limits(Rows<Settings>& rows) {
    rows.section("default_limits");
    add_limits(rows, &Settings::default_limits, true);
}

const SettingList<ParticipantSettings>& participant_list() {
    static const SettingList<P> list{
        .name = "participants",
        .help = "One for each participant with keys or limits of its own.",
        .rows = participant_rows,
        .first = [](const Settings& /*settings*/) { return P{}; },
        .complete = [](Settings& /*settings*/, P& /*one*/) { return std::optional<Misfit>{}; },
        .clash = participant_clash,
        .get = [](const Settings& settings) { return settings.participants; },
        .set = [](Settings& settings,
                  std::vector<P> all) { settings.participants = std::move(all); }};
    return list;
}

}  // namespace damrak::exchange
