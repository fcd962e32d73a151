#include <damrak/script/detail/script_rules.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <damrak/auction/rounding.hpp>
#include <damrak/base/decimal_text.hpp>
#include <damrak/base/duration_text.hpp>
#include <damrak/domain/phase_names.hpp>
#include <damrak/domain/price_limit_names.hpp>

namespace damrak::script::detail {

namespace {

constexpr std::int64_t k_most = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t k_most_id = std::numeric_limits<std::uint32_t>::max();
constexpr unsigned k_percent_decimals = 2;
constexpr auto k_steps = std::to_array<std::string_view>(
    {"none", "top", "lead_makers", "split", "pro_rata", "leveling", "size", "same_broker"});
constexpr auto k_times = std::to_array<std::string_view>(
    {"day", "gtc", "gtd", "ioc", "fok", "at_open", "at_close", "at_auction"});
constexpr auto k_self_trade = std::to_array<std::string_view>(
    {"none", "cancel_newest", "cancel_oldest", "cancel_both", "decrement_and_cancel", "skip_own"});

std::vector<std::string_view> split_at(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(separator, begin), text.size());
        parts.push_back(text.substr(begin, end - begin));
        begin = end + 1;
    }
    return parts;
}

// 2.5%, 0.10, or both with a slash between them.
PriceLimitDetails::Margin margin(ScriptLine& line, std::string_view key, unsigned decimals) {
    PriceLimitDetails::Margin made;
    const auto text = line.text(key);
    if (!text) return made;
    constexpr std::int64_t k_most_units = std::numeric_limits<std::uint32_t>::max();
    for (std::string_view part : split_at(*text, '/')) {
        const bool is_percent = part.ends_with('%');
        if (is_percent) part.remove_suffix(1);
        const auto value = parse_decimal(part, is_percent ? k_percent_decimals : decimals);
        if (!value || *value < 0 || *value > k_most_units) {
            line.refuse(fmt::format(
                "{} must be a percentage of at most 2 decimals, an amount of at most {}, or both: "
                "2.5%, 0.10 or 2.5%/0.10; not '{}'",
                key, decimals, *text));
            return {};
        }
        (is_percent ? made.basis_points : made.at_least) = static_cast<std::uint32_t>(*value);
    }
    return made;
}

// The order that a new one is linked to.
void read_link(ScriptLine& line, Command& command) {
    if (line.has("oco") && line.has("oto")) line.refuse("an order has one link: oco or oto");
    for (const auto& [key, contingency] : {std::pair{"oco", Contingency::one_cancels_other},
                                           std::pair{"oto", Contingency::one_triggers_other}}) {
        if (!line.has(key)) continue;
        command.flags |= CommandFlags::k_linked;
        command.order.contingency = contingency;
        command.new_order_id = {static_cast<std::uint64_t>(line.whole(key, 0, 1, k_most))};
    }
}

}  // namespace

void read_attributes(ScriptLine& line, unsigned decimals, Command& command) {
    command.time_in_force = static_cast<TimeInForce>(line.word("tif", 0, k_times));
    command.self_trade_prevention =
        static_cast<SelfTradePrevention>(line.word("self_trade", 0, k_self_trade));
    if (line.flag("hidden")) command.flags |= CommandFlags::k_hidden;
    if (line.flag("post_only")) command.flags |= CommandFlags::k_post_only;
    if (line.flag("post_only_reprice")) command.flags |= CommandFlags::k_post_only_reprice;
    if (line.flag("imbalance_only")) command.flags |= CommandFlags::k_imbalance_only;
    const bool pegged = line.has("peg");
    constexpr auto k_references =
        std::to_array<std::string_view>({"none", "primary", "market", "midpoint"});
    command.order.peg = static_cast<PegReference>(line.word("peg", 0, k_references));
    if (!pegged && line.has("offset")) line.refuse("offset is of a pegged order: peg=...");
    command.order.offset = {line.decimal("offset", 0, decimals)};
    if (pegged) command.flags |= CommandFlags::k_pegged;
    if (pegged && !line.flag("displayed")) command.flags |= CommandFlags::k_hidden;
    if (line.flag("to_limit")) command.flags |= CommandFlags::k_to_limit;
    if (line.has("trail")) command.flags |= CommandFlags::k_trailing;
    if (line.has("trail")) command.order.offset = {line.decimal("trail", 0, decimals)};
    read_link(line, command);
}

void read_quote(ScriptLine& line, unsigned decimals, Command& command) {
    command.participant = {static_cast<std::uint32_t>(line.whole("participant", 1, 1, k_most_id))};
    command.client_order_id = {static_cast<std::uint64_t>(line.whole("client_id", 0, 0, k_most))};
    command.self_trade_prevention =
        static_cast<SelfTradePrevention>(line.word("self_trade", 0, k_self_trade));
    command.price = {line.decimal("bid", 0, decimals)};
    command.quantity = {line.whole("bid_quantity", 0, -k_most, k_most)};
    command.quote = {.ask_price = {line.decimal("ask", 0, decimals)},
                     .ask_quantity = {line.whole("ask_quantity", 0, -k_most, k_most)}};
}

