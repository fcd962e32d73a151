#include "replay/commands.hpp"

#include <array>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <damrak/auction/equilibrium.hpp>
#include <damrak/base/local_days.hpp>
#include <damrak/domain/kind_names.hpp>
#include <damrak/domain/phase_names.hpp>
#include <damrak/domain/price_limit_names.hpp>
#include <damrak/files/byte_source.hpp>
#include <damrak/script/command_script.hpp>
#include <damrak/script/script_run.hpp>
#include <damrak/telemetry/records.hpp>
#include <damrak/venue/venue_file.hpp>

#include "cli.hpp"
#include "day_text.hpp"

namespace damrak::app {

namespace {

using Json = nlohmann::ordered_json;
using Told = script::ScriptRun::Told;

constexpr std::size_t k_most_bytes = std::size_t{256} << 20U;

class EventLines {
  public:
    EventLines(const ReplayOptions& options, LocalDays days, const Engine& engine)
        : json_(options.json), days_(std::move(days)), engine_(&engine) {}

    void tell(const Told& told) {
        Json line{{"line", nullptr}, {"time", time_text_of(told.command->timestamp)}};
        if (told.line != 0) line["line"] = told.line;
        if (told.event == nullptr) {
            add_book(line, *engine_->instrument(told.command->instrument));
        } else {
            line["command"] = telemetry::k_command_names[told.command->kind].view();
            line["event"] = telemetry::k_event_names[told.event->kind].view();
            add_event(line, *told.command, *told.event);
        }
        print(line);
    }

  private:
    [[nodiscard]] std::string time_text_of(Timestamp time) const {
        const std::int64_t midnight = days_.at(days_.day_of(time.value), 0);
        return time_text(time.value - midnight);
    }
    [[nodiscard]] const InstrumentState* instrument_of(InstrumentId id) const {
        return engine_->instrument(id);
    }
    // The shortest text that is the price again.
    static Json price_json(Price price, const InstrumentState* in) {
        const unsigned decimals = in == nullptr ? 4 : in->definition().price_decimals;
        double scale = 1;
        for (unsigned i = 0; i < decimals; ++i) scale *= 10;
        return static_cast<double>(price.value) / scale;
    }

    void add_event(Json& line, const Command& command, const Event& event) const {
        const InstrumentState* const in = instrument_of(event.instrument);
        if (in != nullptr) line["instrument"] = in->definition().symbol.view();
        if (event.reason != Reason::none) line["reason"] = name(event.reason);
        switch (event.kind) {
            case EventKind::rejected:
                if (event.order_id) line["order"] = event.order_id.value;
                return;
            case EventKind::phase_changed:
                line["phase"] = name(static_cast<Phase>(event.quantity.value));
                return add_cause(line, event);
            case EventKind::trading_state_changed:
                line["state"] = event.quantity.value == 0 ? "trading" : "halted";
                return add_cause(line, event);
            case EventKind::participant_state_changed:
                line["participant"] = event.participant.value;
                line["state"] = event.quantity.value == 0 ? "active" : "blocked";
                return;
            case EventKind::mass_cancelled:
            case EventKind::day_ended:
                line["orders"] = event.quantity.value;
                return;
            case EventKind::uncrossed:
                return add_auction(line, event, in);
            case EventKind::price_limits_set:
                return add_price_limits(line, command.price_limits, in);
            case EventKind::price_band_set:
                return add_band(line, command.price_band, in);
            case EventKind::limits_set:
                return add_limits(line, command);
            default:
                if (!event.order_id) return;
                add_order(line, event, in);
                if (is_stop(event.order_type)) add_stop(line, command, event, *in);
        }
    }

    static void add_cause(Json& line, const Event& event) {
        const auto cause = static_cast<HaltCause>(event.remaining.value);
        if (cause != HaltCause::none) line["cause"] = name(cause);
    }

    static void add_auction(Json& line, const Event& event, const InstrumentState* in) {
        const bool has_price = event.reference != 0;
        line["price"] = has_price ? price_json(event.price, in) : Json{};
        line["quantity"] = event.quantity.value;
        line["surplus"] = event.remaining.value;
        line["surplus_side"] =
            event.remaining.value == 0 ? Json{} : Json(telemetry::k_side_names[event.side].view());
    }

