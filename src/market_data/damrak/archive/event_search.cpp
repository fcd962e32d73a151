#include <damrak/archive/event_search.hpp>

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <damrak/archive/day_json.hpp>
#include <damrak/telemetry/name_table.hpp>
#include <damrak/telemetry/records.hpp>

namespace damrak::archive {

namespace {

constexpr std::uint32_t k_most_decimals = 18;

/// A price in units of 10^-decimals.
std::string decimal_price(std::int64_t units, std::uint32_t decimals) {
    const bool is_negative = units < 0;
    const std::uint64_t all =
        is_negative ? ~static_cast<std::uint64_t>(units) + 1 : static_cast<std::uint64_t>(units);
    std::string digits = fmt::format("{:0{}}", all, decimals + 1);
    if (decimals > 0) digits.insert(digits.size() - decimals, ".");
    return is_negative ? "-" + digits : digits;
}

}  // namespace

EventFilter::EventFilter(EventQuestion question, std::span<const LoggedInstrument> instruments)
    : question_(std::move(question)), orders_{question_.order} {
    for (const LoggedInstrument& one : instruments) instruments_[one.id.value] = one;
}

bool EventFilter::has(const LoggedEvent& logged) {
    const Event& event = logged.event;
    if (question_.order != 0) {
        if (!orders_.contains(event.order_id.value)) return false;
        if (event.kind == EventKind::replaced) orders_.insert(event.new_order_id().value);
    }
    if (logged.record < question_.from || logged.record > question_.to) return false;
    if (question_.participant != 0 && event.participant.value != question_.participant)
        return false;
    return question_.symbol.empty() ||
           instrument(event.instrument).symbol.view() == question_.symbol;
}

bool EventFilter::may_skip(const EventBlockHeader& block) const {
    if (block.first_record > question_.to) return true;
    // A block with a part of a command ends with the record before it.
    return question_.order == 0 && block.last_record + 1 < question_.from;
}

LoggedInstrument EventFilter::instrument(InstrumentId id) const {
    const auto found = instruments_.find(id.value);
    return found == instruments_.end() ? LoggedInstrument{} : found->second;
}

EventText::EventText(const LoggedEvent& logged, const LoggedInstrument& instrument)
    : event(telemetry::k_event_names[logged.event.kind].view()) {
    const Event& what = logged.event;
    if (what.order_id) side = telemetry::k_side_names[what.side].view();
    if (what.instrument)
        price =
            decimal_price(what.price.value, std::min(instrument.price_decimals, k_most_decimals));
    const auto add = [&](EventFlags::Bits bit, std::string_view name) {
        if (has_flag(what, bit)) flags.push_back(name);
    };
    add(EventFlags::k_on_book, "on_book");
    add(EventFlags::k_aggressor, "aggressor");
    add(EventFlags::k_hidden, "hidden");
    add(EventFlags::k_repriced, "repriced");
    add(EventFlags::k_waiting, "waiting");
    add(EventFlags::k_held, "held");
    if (what.reason != Reason::none) reason = telemetry::k_reason_names[what.reason].view();
}

void append_event(std::string& json, const LoggedEvent& logged,
                  const LoggedInstrument& instrument) {
    const Event& event = logged.event;
    const EventText text{logged, instrument};
    json += fmt::format(R"({{"record": {}, "time_ns": {}, "event": "{}", "symbol": )",
                        logged.record, logged.time_ns, text.event);
    append_string(json, instrument.symbol.view());
    json += fmt::format(R"(, "participant": {}, "order": {}, "reference": {}, "quantity": {}, )"
                        R"("remaining": {}, "displayed": {})",
                        event.participant.value, event.order_id.value, event.reference,
                        event.quantity.value, event.remaining.value, event.displayed.value);
    if (!text.side.empty()) json += fmt::format(R"(, "side": "{}")", text.side);
    if (!text.price.empty()) json += fmt::format(R"(, "price": {})", text.price);
    if (!text.flags.empty())
        json += fmt::format(R"(, "flags": ["{}"])", fmt::join(text.flags, R"(", ")"));
    if (!text.reason.empty()) json += fmt::format(R"(, "reason": "{}")", text.reason);
    json += '}';
}

}  // namespace damrak::archive