void read_quote_protection(ScriptLine& line, unsigned /*decimals*/, Command& command) {
    for (const std::string_view key : {"participant", "maximum"}) line.require(key);
    command.participant = {static_cast<std::uint32_t>(line.whole("participant", 0, 1, k_most_id))};
    command.quote_protection = {.maximum = {line.whole("maximum", 0, 0, k_most)}};
    const auto text = line.text("window");
    const auto window = text ? parse_duration(*text) : std::optional<std::int64_t>{0};
    if (!window)
        line.refuse(fmt::format("window must be a duration, such as 100ms, not '{}'", *text));
    command.quote_protection.window = window.value_or(0);
}

namespace {

constexpr auto k_conditions =
    std::to_array<std::string_view>({"price_in_corridor", "no_market_orders_left", "has_price"});
constexpr auto k_restrictions = std::to_array<std::string_view>(
    {"market_auction_orders", "limit_auction_orders", "auction_order_changes", "changes"});

// Words with commas between them, each for a bit.
std::uint8_t read_bits(ScriptLine& line, std::string_view key,
                       std::span<const std::string_view> names) {
    const auto text = line.text(key);
    unsigned bits = 0;
    for (const std::string_view word : split_at(text.value_or(""), ',')) {
        const auto found = std::ranges::find(names, word);
        if (found != names.end())
            bits |= 1U << (found - names.begin());
        else if (text)
            line.refuse(fmt::format("{} must be of {}, with commas between them, not '{}'", key,
                                    fmt::join(names, ", "), *text));
    }
    return static_cast<std::uint8_t>(bits);
}

}  // namespace

void read_bust(ScriptLine& line, unsigned decimals, Command& command) {
    for (const std::string_view word : {"trade", "quantity", "price", "buyer", "seller"})
        line.require(word);
    const auto participant = [&](std::string_view word) {
        return ParticipantId{static_cast<std::uint32_t>(line.whole(word, 0, 1, k_most_id))};
    };
    const auto number = [&](std::string_view word) {
        return static_cast<std::uint64_t>(line.whole(word, 0, 0, k_most));
    };
    command.bust = {.trade = {number("trade")}, .seller = participant("seller")};
    command.participant = participant("buyer");
    command.quantity = {line.whole("quantity", 0, -k_most, k_most)};
    command.price = {line.decimal("price", 0, decimals)};
    command.order_id = {number("buy")};
    command.new_order_id = {number("sell")};
    if (command.kind == CommandKind::bust_trade) return;
    for (const std::string_view word : {"new_price", "new_quantity"}) line.require(word);
    command.bust.new_price = {line.decimal("new_price", 0, decimals)};
    command.bust.new_quantity = {line.whole("new_quantity", 0, -k_most, k_most)};
}

void read_trading_state(ScriptLine& line, unsigned /*decimals*/, Command& command) {
    constexpr auto k_states = std::to_array<std::string_view>({"trading", "halted"});
    line.require("state");
    command.trading_state = static_cast<TradingState>(line.word("state", 0, k_states));
    if (line.flag("market_wide")) command.flags = CommandFlags::k_market_wide;
}

void read_phase(ScriptLine& line, unsigned /*decimals*/, Command& command) {
    const bool crosses = command.kind == CommandKind::uncross;
    if (!crosses) line.require("phase");
    command.phase.phase = static_cast<Phase>(line.word("phase", 0, k_phase_names));
    if (crosses) {
        command.phase.conditions = read_bits(line, "conditions", k_conditions);
        return;
    }
    command.phase.auction = static_cast<AuctionRule>(line.word("auction", 0, k_auction_rule_names));
    command.phase.call = static_cast<CallKind>(line.word("call", 0, k_call_kind_names));
    command.phase.sealed = line.flag("sealed") ? 1 : 0;
    command.phase.restrictions = read_bits(line, "restrictions", k_restrictions);
    command.phase.cause = static_cast<HaltCause>(line.word("cause", 0, k_halt_cause_names));
}