    // As a script has it: 2.5%, 0.1, or both.
    static Json margin_json(const PriceLimitDetails::Margin& margin, const InstrumentState* in) {
        if (!margin.exists()) return {};
        std::string text;
        if (margin.basis_points != 0) text = fmt::format("{}%", margin.basis_points / 100.0);
        if (margin.at_least != 0)
            text += (text.empty() ? "" : "/") + price_json(Price{margin.at_least}, in).dump();
        return text;
    }

    static void add_price_limits(Json& line, const PriceLimitDetails& limits,
                                 const InstrumentState* in) {
        line["dynamic_corridor"] = margin_json(limits.dynamic_corridor, in);
        line["static_corridor"] = margin_json(limits.static_corridor, in);
        line["market_collar"] = margin_json(limits.market_collar, in);
        line["entry_limit"] = margin_json(limits.entry_limit, in);
        line["auction_corridor"] = margin_json(limits.auction_corridor, in);
        line["on_breach"] = name(limits.on_breach);
        line["on_own_cross"] = name(limits.on_own_cross);
        line["refuse_reached_stops"] = limits.refuse_reached_stops != 0;
    }

    static void add_band(Json& line, const PriceBandDetails& band, const InstrumentState* in) {
        line["lower"] = band.exists() ? price_json(band.lower, in) : Json{};
        line["upper"] = band.exists() ? price_json(band.upper, in) : Json{};
        line["reference"] = band.reference == Price{} ? Json{} : price_json(band.reference, in);
    }

    // Null: no limit.
    static void add_limits(Json& line, const Command& command) {
        line["participant"] = command.participant.value;
        const LimitDetails& limits = command.limits;
        const bool own = !has_flag(command, CommandFlags::k_default_limits);
        const auto json = [own](std::int64_t limit) {
            return own && limit != std::numeric_limits<std::int64_t>::max() ? Json(limit) : Json{};
        };
        line["order_quantity"] = json(limits.order_quantity.value);
        line["order_notional"] = json(limits.order_notional);
        line["open_orders"] = json(limits.open_orders);
        line["open_notional"] = json(limits.open_notional);
        line["position"] = json(limits.position.value);
    }

    // That of a waiting stop is where it stands by now, as it may trail. One that was triggered at
    // once has that of its command.
    void add_stop(Json& line, const Command& command, const Event& event,
                  const InstrumentState& in) const {
        const OrderId id{event.kind == EventKind::replaced ? event.reference
                                                           : event.order_id.value};
        const BookStore& store = engine_->store();
        const OrderIndex index = store.find(in.id(), id);
        if (index != 0 && store.order(index).terms().waiting())
            line["stop"] = price_json(in.price_of(store.order(index).tick), &in);
        else if (command.kind == CommandKind::new_order && command.order.stop_price != Price{})
            line["stop"] = price_json(command.order.stop_price, &in);
    }

    // A price of zero is one where prices may be below it, if the order has a price.
    static bool has_price(const Event& event, const InstrumentState* in) {
        if (event.price != Price{}) return true;
        return in != nullptr && in->below_zero() &&
               (event.kind == EventKind::executed || has_limit(event.order_type));
    }

    static void add_order(Json& line, const Event& event, const InstrumentState* in) {
        line["order"] = event.order_id.value;
        line["participant"] = event.participant.value;
        line["side"] = telemetry::k_side_names[event.side].view();
        if (event.kind == EventKind::accepted) {
            line["type"] = telemetry::k_order_type_names[event.order_type].view();
            line["tif"] = telemetry::k_time_in_force_names[event.time_in_force].view();
        }
        if (event.kind == EventKind::replaced) line["new_order"] = event.reference;
        const bool is_corrected = event.kind == EventKind::trade_corrected;
        if (event.kind == EventKind::executed || event.kind == EventKind::trade_busted ||
            is_corrected)
            line["trade"] = event.reference;
        if (has_price(event, in)) line["price"] = price_json(event.price, in);
        if (event.quantity != Quantity{}) line["quantity"] = event.quantity.value;
        if (is_corrected) {
            line["price_before"] = price_json({event.displayed.value}, in);
            line["quantity_before"] = event.remaining.value;
        } else {
            line["remaining"] = event.remaining.value;
            line["displayed"] = event.displayed.value;
        }
        Json flags = Json::array();
        for (std::size_t bit = 0; bit < k_event_flag_names.size(); ++bit)
            if ((event.flags >> bit & 1U) != 0) flags.push_back(k_event_flag_names[bit]);
        line["flags"] = std::move(flags);
    }

