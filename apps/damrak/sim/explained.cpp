#include "sim/explained.hpp"

#include <string_view>

#include <fmt/format.h>

#include <damrak/base/time_units.hpp>
#include <damrak/explain/sentences.hpp>

#include "cli.hpp"

namespace damrak::app {
namespace {

using Json = nlohmann::ordered_json;
using explain::Ending;
using explain::Fate;

constexpr double k_units_of_price = 10'000;

Timestamp midnight_before(Timestamp time) { return {time.value - time.value % k_day_ns}; }

std::string_view name_of(Ending ending) {
    switch (ending) {
        case Ending::under_way:
            return "under_way";
        case Ending::rejected:
            return "rejected";
        case Ending::filled:
            return "filled";
        case Ending::cancelled:
            return "cancelled";
        case Ending::removed:
            return "removed";
        case Ending::open:
            return "open";
    }
    return "";
}

Json price_json(Price price) { return static_cast<double>(price.value) / k_units_of_price; }

Json json_of(const explain::Crowd& crowd) {
    return {{"orders", crowd.orders}, {"quantity", crowd.quantity}};
}

Json json_of(const std::optional<explain::Facing>& facing) {
    if (!facing) return nullptr;
    return {{"price", price_json(facing->price)}, {"quantity", facing->quantity.value}};
}

/// With the names and the day that its fates need.
class FateJson {
  public:
    FateJson(const std::vector<explain::Member>& members, Timestamp midnight)
        : members_(&members), midnight_(midnight) {}

    [[nodiscard]] Json of(const Fate& fate) const {
        Json object{{"number", fate.number},
                    {"participant", owner(fate.terms.participant)},
                    {"order", fate.id.value},
                    {"side", fate.terms.side == Side::buy ? "buy" : "sell"},
                    {"quantity", fate.terms.quantity.value},
                    {"price", has_limit(fate.terms.order_type) ? price_json(fate.terms.price)
                                                               : Json(nullptr)},
                    {"sent", clock(fate.sent)},
                    {"facing_sent", json_of(fate.facing_sent)},
                    {"arrived", fate.arrived ? Json(clock(*fate.arrived)) : Json(nullptr)},
                    {"facing_arrived", json_of(fate.facing_arrived)}};
        if (fate.missed)
            object["missed"] = {{"price", price_json(fate.missed->price)},
                                {"gone", clock(fate.missed->gone)},
                                {"late_ns", (*fate.arrived - fate.missed->gone).value}};
        object["places"] = Json::array();
        for (const explain::Stay& stay : fate.stays) object["places"].push_back(of(stay));
        object["places_left_out"] = fate.dropped;
        object["trades"] = Json::array();
        for (const explain::Trade& trade : fate.trades) object["trades"].push_back(of(trade));
        object["trade_count"] = fate.trade_count;
        object["filled"] = fate.filled.value;
        if (fate.filled.value > 0)
            object["average_price"] = static_cast<double>(fate.value) /
                                      static_cast<double>(fate.filled.value) / k_units_of_price;
        object["ending"] = name_of(fate.ending);
        object["reason"] = damrak::name(fate.reason);
        object["ended"] = clock(fate.ended);
        object["open"] = fate.open.value;
        if (fate.late_request) object["late_request_ns"] = (*fate.late_request - fate.ended).value;
        object["outcome"] = explain::outcome_of(fate);
        return object;
    }

