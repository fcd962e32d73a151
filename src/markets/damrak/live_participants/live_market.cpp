#include <damrak/live_participants/live_market.hpp>

#include <algorithm>
#include <exception>
#include <utility>

namespace damrak::live_participants {
namespace {

std::string name_of(const market_kernel::Seat& seat) {
    return seat.group + ' ' + std::to_string(seat.member + 1) + " of " +
           std::to_string(seat.members);
}

}  // namespace

LiveMarket::LiveMarket(market_kernel::MarketSetup setup, const client::FeedBooks& books)
    : shared_{.seed = setup.seed,
              .instruments = setup.instruments,
              .fundamentals = {setup.seed, setup.begin, setup.factors, setup.fundamentals,
                               setup.value_step_ns},
              .view = {books, setup.instruments},
              .now = setup.begin},
      waiting_(std::move(setup.seats)),
      gateways_(waiting_.size()) {
    seats_.resize(waiting_.size());
    for (const market_kernel::Seat& seat : waiting_) names_.push_back(name_of(seat));
}

std::string LiveMarket::name(std::size_t participant) const { return names_[participant]; }

void LiveMarket::connect(std::size_t participant, client::TermGateway& gateway) {
    gateways_[participant] = &gateway;
    seats_[participant] =
        std::make_unique<LiveSeat>(shared_, std::move(waiting_[participant]), gateway);
}

template <class F>
void LiveMarket::guarded(LiveSeat& seat, F&& call) {
    if (seat.is_isolated) return;
    try {
        call();
    } catch (const std::exception& error) {
        seat.is_isolated = true;
        faults_.push_back(name_of(seat.seat()) + ": " + error.what());
    }
}

void LiveMarket::step(Timestamp now) {
    shared_.now = std::max(now, shared_.now);
    shared_.view.refresh(shared_.now);
    if (!has_started_ && shared_.view.is_complete()) {
        has_started_ = true;
        for (auto& seat : seats_) guarded(*seat, [&] { seat->participant().on_start(*seat); });
    }
    for (auto& seat : seats_) guarded(*seat, [&] { seat->hear(); });
    if (is_leaving_) return;
    for (auto& seat : seats_)
        for (const LiveSeat::Subscription& to : seat->subscriptions())
            if ((shared_.view.news(to.instrument) & to.news) != 0)
                guarded(*seat, [&] { seat->participant().on_market(*seat, to.instrument); });
    for (auto& seat : seats_)
        while (const auto timer = seat->due_timer())
            guarded(*seat, [&] { seat->participant().on_timer(*seat, timer->key); });
}

std::optional<Timestamp> LiveMarket::next_timer() const {
    std::optional<Timestamp> next;
    for (const auto& seat : seats_)
        if (const auto timer = seat->next_timer(); timer && (!next || *timer < *next)) next = timer;
    return next;
}

bool LiveMarket::withdraw() {
    is_leaving_ = true;
    bool is_clean = true;
    for (client::TermGateway* const gateway : gateways_) {
        static_cast<void>(gateway->take_news());
        const bool is_quiet = gateway->pending() == 0;
        is_clean = is_clean && is_quiet && gateway->orders().empty();
        if (!is_quiet) continue;
        std::vector<std::uint32_t> open;
        for (const auto& [number, order] : gateway->orders())
            if (order.state == client::OwnOrder::State::open) open.push_back(number);
        for (const std::uint32_t number : open) gateway->cancel(number);
    }
    return is_clean;
}

std::uint64_t LiveMarket::orders_sent() const {
    std::uint64_t sum = 0;
    for (const auto& seat : seats_) sum += seat->orders_sent();
    return sum;
}

std::uint64_t LiveMarket::trades() const {
    std::uint64_t sum = 0;
    for (const auto& seat : seats_) sum += seat->trades();
    return sum;
}

}  // namespace damrak::live_participants
