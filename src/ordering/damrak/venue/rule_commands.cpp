#include <damrak/venue/rule_commands.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include <damrak/venue/detail/units.hpp>

namespace damrak::venue {

namespace {

Command command_of(CommandKind kind, InstrumentId instrument) {
    Command command{};
    command.kind = kind;
    command.instrument = instrument;
    return command;
}

class Converter {
  public:
    explicit Converter(const InstrumentDefinition& instrument)
        : instrument_(&instrument), unit_(detail::billionths_in_unit(instrument)) {}

    /// Price units of an amount in billionths.
    std::int64_t units(std::int64_t amount, std::string_view key) {
        if (amount % unit_ != 0)
            refuse(key, fmt::format("has more decimals than its prices, which have {}",
                                    instrument_->price_decimals));
        return amount / unit_;
    }
    [[nodiscard]] PriceLimitDetails::Margin margin(const Margin& of, std::string_view key) {
        const std::int64_t least = units(of.at_least, key);
        if (least > std::numeric_limits<std::uint32_t>::max())
            refuse(key, "has an amount that is too large for its prices");
        return {.basis_points = of.basis_points, .at_least = static_cast<std::uint32_t>(least)};
    }
    void check_cents(std::string_view key) {
        if (instrument_->price_decimals < 2) refuse(key, "needs prices with at least 2 decimals");
    }
    [[nodiscard]] const std::string& refusal() const { return refusal_; }

  private:
    void refuse(std::string_view key, std::string_view why) {
        if (refusal_.empty())
            refusal_ = fmt::format("instrument {} ({}): {} of the venue {}", instrument_->id.value,
                                   instrument_->symbol.view(), key, why);
    }

    const InstrumentDefinition* instrument_;
    std::int64_t unit_;
    std::string refusal_;
};

PriceLimitDetails details_of(const Limits& limits, Converter& convert) {
    return {
        .dynamic_corridor = convert.margin(limits.dynamic_corridor, "dynamic_corridor"),
        .static_corridor = convert.margin(limits.static_corridor, "static_corridor"),
        .market_collar = convert.margin(limits.market_collar, "market_collar"),
        .entry_limit = convert.margin(limits.entry_limit, "entry_limit"),
        .auction_corridor = convert.margin(limits.auction_corridor, "auction_corridor"),
        .on_breach = limits.on_breach,
        .on_own_cross = limits.on_own_cross,
        .refuse_reached_stops = limits.refuse_reached_stops ? std::uint8_t{1} : std::uint8_t{0}};
}

void check_daily(const Daily& daily, Converter& convert) {
    convert.units(daily.previous_close, "previous_close");
    static_cast<void>(convert.margin(daily.limits, "limits"));
    for (const Daily::Step& step : daily.table) {
        convert.units(step.below, "table");
        convert.units(step.amount, "table");
    }
}

void plan_lead_makers(const Rules& wanted, InstrumentId instrument, const InstrumentRules& there,
                      std::vector<Command>& plan) {
    const auto set = [&](ParticipantId participant, std::uint32_t basis_points) {
        Command command = command_of(CommandKind::set_lead_maker, instrument);
        command.participant = participant;
        command.lead_maker.basis_points = static_cast<std::uint16_t>(basis_points);
        plan.push_back(command);
    };
    // Those that leave make room for those that come.
    for (const InstrumentRules::LeadMaker& maker : there.lead_makers)
        if (maker.participant &&
            std::ranges::find(wanted.lead_makers, maker.participant, &LeadMaker::participant) ==
                wanted.lead_makers.end())
            set(maker.participant, 0);
    for (const LeadMaker& maker : wanted.lead_makers)
        if (std::ranges::find(there.lead_makers,
                              InstrumentRules::LeadMaker{maker.participant, maker.basis_points}) ==
            there.lead_makers.end())
            set(maker.participant, maker.basis_points);
}

}  // namespace

std::expected<std::vector<Command>, std::string> rule_commands(
    const Rules& wanted, const InstrumentDefinition& instrument, const InstrumentRules& there) {
    std::vector<Command> plan;
    if (wanted.allocation != there.allocation) {
        Command command = command_of(CommandKind::set_allocation, instrument.id);
        command.allocation = wanted.allocation;
        plan.push_back(command);
    }
    plan_lead_makers(wanted, instrument.id, there, plan);
    Converter convert{instrument};
    if (const PriceLimitDetails limits = details_of(wanted.limits, convert);
        limits != there.price_limits) {
        Command command = command_of(CommandKind::set_price_limits, instrument.id);
        command.price_limits = limits;
        plan.push_back(command);
    }
    PriceBandDetails band{.lower = {convert.units(wanted.band.lower, "band")},
                          .upper = {convert.units(wanted.band.upper, "band")},
                          .reference = {convert.units(wanted.band.reference, "band")}};
    // Auctions have moved the reference since.
    if (there.price_band.reference != Price{}) band.reference = there.price_band.reference;
    if (wanted.luld.exists()) {
        convert.check_cents("luld");
        convert.units(wanted.luld.previous_close, "previous_close");
        band = there.price_band;  // which the supervisor moves
    }
    if (wanted.daily.exists()) {
        check_daily(wanted.daily, convert);
        band = there.price_band;  // which the phase clock moves
    }
    static_cast<void>(convert.margin(wanted.interruption.widening, "widening"));
    static_cast<void>(convert.margin(wanted.extensions.widening, "widening"));
    if (band != there.price_band) {
        Command command = command_of(CommandKind::set_price_band, instrument.id);
        command.price_band = band;
        plan.push_back(command);
    }
    if (!convert.refusal().empty()) return std::unexpected{convert.refusal()};
    return plan;
}

}  // namespace damrak::venue