  private:
    [[nodiscard]] std::string clock(Timestamp time) const {
        return explain::clock_text(time, midnight_);
    }
    [[nodiscard]] std::string owner(ParticipantId id) const {
        return explain::name_of(id, *members_);
    }
    [[nodiscard]] Json of(const explain::Stay& stay) const {
        return {{"since", clock(stay.since)},
                {"until", clock(stay.until)},
                {"price", price_json(stay.price)},
                {"open", stay.open.value},
                {"hidden", stay.is_hidden},
                {"ahead_at_price", json_of(stay.at_price)},
                {"ahead_at_better_prices", json_of(stay.better)},
                {"traded", json_of(stay.traded)},
                {"cancelled", json_of(stay.cancelled)},
                {"moved", json_of(stay.moved)},
                {"joined", json_of(stay.joined)},
                {"hidden_traded", stay.hidden_traded},
                {"ahead_at_end", json_of(stay.ahead())},
                {"front", stay.front ? Json(clock(*stay.front)) : Json(nullptr)},
                {"nearest", stay.nearest ? price_json({*stay.nearest}) : Json(nullptr)}};
    }
    [[nodiscard]] Json of(const explain::Trade& trade) const {
        return {{"at", clock(trade.at)},
                {"price", price_json(trade.price)},
                {"quantity", trade.quantity.value},
                {"role", trade.is_maker ? "maker" : "taker"},
                {"hidden", trade.was_hidden},
                {"orders", trade.orders},
                {"with", owner(trade.other)},
                {"with_quantity", trade.other_ordered.value},
                {"with_price",
                 trade.other_limit.value == 0 ? Json(nullptr) : price_json(trade.other_limit)}};
    }

    const std::vector<explain::Member>* members_;
    Timestamp midnight_;
};

std::string terms_of(const Fate& fate) {
    return fmt::format(
        "{:<4} {:>8} {:>10}", fate.terms.side == Side::buy ? "buy" : "sell",
        fate.terms.quantity.value,
        has_limit(fate.terms.order_type) ? explain::price_text(fate.terms.price) : "market");
}

std::string ahead_of(const Fate& fate) {
    if (fate.stays.empty()) return "-";
    const explain::Stay& first = fate.stays.front();
    return fmt::format("{}", (first.at_price + first.better).quantity);
}

}  // namespace

std::expected<Watch, std::string> watch_for(const ExplainOptions& options,
                                            const market_runs::MarketFile& file) {
    if (options.question.empty()) return Watch{};
    std::vector<explain::Member> members;
    for (const market_runs::GroupDescription& group : file.groups)
        for (std::uint32_t member = 0; member < group.count; ++member)
            members.push_back({group.name, member, group.count});
    auto question = explain::parse_question(options.question, members);
    if (!question) return std::unexpected{question.error()};
    question->limit = options.limit;
    return std::make_unique<explain::OrderWatch>(std::move(members), *std::move(question));
}

std::vector<market_kernel::MarketWatcher*> watchers_of(const Watch& watch) {
    if (!watch) return {};
    return {watch.get()};
}

std::expected<void, std::string> answer(const Watch& watch, std::optional<Timestamp> end) {
    if (!watch) return {};
    watch->finish(end);
    if (const std::string wrong = unanswered(*watch); !wrong.empty()) return std::unexpected{wrong};
    return {};
}

Json json_of(const explain::OrderWatch& watch, Timestamp begin) {
    const FateJson made{watch.members(), midnight_before(begin)};
    Json fates = Json::array();
    for (const Fate& fate : watch.fates()) fates.push_back(made.of(fate));
    return {{"group", watch.question().group},
            {"orders_sent", watch.orders()},
            {"orders", std::move(fates)}};
}

void print_explained(const explain::OrderWatch& watch, Timestamp begin) {
    const Timestamp midnight = midnight_before(begin);
    const std::string& group = watch.question().group;
    fmt::print("\n");
    if (watch.question().number) {
        for (const Fate& fate : watch.fates())
            for (const std::string& line : story_of(fate, watch.members(), midnight))
                fmt::print("{}\n", line);
        return;
    }
    fmt::print("{:>6} {:<18} {:<4} {:>8} {:>10} {:>10} {:>8}  {}\n", "order", "sent", "side",
               "quantity", "price", "ahead", "filled", "what became of it");
    for (const Fate& fate : watch.fates())
        fmt::print("{:>6} {} {} {:>10} {:>8}  {}\n", fate.number,
                   explain::clock_text(fate.sent, midnight), terms_of(fate), ahead_of(fate),
                   fate.filled.value, explain::outcome_of(fate));
    fmt::print("{} of {} of {}; --explain {}:N explains one\n", watch.fates().size(),
               counted(static_cast<std::int64_t>(watch.orders()), "order"), group, group);
}

}  // namespace damrak::app
