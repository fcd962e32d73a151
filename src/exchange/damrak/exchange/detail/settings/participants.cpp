#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <damrak/exchange/detail/settings/sections.hpp>
#include <damrak/exchange/settings_table.hpp>

namespace damrak::exchange {

namespace {

using P = ParticipantSettings;

std::optional<SettingValue> key_of(const P& one) {
    if (!one.api_key) return {};
    std::string text;
    for (const std::byte byte : *one.api_key)
        text += fmt::format("{:02x}", std::to_integer<unsigned>(byte));
    return text;
}

std::string set_key(P& one, const SettingValue& value) {
    one.api_key = gateway::Identities::parse_key(std::get<std::string>(value));
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

std::vector<Setting<P>> participant_rows(const gateway::Settings& settings) {
    Rows<P> rows;
    rows.number("id", &P::id, 1, settings.capacity.maximum_participants,
                "number of the participant")
        .is_required()
        .by_reload();
    rows.text("name", &P::name, "for readers of the file").by_reload();
    rows.truth("blocked", &P::blocked, "cancel its orders and reject new ones").by_reload();
    rows.custom(SettingKind::text, "api_key", key_of, set_key,
                "1 to 16 characters, or the 16 bytes as 32 hexadecimal digits")
        .is_secret()
        .by_reload();
    rows.text("mpid", &P::mpid,
              "1 to 4 letters or digits that the feed shows with its displayed orders; empty: none")
        .checked(check_mpid);
    for (const auto* const kind : standard_exchange::k_credentials) kind->add_rows(rows);
    rows.section("limits");
    add_limits(rows, &P::limits, false);
    return rows.take();
}

std::optional<Misfit> participant_clash(const P& one, const P& other) {
    if (one.id == other.id) return Misfit{"id", "another participant has this id already"};
    if (one.api_key && one.api_key == other.api_key)
        return Misfit{"api_key", "another participant has this key already"};
    for (const auto* const kind : standard_exchange::k_credentials)
        if (auto misfit = kind->clash(one, other)) return misfit;
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
        .help = "One for each participant with its own keys or limits.",
        .rows = participant_rows,
        .first = [](const gateway::Settings& /*settings*/) { return P{}; },
        .complete = [](gateway::Settings& /*settings*/,
                       P& /*one*/) { return std::optional<Misfit>{}; },
        .clash = participant_clash,
        .get = [](const gateway::Settings& settings) { return settings.participants; },
        .set = [](gateway::Settings& settings,
                  std::vector<P> all) { settings.participants = std::move(all); }};
    return list;
}

}  // namespace damrak::exchange