void read_allocation(ScriptLine& line, unsigned /*decimals*/, Command& command) {
    AllocationDetails& made = command.allocation = AllocationDetails{};
    if (const auto text = line.text("steps"); text && !text->empty()) {
        const auto words = split_at(*text, ',');
        for (std::size_t i = 0; i < words.size(); ++i) {
            const auto found = std::ranges::find(k_steps, words[i]);
            if (found == k_steps.end() || i >= made.steps.size())
                return line.refuse(
                    fmt::format("steps must be at most {} of {}, with commas "
                                "between them, not '{}'",
                                made.steps.size(), fmt::join(k_steps, ", "), *text));
            made.steps[i] = static_cast<AllocationStep>(found - k_steps.begin());
        }
    }
    constexpr auto k_roundings = std::to_array<std::string_view>({"down", "nearest", "up"});
    const bool splits = std::ranges::find(made.steps, AllocationStep::split) != made.steps.end();
    const auto usual =
        std::to_underlying(splits ? auction::Rounding::nearest : auction::Rounding::down);
    made.split_rounding =
        static_cast<std::uint8_t>(line.word("split_rounding", usual, k_roundings));
    const std::int64_t percent = line.decimal("split_percent", 0, k_percent_decimals);
    if (percent < 0 || percent > 10'000)
        return line.refuse("split_percent must be a number from 0 to 100");
    made.split_basis_points = static_cast<std::uint16_t>(percent);
    made.top_minimum = {line.whole("top_minimum", made.top_minimum.value, 0, k_most)};
    made.top_maximum = {line.whole("top_maximum", made.top_maximum.value, 0, k_most)};
    made.pro_rata_minimum = {
        line.whole("pro_rata_minimum", made.pro_rata_minimum.value, 0, k_most)};
}

void read_price_limits(ScriptLine& line, unsigned decimals, Command& command) {
    PriceLimitDetails& made = command.price_limits = PriceLimitDetails{};
    made.dynamic_corridor = margin(line, "dynamic_corridor", decimals);
    made.static_corridor = margin(line, "static_corridor", decimals);
    made.market_collar = margin(line, "market_collar", decimals);
    made.entry_limit = margin(line, "entry_limit", decimals);
    made.auction_corridor = margin(line, "auction_corridor", decimals);
    made.on_breach = static_cast<OnBreach>(line.word("on_breach", 0, k_on_breach_names));
    made.on_own_cross = static_cast<OnOwnCross>(line.word("on_own_cross", 0, k_on_own_cross_names));
    made.refuse_reached_stops = line.flag("refuse_reached_stops") ? 1 : 0;
}

void read_price_band(ScriptLine& line, unsigned decimals, Command& command) {
    command.price_band = {.lower = {line.decimal("lower", 0, decimals)},
                          .upper = {line.decimal("upper", 0, decimals)},
                          .reference = {line.decimal("reference", 0, decimals)}};
    if (line.flag("auction_collar")) command.flags = CommandFlags::k_auction_collar;
    if (line.flag("daily")) command.flags |= CommandFlags::k_daily;
    command.quantity = {line.whole("extensions", 0, 0, k_most)};
}

void read_lead_maker(ScriptLine& line, unsigned /*decimals*/, Command& command) {
    line.require("participant");
    line.require("percent");
    command.participant = {static_cast<std::uint32_t>(line.whole("participant", 0, 1, k_most_id))};
    const std::int64_t percent = line.decimal("percent", 0, k_percent_decimals);
    if (percent < 0 || percent > 10'000) return line.refuse("percent must be from 0 to 100");
    command.lead_maker.basis_points = static_cast<std::uint16_t>(percent);
}

void read_limits(ScriptLine& line, Command& command) {
    command.participant = {static_cast<std::uint32_t>(line.whole("participant", 0, 0, k_most_id))};
    LimitDetails& made = command.limits = LimitDetails{};
    made.order_quantity = {line.whole("order_quantity", k_most, 0, k_most)};
    made.order_notional = line.whole("order_notional", k_most, 0, k_most);
    made.open_orders = line.whole("open_orders", k_most, 0, k_most);
    made.open_notional = line.whole("open_notional", k_most, 0, k_most);
    made.position = {line.whole("position", k_most, 0, k_most)};
}

// legs=A:1,B:-1
void read_combination(ScriptLine& line, const std::function<InstrumentId(std::string_view)>& find,
                      Command& command) {
    constexpr auto k_kinds = std::to_array<std::string_view>({"spread", "basket"});
    CombinationDetails& made = command.combination;
    made = {.legs = {}, .kind = static_cast<CombinationKind>(1 + line.word("kind", 0, k_kinds))};
    line.require("legs");
    std::size_t count = 0;
    for (const std::string_view part : split_at(line.text("legs").value_or(""), ',')) {
        const auto colon = std::min(part.find(':'), part.size());
        const auto ratio = parse_decimal(part.substr(std::min(colon + 1, part.size())), 0);
        const InstrumentId leg = find(part.substr(0, colon));
        constexpr std::int64_t k_most_ratio = std::numeric_limits<std::int32_t>::max();
        if (!ratio || *ratio == 0 || *ratio < -k_most_ratio || *ratio > k_most_ratio || !leg ||
            count == made.legs.size())
            return line.refuse(fmt::format(
                "legs has up to {} instruments of lines before this one, each with how many of it "
                "are bought, or sold if below zero: FRONT:1,BACK:-1; not '{}'",
                made.legs.size(), part));
        made.legs.at(count++) = {leg, static_cast<std::int32_t>(*ratio)};
    }
}

void read_tick_band(ScriptLine& line, unsigned decimals, Command& command) {
    line.require("from");
    line.require("tick");
    command.tick_band = {.from_price = {line.decimal("from", 0, decimals)},
                         .tick_size = {line.decimal("tick", 0, decimals)}};
}

void read_participant_state(ScriptLine& line, Command& command) {
    constexpr auto k_states = std::to_array<std::string_view>({"active", "blocked"});
    line.require("participant");
    line.require("state");
    command.participant = {static_cast<std::uint32_t>(line.whole("participant", 1, 1, k_most_id))};
    command.participant_state = static_cast<ParticipantState>(line.word("state", 0, k_states));
}

}  // namespace damrak::script::detail
