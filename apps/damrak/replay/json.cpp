// The JSON of `damrak replay`. Prices and spreads are in the currency, times in text since
// midnight.
#include <cmath>

#include <fmt/format.h>

#include "modify_option.hpp"
#include "replay/report.hpp"

namespace damrak::app {

namespace {

using nlohmann::ordered_json;
using replay::InstrumentStatistics;

constexpr double k_units = 10'000.0;

// Rounded to the price unit's hundredth, so that a mean does not drag along seventeen digits.
double in_currency(double units) { return std::round(units * 100.0) / (k_units * 100.0); }
double in_currency(Price price) { return static_cast<double>(price.value) / k_units; }

ordered_json ladder_json(const ReplayResult& result, InstrumentId id, Side side) {
    ordered_json levels = ordered_json::array();
    const order_flow::BuiltBook& built = result.books.book(id);
    const std::size_t most = last_levels(result);
    if (most == 0) return levels;
    const auto anonymous = anonymous_levels(result.books, id, side, most);
    built.book.for_each_level(result.books.store(), side, [&](const DepthLevel& level) {
        const ordered_json orders =
            anonymous[levels.size()] ? ordered_json(nullptr) : ordered_json(level.orders);
        levels.push_back({{"price", in_currency(built.scale.price_of(level.tick))},
                          {"quantity", level.quantity.value},
                          {"orders", orders}});
        return levels.size() < most;
    });
    return levels;
}

ordered_json spread_json(const Reading& reading, const InstrumentStatistics& statistics) {
    const auto spread = known_spread(reading, statistics);
    if (!spread) return nullptr;
    return {{"mean", in_currency(spread->mean)},
            {"median", in_currency(spread->median)},
            {"min", in_currency(static_cast<double>(spread->least))},
            {"max", in_currency(static_cast<double>(spread->most))},
            {"seconds", static_cast<double>(spread->time_ns) / 1e9}};
}

ordered_json coverage_json(const InstrumentStatistics& statistics) {
    const auto coverage = statistics.coverage();
    if (!coverage) return nullptr;
    const auto share = [](double part) { return std::round(part * 1e6) / 1e6; };
    return {{"two_sided", share(coverage->two_sided)}, {"crossed", share(coverage->crossed)}};
}

ordered_json depth_json(const ReplayResult& result, const InstrumentStatistics& statistics) {
    const auto& depth = statistics.depth;
    if (depth.count == 0) return nullptr;
    const auto mean = [&](std::int64_t sum) {
        const double exact = static_cast<double>(sum) / static_cast<double>(depth.count);
        return std::round(exact * 100.0) / 100.0;
    };
    return {{"levels", levels_known(result.reading.depth, result.options.depth)},
            {"samples", depth.count},
            {"bid_mean", mean(depth.bid_sum)},
            {"ask_mean", mean(depth.ask_sum)}};
}

ordered_json trades_json(const InstrumentStatistics& statistics) {
    if (!statistics.first_trade) return nullptr;
    return {{"first", in_currency(*statistics.first_trade)},
            {"high", in_currency(statistics.high_trade)},
            {"low", in_currency(statistics.low_trade)},
            {"last", in_currency(statistics.last_trade)}};
}

ordered_json instrument_json(const ReplayResult& result, std::size_t index) {
    const InstrumentStatistics& s = result.books.observer().instruments()[index];
    const InstrumentId id{static_cast<std::uint32_t>(index + 1)};
    using order_flow::Change;
    return {{"symbol", s.symbol},
            {"messages", s.messages()},
            {"orders", s.orders()},
            {"added", s.count(Change::added)},
            {"executed", s.count(Change::executed)},
            {"cancelled_in_part", s.count(Change::reduced)},
            {"deleted", s.count(Change::removed)},
            {"replaced", s.count(Change::replaced)},
            {"trades", s.traded.trades()},
            {"volume", s.traded.volume()},
            {"hidden_trades", s.traded.hidden.trades},
            {"hidden_volume", s.traded.hidden.volume},
            {"crosses", s.traded.crosses.trades},
            {"cross_volume", s.traded.crosses.volume},
            {"prices", trades_json(s)},
            {"spread", spread_json(result.reading, s)},
            {"covered", coverage_json(s)},
            {"depth", depth_json(result, s)},
            {"bids", ladder_json(result, id, Side::buy)},
            {"asks", ladder_json(result, id, Side::sell)}};
}

ordered_json anomalies_json(const order_flow::Anomalies& anomalies, const std::string& place) {
    ordered_json object{{"total", anomalies.total()}};
    for (std::size_t i = 0; i < order_flow::k_anomaly_kinds; ++i) {
        const auto kind = static_cast<order_flow::Anomaly>(i);
        const auto& entry = anomalies.of(kind);
        if (entry.count > 0)
            object[std::string{name(kind)}] = {{"count", entry.count}, {place, entry.first_place}};
    }
    return object;
}

ordered_json fill_json(const std::optional<replay::Fill>& fill) {
    if (!fill) return nullptr;
    return {{"order", fill->order.value},
            {"price", in_currency(fill->price)},
            {"quantity", fill->quantity.value}};
}

ordered_json disagreement_json(const std::optional<replay::Disagreement>& first) {
    if (!first) return nullptr;
    return {{"time", time_text(first->time_ns, 9)},
            {"symbol", first->symbol},
            {"recorded", fill_json(first->recorded)},
            {"engine", fill_json(first->engine)}};
}

ordered_json rematch_json(const replay::RematchReport& r) {
    ordered_json rejected = ordered_json::object();
    for (std::size_t i = 0; i < r.rejected.size(); ++i)
        if (r.rejected[i] > 0) rejected[std::string{name(static_cast<Reason>(i))}] = r.rejected[i];
    return {{"commands", r.commands},
            {"rejected", rejected},
            {"aggressors", r.aggressors},
            {"aggressors_equal", r.aggressors_equal},
            {"executions_recorded", r.recorded},
            {"executions_engine", r.matched},
            {"volume_recorded", r.recorded_volume},
            {"volume_engine", r.matched_volume},
            {"price_and_size_equal", r.equal_price_and_size},
            {"resting_order_equal", r.equal_order},
            {"resting_order_not_known", r.order_not_known},
            {"executions_unrecorded", r.unrecorded},
            {"left_out",
             {{"at_other_price", r.left_out_at_other_price},
              {"hidden", r.left_out_hidden},
              {"crosses", r.left_out_crosses}}},
            {"diverged", r.diverged},
            {"repaired", r.repaired},
            {"first_price_or_size_difference", disagreement_json(r.first_price_or_size)},
            {"first_order_difference", disagreement_json(r.first_order)}};
}

void add_outcome(ordered_json& object, const Reading& reading) {
    object["complete"] = reading.whole;
    if (!reading.error.empty()) object["error"] = reading.error;
    if (!reading.notes.empty()) object["notes"] = reading.notes;
    if (reading.changes) add_changes(object, *reading.changes);
    const archive::DayDepth& depth = reading.depth;
    if (depth.depth > 0) object["book_known_to_level"] = depth.depth;
    if (const auto not_known = archive::sentences(depth); !not_known.empty())
        object["not_known"] = not_known;
    if (depth.has(archive::DayDepth::k_messages_alone)) object["book_of_messages_alone"] = true;
    if (depth.book_from_ns > 0 && depth.book_from_ns != archive::DayDepth::k_to_the_end)
        object["book_known_from"] = time_text(depth.book_from_ns, 9);
    if (depth.book_until_ns != archive::DayDepth::k_to_the_end)
        object["book_known_until"] = time_text(depth.book_until_ns, 9);
}

}  // namespace

ordered_json to_json(const ReplayResult& result) {
    const replay::MarketStatistics& statistics = result.books.observer();
    ordered_json object{{"file", result.options.file.string()},
                        {"format", names_of(result.format).name},
                        {"mode", result.rematch == nullptr ? "build" : "rematch"}};
    add_outcome(object, result.reading);
    object["messages"] = result.reading.messages;
    object["seconds"] = std::round(result.reading.seconds * 1e6) / 1e6;
    if (const auto first_ns = statistics.first_ns()) {
        object["first_time"] = time_text(*first_ns, 9);
        object["last_time"] = time_text(statistics.last_ns(), 9);
    }
    object["most_resting_orders"] = statistics.most_orders();
    object["anomalies"] = anomalies_json(result.books.anomalies(),
                                         fmt::format("first_{}", names_of(result.format).place));
    if (result.rematch != nullptr) object["rematch"] = rematch_json(*result.rematch);
    object["instruments"] = ordered_json::array();
    for (const std::size_t index : busiest_first(statistics))
        object["instruments"].push_back(instrument_json(result, index));
    return object;
}

ordered_json to_json(const VerificationResult& result) {
    const convert::RowsReport& rows = result.day.report();
    const lobster::PairReader& files = result.day.files();
    ordered_json object{{"file", result.options.file.string()},
                        {"book", files.book_name()},
                        {"format", "lobster"},
                        {"check", files.is_wide() ? "full_replay" : "transition"}};
    add_outcome(object, result.reading);
    object["rows_checked"] = rows.checked;
    object["rows_equal"] = rows.equal;
    object["levels"] = result.day.depth();
    object["levels_revealed"] = rows.revealed;
    object["message_rows"] = files.messages();
    object["book_rows"] = files.rows();
    object["seed_message_row"] = rows.seed_message;
    object["failures"] = ordered_json::array();
    for (const auto& failure : rows.failures)
        object["failures"].push_back({{"book_row", failure.book_row},
                                      {"message_row", failure.message_row},
                                      {"difference", failure.text}});
    return object;
}

}  // namespace damrak::app
