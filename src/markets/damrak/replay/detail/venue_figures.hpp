// What a day by the rules of a venue came to, for each instrument: trades, auctions, spreads, and
// what became of the orders of the recording. Fed by every event of the engine, one thread.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/domain/event.hpp>
#include <damrak/engine/engine.hpp>
#include <damrak/replay/detail/spread_statistics.hpp>
#include <damrak/replay/detail/standing_time.hpp>
#include <damrak/replay/market_statistics.hpp>

namespace damrak::replay {

/// Orders that the venue accepted.
struct EnteredOrders {
    std::uint64_t orders{};
    std::uint64_t quantity{};
    std::uint64_t filled_orders{};  ///< whole
    std::uint64_t filled_quantity{};
};

struct VenueInstrument {
    std::string symbol;
    measures::TradeCount continuous;
    measures::TradeCount auctions;  ///< trades of calls, batches included
    std::uint64_t auctions_held{};  ///< that had a price
    std::uint64_t interruptions{};  ///< calls that a price began
    double value{};                 ///< price units times quantity, of all trades
    std::optional<Price> first_trade;
    Price last_trade{};
    Price high_trade{};
    Price low_trade{};
    SpreadStatistics spread;                    ///< of displayed orders, while they can trade
    StandingTime open;                          ///< the time in which they can
    EnteredOrders resting;                      ///< orders that the recording displayed
    EnteredOrders incoming;                     ///< those that executed others
    std::array<std::uint64_t, 256> rejected{};  ///< by Reason

    [[nodiscard]] std::uint64_t trades() const { return continuous.trades + auctions.trades; }
    [[nodiscard]] std::uint64_t volume() const { return continuous.volume + auctions.volume; }
    /// In price units; nothing without a trade.
    [[nodiscard]] std::optional<double> average_price() const;
};

class VenueFigures {
  public:
    void declare(std::string_view symbol) { instruments_.emplace_back().symbol = symbol; }
    void on_command() { ++commands_; }
    void on_gone() { ++gone_; }
    void on_left_out() { ++left_out_; }
    void on_event(const Event& event, Timestamp now, const Engine& engine);
    /// Spreads count until here.
    void end_of_recording(Timestamp now);

    [[nodiscard]] const std::vector<VenueInstrument>& instruments() const { return instruments_; }
    [[nodiscard]] std::uint64_t commands() const { return commands_; }
    /// Messages about orders that have traded, or were rejected.
    [[nodiscard]] std::uint64_t gone() const { return gone_; }
    /// Trades of the recording whose orders it does not show.
    [[nodiscard]] std::uint64_t left_out() const { return left_out_; }

  private:
    static void on_trade(VenueInstrument& of, const Event& event);
    void on_top(VenueInstrument& of, const InstrumentState& in, Timestamp now,
                const Engine& engine) const;

    std::vector<VenueInstrument> instruments_;
    std::uint64_t commands_{};
    std::uint64_t gone_{};
    std::uint64_t left_out_{};
    bool has_ended_{false};
};

}  // namespace damrak::replay
