#include <damrak/archive/participant_accounts.hpp>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <damrak/archive/day_json.hpp>

namespace damrak::archive {

void ParticipantAccounts::add(std::span<const LoggedEvent> events,
                              std::span<const LoggedInstrument> instruments, const Fees& fees) {
    const bool charges = fees.exist();
    for (const LoggedEvent& logged : events) {
        const Event& event = logged.event;
        if (!event.participant) continue;
        switch (event.kind) {
            case EventKind::accepted:
                ++accounts_[event.participant.value].orders;
                break;
            case EventKind::cancelled:
                ++accounts_[event.participant.value].cancels;
                break;
            case EventKind::executed:
                ++accounts_[event.participant.value].trades;
                last_prices_[event.instrument.value] = event.price.value;
                hold(event, event.price, event.quantity);
                if (charges) charge(event, instruments, fees);
                break;
            case EventKind::trade_busted:
                --accounts_[event.participant.value].trades;
                hold(event, event.price, -event.quantity);
                break;
            case EventKind::trade_corrected:
                hold(event, {event.displayed.value}, -event.remaining);
                hold(event, event.price, event.quantity);
                break;
            default:
                break;
        }
    }
}

void ParticipantAccounts::charge(const Event& executed,
                                 std::span<const LoggedInstrument> instruments, const Fees& fees) {
    const auto of = std::ranges::find(instruments, executed.instrument, &LoggedInstrument::id);
    if (of == instruments.end()) return;
    accounts_[executed.participant.value].holdings[executed.instrument.value].fees +=
        fee_of(fees.of(executed.participant).of(executed), executed.price, executed.quantity,
               of->price_decimals);
}

void ParticipantAccounts::hold(const Event& of, Price price, Quantity quantity) {
    Account& account = accounts_[of.participant.value];
    account.volume += static_cast<std::uint64_t>(quantity.value);
    Holding& holding = account.holdings[of.instrument.value];
    const std::int64_t bought = of.side == Side::buy ? quantity.value : -quantity.value;
    holding.position += bought;
    holding.cash -= bought * price.value;
}

void ParticipantAccounts::append_json(std::string& json,
                                      std::span<const LoggedInstrument> instruments,
                                      const std::map<std::uint32_t, std::string>& groups) const {
    std::map<std::uint32_t, LoggedInstrument> known;
    for (const LoggedInstrument& one : instruments) known[one.id.value] = one;
    json += '[';
    for (const auto& [participant, account] : accounts_) {
        if (!json.ends_with('[')) json += ", ";
        json += fmt::format(R"({{"participant": {}, "group": )", participant);
        const auto group = groups.find(participant);
        append_string(json, group == groups.end() ? "" : group->second);
        std::string positions;
        double profit = 0;
        double fees = 0;
        for (const auto& [id, holding] : account.holdings) {
            const LoggedInstrument& instrument = known[id];
            const double unit = std::pow(10.0, -static_cast<double>(instrument.price_decimals));
            const std::int64_t held = holding.position * last_prices_.at(id);
            const double fees_of_instrument = static_cast<double>(holding.fees) * unit;
            const double of_instrument =
                static_cast<double>(holding.cash + held - holding.fees) * unit;
            profit += of_instrument;
            fees += fees_of_instrument;
            if (!positions.empty()) positions += ", ";
            append_string(positions += R"({"symbol": )", instrument.symbol.view());
            positions += fmt::format(R"(, "position": {}, "fees": {:.4f}, "profit": {:.4f}}})",
                                     holding.position, fees_of_instrument, of_instrument);
        }
        json += fmt::format(
            R"(, "orders": {}, "cancels": {}, "trades": {}, "volume": {}, "fees": {:.4f}, )"
            R"("profit": {:.4f}, "positions": [{}]}})",
            account.orders, account.cancels, account.trades, account.volume, fees, profit,
            positions);
    }
    json += ']';
}

}  // namespace damrak::archive