    // What is displayed, the best first.
    void add_book(Json& line, const InstrumentState& in) const {
        line["book"] = in.definition().symbol.view();
        line["phase"] = name(in.phase);
        add_band(line, in.rules.price_band, &in);
        if (in.phase == Phase::call) add_indicative(line, in);
        for (const Side side : {Side::buy, Side::sell}) {
            Json levels = Json::array();
            in.book.for_each_level(engine_->store(), side, [&](const DepthLevel& level) {
                levels.push_back({{"price", price_json(in.price_of(level.tick), &in)},
                                  {"quantity", level.quantity.value},
                                  {"orders", level.orders}});
                return true;
            });
            line[side == Side::buy ? "bids" : "asks"] = std::move(levels);
        }
    }

    // What the auction would be now.
    void add_indicative(Json& line, const InstrumentState& in) const {
        std::vector<auction::PriceLevel> levels(engine_->config().maximum_prices());
        const auto found = engine_->auction_if_now(in.id(), levels.data());
        const auto surplus_side = found.surplus_side();
        line["indicative_price"] = found.price ? price_json(*found.price, &in) : Json{};
        line["indicative_quantity"] = found.executable.value;
        line["surplus"] = std::abs(found.surplus.value);
        line["surplus_side"] =
            surplus_side ? Json(telemetry::k_side_names[*surplus_side].view()) : Json{};
    }

    void print(const Json& line) const {
        if (json_) return fmt::print("{}\n", line.dump());
        std::string text;
        for (const auto& [key, value] : line.items()) {
            if (value.is_null() || (value.is_array() && value.empty())) continue;
            text += fmt::format("{}{}={}", text.empty() ? "" : " ", key,
                                value.is_string() ? value.get<std::string>() : value.dump());
        }
        fmt::print("{}\n", text);
    }

    bool json_;
    LocalDays days_;
    const Engine* engine_;
};

std::expected<std::string, std::string> read_all(const ReplayOptions& options) {
    auto source = files::ByteSource::open(options.file);
    if (!source) return std::unexpected{source.error()};
    std::string text;
    std::array<std::byte, 1U << 16U> buffer{};
    for (;;) {
        const auto count = source->read(buffer);
        if (!count) return std::unexpected{count.error()};
        if (*count == 0) return text;
        text.append(reinterpret_cast<const char*>(buffer.data()), *count);
        if (text.size() > k_most_bytes)
            return std::unexpected{fmt::format("{}: a command script has at most {} MiB",
                                               options.file.string(), k_most_bytes >> 20U)};
    }
}

}  // namespace

int replay_commands(const ReplayOptions& options) {
    std::shared_ptr<const venue::Venue> venue;
    if (options.venues.size() > 1) return fail_usage("a command script has one --venue", "replay");
    if (!options.modification_file.empty())
        return fail_usage("--modify needs a recorded file, not a command script", "replay");
    if (!options.venues.empty()) {
        auto found = venue::find_venue(options.venues.front());
        if (!found) return fail(found.error());
        venue = std::make_shared<const venue::Venue>(*std::move(found));
    }
    const auto text = read_all(options);
    if (!text) return fail(text.error());
    const script::ScriptTerms terms{.zone = venue ? venue->zone : "UTC"};
    const auto steps = script::parse_script(*text, options.file.string(), terms);
    if (!steps) return fail(steps.error());
    script::ScriptRun run{venue, options.seed};
    EventLines lines{options, *LocalDays::make(terms.zone), run.engine()};
    const auto done = run.run(*steps, [&](const Told& told) { lines.tell(told); });
    return done ? k_exit_success : fail(done.error());
}

}  // namespace damrak::app
