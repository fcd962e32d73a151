#include <damrak/venue/detail/combination_reader.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include <damrak/engine/combinations.hpp>
#include <damrak/venue/detail/rules_reader.hpp>

namespace damrak::venue::detail {

namespace {

using files::TableReader;

constexpr double k_least_amount = 1e-9;
constexpr std::int64_t k_most_ratio = 10'000;

std::optional<std::int64_t> price(TableReader& in, std::string_view key, double least,
                                  double most) {
    return in.take(key) == nullptr ? std::nullopt : std::optional{amount(in, key, least, most)};
}

std::vector<Combination::Leg> read_legs(TableReader& in) {
    std::vector<Combination::Leg> legs;
    for (const toml::table* const one : in.tables("legs")) {
        TableReader leg{*one, "legs", in.mistake()};
        const Combination::Leg read{
            .symbol = leg.text("symbol", ""),
            .ratio = static_cast<std::int32_t>(leg.whole("ratio", 1, -k_most_ratio, k_most_ratio))};
        if (read.symbol.empty()) leg.complain("a leg needs its symbol");
        if (read.ratio == 0)
            leg.complain(fmt::format("ratio must be from 1 to {}, or below zero", k_most_ratio));
        if (std::ranges::find(legs, read.symbol, &Combination::Leg::symbol) != legs.end())
            leg.complain(fmt::format("{} is a leg twice: its ratio says how often", read.symbol));
        leg.finish();
        legs.push_back(read);
    }
    return legs;
}

// One of the first, less one of the second.
std::vector<Combination::Leg> read_calendar(TableReader& in) {
    const std::string near = in.text("near", "");
    const std::string far = in.text("far", "");
    if (near.empty() || far.empty() || near == far)
        in.complain("near and far are the symbols of two instruments: give both");
    if (in.has("legs")) in.complain("either near and far, or legs");
    return {{.symbol = near, .ratio = 1}, {.symbol = far, .ratio = -1}};
}

}  // namespace

Combination read_combination(TableReader& in, CombinationKind kind) {
    const bool is_spread = kind == CombinationKind::spread;
    Combination made{.symbol = in.text("symbol", ""),
                     .kind = kind,
                     .legs = {},
                     .tick = 0,
                     .minimum_price = {},
                     .maximum_price = {},
                     .place = in.mistake().name(in.table().source())};
    in.rename(fmt::format("{} \"{}\"", is_spread ? "spread" : "basket", made.symbol));
    const bool is_calendar = is_spread && (in.has("near") || in.has("far"));
    made.legs = is_calendar ? read_calendar(in) : read_legs(in);
    if (made.legs.size() < 2 || made.legs.size() > CombinationDetails::k_maximum_legs)
        in.complain(
            fmt::format("it needs two to {} legs: {}legs = [{{ symbol = \"A\", ratio = 1 }}, ...]",
                        CombinationDetails::k_maximum_legs, is_spread ? "near and far, or " : ""));
    made.tick = price(in, "tick", k_least_amount, k_most_amount).value_or(0);
    made.minimum_price = price(in, "minimum_price", -k_most_amount, 0);
    made.maximum_price = price(in, "maximum_price", k_least_amount, k_most_amount);
    return made;
}

void check_legs(const Combination& made, const std::vector<Combination>& earlier, TableReader& in) {
    const auto has_leg = [](const Combination& of, const std::string& symbol) {
        return std::ranges::find(of.legs, symbol, &Combination::Leg::symbol) != of.legs.end();
    };
    const auto refuse = [&](const std::string& leg, const std::string& combination) {
        in.complain(
            fmt::format("{} is a combination itself and cannot be a leg of {}", leg, combination));
    };
    if (has_leg(made, made.symbol)) refuse(made.symbol, made.symbol);
    for (const Combination& one : earlier) {
        if (has_leg(one, made.symbol)) refuse(made.symbol, one.symbol);
        if (has_leg(made, one.symbol)) refuse(one.symbol, made.symbol);
    }
    for (const Combination::Leg& leg : made.legs)
        if (std::ranges::count_if(earlier, [&](const Combination& one) {
                return has_leg(one, leg.symbol);
            }) >= std::ptrdiff_t{Combinations::k_most_uses})
            in.complain(fmt::format("{} is a leg of more than {} combinations", leg.symbol,
                                    Combinations::k_most_uses));
}

}  // namespace damrak::venue::detail
