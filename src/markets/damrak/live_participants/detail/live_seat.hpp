// What one participant has of an exchange that runs: its connection to a gateway, its own orders
// and account by the reports that came, and the shared view of the feed. See market/participant.hpp
// for the contract.
//
// Differences from virtual time: prices are multiples of 0.01, as in the protocols; fees are not
// known; is_maker of a fill is false for what trades in the turn in which the order is accepted,
// true otherwise; self-trade prevention is the exchange's. A cancel or a replace of an order that
// is not acknowledged waits for that. Where the gateway has no post-only orders (binary), they are
// limit orders; where it has no immediate-or-cancel, they are cancelled when they are acknowledged.
// One thread; an own order costs an entry of a map.
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

#include <damrak/client/term_gateway.hpp>
#include <damrak/live_participants/detail/live_view.hpp>
#include <damrak/market_kernel/fundamental.hpp>
#include <damrak/market_kernel/market_setup.hpp>

namespace damrak::live_participants {

/// What the seats of a market share.
struct SharedMarket {
    std::uint64_t seed = 1;
    std::vector<InstrumentDefinition> instruments;
    market_kernel::Fundamentals fundamentals;
    LiveView view;
    Timestamp now{};
};

class LiveSeat final : public market_kernel::MarketAccess {
  public:
    struct Timer {
        Timestamp at{};
        std::uint64_t number = 0;  ///< earlier ones first
        std::uint64_t key = 0;
        friend auto operator<=>(const Timer&, const Timer&) = default;
    };
    struct Subscription {
        InstrumentId instrument{};
        std::uint8_t news = 0;
    };

    /// Both must outlive the seat.
    LiveSeat(SharedMarket& shared, market_kernel::Seat seat, client::TermGateway& gateway);

    [[nodiscard]] Timestamp now() const override { return shared_->now; }
    void wake_at(Timestamp at, std::uint64_t key) override;
    /// Throws what the gateway cannot carry, as a std::runtime_error.
    market_kernel::OrderHandle enter(const market_kernel::NewOrder& order) override;
    bool cancel(market_kernel::OrderHandle order, Quantity quantity) override;
    bool replace(market_kernel::OrderHandle order, Price price, Quantity quantity) override;
    [[nodiscard]] const market_kernel::OwnOrder* order(
        market_kernel::OrderHandle order) const override;
    [[nodiscard]] const views::PublicChange& view(InstrumentId instrument) override {
        return shared_->view.latest(instrument);
    }
    [[nodiscard]] const views::VisibleDepth& depth(InstrumentId instrument) override {
        return shared_->view.depth(instrument);
    }
    void subscribe(InstrumentId instrument, market_kernel::MarketNews news) override;
    [[nodiscard]] std::uint32_t instruments() const override {
        return static_cast<std::uint32_t>(shared_->instruments.size());
    }
    [[nodiscard]] const InstrumentDefinition& definition(InstrumentId id) const override {
        return shared_->instruments[id.value - 1];
    }
    [[nodiscard]] double fundamental(InstrumentId id, Timestamp at) override {
        const Timestamp known = std::min(at, shared_->now);
        return shared_->fundamentals.value(id, {known.value - seat_.connection.value_ns});
    }
    [[nodiscard]] Quantity position(InstrumentId id) const override {
        return {positions_[id.value - 1]};
    }
    [[nodiscard]] std::int64_t cash() const override { return cash_; }
    [[nodiscard]] market_kernel::Draws draws(std::string_view purpose) const override {
        return market_kernel::Draws{
            market_kernel::key_of(shared_->seed, seat_.group, seat_.member, purpose)};
    }
    [[nodiscard]] std::uint32_t member() const override { return seat_.member; }
    [[nodiscard]] std::uint32_t members() const override { return seat_.members; }

    // For LiveMarket:

    [[nodiscard]] const market_kernel::Seat& seat() const { return seat_; }
    [[nodiscard]] market_kernel::Participant& participant() const { return *seat_.participant; }
    [[nodiscard]] const std::vector<Subscription>& subscriptions() const { return subscriptions_; }
    [[nodiscard]] std::optional<Timestamp> next_timer() const;
    /// The next one that is due, taken out.
    [[nodiscard]] std::optional<Timer> due_timer();
    /// Handles what came over the connection; its participant hears of it.
    void hear();
    [[nodiscard]] std::uint64_t orders_sent() const { return sent_; }
    [[nodiscard]] std::uint64_t trades() const { return trades_; }
    bool is_isolated = false;
    bool is_connected = true;

  private:
    struct Wanted {
        bool is_cancel = false;
        Price price{};
        Quantity quantity{};
    };
    struct Known {
        market_kernel::OwnOrder order;
        std::uint64_t accepted_turn = 0;
        std::optional<Wanted> waits;  ///< until the order is acknowledged
    };

    [[nodiscard]] InstrumentId at_gateway(InstrumentId instrument) const;
    [[nodiscard]] Known* find(market_kernel::OrderHandle handle);
    void hear(const client::News& news);
    void forget_lost();
    void apply(const client::News& news, Known& known, market_kernel::Report& report);
    bool send_change(Known& known, const Wanted& wanted);

    SharedMarket* shared_;
    market_kernel::Seat seat_;
    client::TermGateway* gateway_;
    std::map<std::uint32_t, Known> orders_;  ///< by the connection's number
    std::vector<Timer> timers_;              ///< a heap, the earliest first
    std::vector<Subscription> subscriptions_;
    std::vector<std::int64_t> positions_;
    std::int64_t cash_ = 0;
    std::uint64_t timer_numbers_ = 0;
    std::uint64_t turn_ = 0;
    std::uint64_t sent_ = 0;
    std::uint64_t trades_ = 0;
};

}  // namespace damrak::live_participants
