#include <damrak/participants/detail/scripted_trader.hpp>

#include <cstddef>

#include <damrak/base/duration_text.hpp>
#include <damrak/participants/detail/timers.hpp>
#include <damrak/participants/detail/words.hpp>

namespace damrak::participants {

using market_kernel::MarketAccess;

namespace {

using ScriptWords = std::vector<std::string_view>;
constexpr double k_script_units = 10'000;  // price units of the currency's unit
constexpr std::string_view k_row_form =
    "TIME buy|sell QUANTITY market|limit PRICE [ioc|fok] [post-only] [hidden] [show QUANTITY] "
    "[for TIME], or TIME cancel";

// Reads the options from `next` on; false: there is another word.
bool read_options(const ScriptWords& words, std::size_t next, ScriptedOrder& row) {
    market_kernel::NewOrder& order = row.order;
    for (; next < words.size(); ++next) {
        const std::string_view word = words[next];
        const std::string_view value = next + 1 < words.size() ? words[next + 1] : "";
        if (word == "ioc") {
            order.time_in_force = TimeInForce::ioc;
        } else if (word == "fok") {
            order.time_in_force = TimeInForce::fok;
        } else if (word == "post-only") {
            order.post_only = true;
        } else if (word == "hidden") {
            order.hidden = true;
        } else if (word == "show") {
            const auto shown = detail::number_of<std::int64_t>(value);
            if (!shown || *shown < 1 || *shown > order.quantity.value) return false;
            order.display_quantity = {*shown};
            ++next;
        } else if (word == "for") {
            row.for_ns = parse_duration(value).value_or(0);
            if (row.for_ns == 0) return false;
            ++next;
        } else {
            return false;
        }
    }
    return true;
}

bool read_order(const ScriptWords& words, ScriptedOrder& row) {
    if (words.size() < 4 || (words[1] != "buy" && words[1] != "sell")) return false;
    row.order.side = words[1] == "buy" ? Side::buy : Side::sell;
    const auto quantity = detail::number_of<std::int64_t>(words[2]);
    if (!quantity || *quantity < 1 || *quantity > 1'000'000'000) return false;
    row.order.quantity = {*quantity};
    if (words[3] == "market") {
        row.order.type = OrderType::market;
        row.order.time_in_force = TimeInForce::ioc;
        return words.size() == 4;
    }
    if (words[3] != "limit" || words.size() < 5) return false;
    const auto price = detail::number_of<double>(words[4]);
    if (!price || !(*price > 0 && *price < 1e9)) return false;
    row.order.price = {static_cast<std::int64_t>(*price * k_script_units + 0.5)};
    return read_options(words, 5, row);
}

}  // namespace

std::expected<ScriptedOrder, std::string> parse_scripted_order(std::string_view text) {
    const ScriptWords words = detail::words_of(text);
    ScriptedOrder row;
    const auto at = words.empty() ? std::nullopt : parse_duration(words[0]);
    if (at) row.at_ns = *at;
    row.cancels = words.size() == 2 && words[1] == "cancel";
    if (at && (row.cancels || read_order(words, row))) return row;
    return std::unexpected{"orders: \"" + std::string{text} + "\" must be " +
                           std::string{k_row_form}};
}

std::vector<Parameter<ScriptedTrader::Parameters>> ScriptedTrader::parameters() {
    return ParameterRows<Parameters>{}
        .texts("orders", &Parameters::orders, k_row_form,
               "The list; each order goes into each instrument of the group")
        .take();
}

std::string ScriptedTrader::check(const Parameters& parameters) {
    for (const std::string& text : parameters.orders)
        if (const auto row = parse_scripted_order(text); !row) return row.error();
    return {};
}

ScriptedTrader::ScriptedTrader(const Parameters& parameters, const Assignment& assignment)
    : instruments_(assignment.instruments) {
    for (const std::string& text : parameters.orders)
        if (const auto row = parse_scripted_order(text)) script_.push_back(*row);
}

// Keys of timers: a row of the script counted from one, below 2^32, or an order to take back.
void ScriptedTrader::on_start(MarketAccess& access) {
    for (std::size_t i = 0; i < script_.size(); ++i)
        access.wake_at({access.now().value + script_[i].at_ns}, i + 1);
}

void ScriptedTrader::on_timer(MarketAccess& access, std::uint64_t key) {
    if (key > script_.size()) {
        access.cancel(detail::handle_of(key));
        return;
    }
    const ScriptedOrder& row = script_[key - 1];
    if (!row.cancels) return send(access, row);
    for (const market_kernel::OrderHandle order : sent_) access.cancel(order);
    sent_.clear();
}

void ScriptedTrader::send(MarketAccess& access, const ScriptedOrder& row) {
    for (const InstrumentId instrument : instruments_) {
        market_kernel::NewOrder order = row.order;
        order.instrument = instrument;
        const auto sent = access.enter(order);
        if (!sent) continue;
        sent_.push_back(sent);
        if (row.for_ns > 0) access.wake_at({access.now().value + row.for_ns}, detail::key_of(sent));
    }
}

}  // namespace damrak::participants
