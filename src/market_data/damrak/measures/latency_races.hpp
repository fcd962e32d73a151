// Races for a quote: a participant takes it, and within 500 microseconds another one fails to take
// the same side, or fails to cancel the order that was taken. Who came first won; its rent is what
// the taken shares are worth at the mid a second later, less what was paid. Needs the messages that
// failed and their owners, so recorded days have none. Called by MarketMeasures, in time order.
//
// Source: Aquilina, Budish and O'Neill (2022), Quantifying the high-frequency trading "arms race".
#pragma once

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <vector>

#include <damrak/domain/identifiers.hpp>
#include <damrak/domain/measures.hpp>
#include <damrak/domain/order_terms.hpp>

namespace damrak::measures {

/// How one group did in latency races.
struct RaceResult {
    std::uint64_t entered = 0;  ///< participants times races
    std::uint64_t won = 0;
    std::int64_t shares = 0;      ///< taken in races that were won
    std::int64_t twice_rent = 0;  ///< price units times shares
};

class LatencyRaces {
  public:
    static constexpr std::int64_t k_window_ns = 500'000;
    static constexpr std::int64_t k_rent_after_ns = 1'000'000'000;

    // In time order:
    void take(Timestamp time, ParticipantId who, OrderId order, Side side, Price price,
              Quantity quantity);
    /// An order of `who` rested and was taken.
    void taken(Timestamp time, ParticipantId who, Side taker_side);
    /// An order that should have traded at once did not, or not at all.
    void take_failed(Timestamp time, ParticipantId who, OrderId order, Side side);
    void cancel_failed(Timestamp time, ParticipantId who);
    /// The mid was this until `until`, inclusive; zero: there was none.
    void settle(Timestamp until, std::int64_t twice_mid);

    [[nodiscard]] std::uint64_t races() const { return races_; }
    [[nodiscard]] const std::map<std::uint32_t, RaceResult>& by_participant() const {
        return results_;
    }

  private:
    struct Take {
        Timestamp time{};
        ParticipantId winner{};
        OrderId order{};
        Side side{};
        std::int64_t shares = 0;
        std::int64_t paid = 0;  ///< price units times shares
        std::vector<ParticipantId> losers;
    };
    void lose(Take& take, ParticipantId who);
    void close(Take& take);
    [[nodiscard]] static bool is_near(const Take& take, Timestamp time) {
        return take.winner && (time - take.time).value <= k_window_ns;
    }

    std::array<Take, 2> last_{};           ///< by side
    std::map<std::uint32_t, Take> taken_;  ///< by owner: when and by which side
    std::deque<Take> won_;                 ///< races whose rent is not due yet
    std::map<std::uint32_t, RaceResult> results_;
    std::uint64_t races_ = 0;
};

}  // namespace damrak::measures
