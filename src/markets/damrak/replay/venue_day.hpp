// A recorded day by the rules of a venue: a consumer (recorded.hpp) that enters the participants'
// orders, as far as the recording shows them, at the times of the recording, and lets the venue
// lead the instruments through its sessions. What then trades is the venue's; the recording does
// not react to it. docs/reference/replay.md lists the command for each message.
//
// Beside it are the books as recorded, with their statistics. One thread; about a microsecond a
// message.
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/base/local_days.hpp>
#include <damrak/replay/detail/recorded_orders.hpp>
#include <damrak/replay/detail/venue_figures.hpp>
#include <damrak/replay/market_statistics.hpp>
#include <damrak/venue/venue_run.hpp>

namespace damrak::replay {

class VenueDay {
  public:
    using Books = order_flow::BookBuilder<MarketStatistics>;

    /// The zone of the venue was checked when its file was read. The seed is that of random ends.
    VenueDay(const RematchCapacity& capacity, const StatisticsSettings& settings,
             std::shared_ptr<const venue::Venue> venue, std::uint64_t seed);

    InstrumentId declare(std::string_view symbol);
    bool on_add(const order_flow::At& at, OrderId id, Side side, Price price, Quantity quantity);
    bool on_execute(const order_flow::At& at, OrderId id, Quantity quantity);
    bool on_execute_at(const order_flow::At& at, OrderId id, Quantity quantity, Price price,
                       bool printable);
    bool on_reduce(const order_flow::At& at, OrderId id, Quantity quantity);
    bool on_remove(const order_flow::At& at, OrderId id);
    bool on_replace(const order_flow::At& at, OrderId id, OrderId fresh, Price price,
                    Quantity quantity);
    bool on_trade(const order_flow::At& at, order_flow::TradeKind kind, Price price,
                  Quantity quantity, std::optional<Side> aggressor);
    bool on_phase(const order_flow::At& at, order_flow::StateChange phase) {
        return books_.on_phase(at, phase);
    }
    void ahead(InstrumentId instrument, OrderId id) { books_.ahead(instrument, id); }

    /// The recording ended; unless it was cut, the venue continues until midnight.
    void finish(bool was_cut);

    /// The books as recorded.
    [[nodiscard]] const Books& books() const { return books_; }
    [[nodiscard]] Books& books() { return books_; }
    [[nodiscard]] const Order* find(InstrumentId instrument, OrderId id) const {
        return books_.find(instrument, id);
    }
    [[nodiscard]] Price price_of(const Order& order) const { return books_.price_of(order); }
    [[nodiscard]] Quantity displayed_at(InstrumentId instrument, Side side, Price price) const {
        return books_.displayed_at(instrument, side, price);
    }
    [[nodiscard]] order_flow::Anomalies& anomalies() { return books_.anomalies(); }

    [[nodiscard]] const venue::Venue& venue() const { return *venue_; }
    [[nodiscard]] const Engine& engine() const { return run_.engine(); }
    [[nodiscard]] const VenueFigures& figures() const { return figures_; }
    /// A rule of the venue that an instrument of the day cannot have; what follows is left out.
    [[nodiscard]] const std::string& refusal() const { return refusal_; }

  private:
    void go_to(std::int64_t time_ns);
    void submit(Command command);
    void add_instruments();
    void submit_incoming();
    [[nodiscard]] const Order* find_in_engine(InstrumentId instrument, OrderId id) const;
    void take_away(const order_flow::At& at, OrderId id, Quantity quantity);

    Books books_;
    std::shared_ptr<const venue::Venue> venue_;
    LocalDays days_;
    VenueFigures figures_;
    venue::VenueRun run_;
    std::vector<detail::Incoming> incoming_;  ///< by instrument
    std::vector<InstrumentId> have_incoming_;
    std::vector<std::string> undeclared_;  ///< symbols that the engine does not know yet
    std::uint32_t declared_ = 0;           ///< in the engine
    std::uint64_t last_incoming_ = 0;
    std::optional<std::int64_t> time_ns_;  ///< of the recording
    std::string refusal_;
};

}  // namespace damrak::replay
