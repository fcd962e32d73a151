#include <damrak/participants/detail/legs.hpp>

#include <algorithm>
#include <cstdlib>
#include <utility>

#include <damrak/participants/detail/taking.hpp>

namespace damrak::participants::detail {

using market_kernel::MarketAccess;

Legs::Legs(std::vector<InstrumentId> instruments, std::vector<double> weights)
    : instruments_(std::move(instruments)),
      weights_(std::move(weights)),
      is_sound_(instruments_.size() > 1 && weights_.size() + 1 == instruments_.size()) {}

bool Legs::has_prices(MarketAccess& access) const {
    return is_sound_ && std::ranges::all_of(instruments_, [&](InstrumentId instrument) {
               return access.view(instrument).has_both();
           });
}

double Legs::ask(MarketAccess& access) const {
    double sum = 0;
    for (std::size_t i = 0; i < weights_.size(); ++i)
        sum += weights_[i] * static_cast<double>(access.view(instruments_[i + 1]).ask.value);
    return sum;
}

double Legs::bid(MarketAccess& access) const {
    double sum = 0;
    for (std::size_t i = 0; i < weights_.size(); ++i)
        sum += weights_[i] * static_cast<double>(access.view(instruments_[i + 1]).bid.value);
    return sum;
}

double Legs::mid(MarketAccess& access) const { return (ask(access) + bid(access)) / 2; }

void Legs::take(MarketAccess& access, std::size_t leg, Side side, std::int64_t quantity) {
    const InstrumentId instrument = instruments_[leg];
    const views::PublicChange& view = access.view(instrument);
    const std::int64_t lot = access.definition(instrument).lot_size.value;
    quantity = quantity / lot * lot;
    if (quantity <= 0 || !(side == Side::buy ? view.has_ask() : view.has_bid())) return;
    const auto order = access.enter({.instrument = instrument,
                                     .side = side,
                                     .time_in_force = TimeInForce::ioc,
                                     .price = side == Side::buy ? view.ask : view.bid,
                                     .quantity = {quantity}});
    if (order) ++under_way_;
}

void Legs::trade(MarketAccess& access, Side side, std::int64_t quantity,
                 std::int64_t most_position) {
    if (under_way_ > 0) return;
    quantity = std::min(quantity, room(access, instruments_[0], side, most_position));
    // Not more than every leg shows, so that the legs are filled alike.
    for (std::size_t leg = 0; leg < instruments_.size(); ++leg) {
        const views::PublicChange& view = access.view(instruments_[leg]);
        const Side taken = leg == 0 ? side : opposite(side);
        const Quantity shown = taken == Side::buy ? view.ask_quantity : view.bid_quantity;
        const double weight = leg == 0 ? 1 : weights_[leg - 1];
        if (weight > 0)
            quantity = std::min(
                quantity, static_cast<std::int64_t>(static_cast<double>(shown.value) / weight));
    }
    if (quantity <= 0) return;
    take(access, 0, side, quantity);
    for (std::size_t i = 0; i < weights_.size(); ++i)
        take(access, i + 1, opposite(side),
             static_cast<std::int64_t>(static_cast<double>(quantity) * weights_[i] + 0.5));
}

void Legs::balance(MarketAccess& access) {
    if (!is_sound_ || under_way_ > 0) return;
    const auto first = static_cast<double>(access.position(instruments_[0]).value);
    for (std::size_t i = 0; i < weights_.size(); ++i) {
        const double wanted = -first * weights_[i];
        const auto whole = static_cast<std::int64_t>(wanted + (wanted < 0 ? -0.5 : 0.5));
        const std::int64_t lack = whole - access.position(instruments_[i + 1]).value;
        if (lack != 0) take(access, i + 1, lack > 0 ? Side::buy : Side::sell, std::abs(lack));
    }
}

void Legs::on_report(const market_kernel::Report& report) {
    if (report.order.state == market_kernel::OwnOrder::State::done) --under_way_;
}

}  // namespace damrak::participants::detail
