// A few simple participants that make a market to look at: two market makers around a slowly moving
// reference price, two noise traders, one trend follower. Deterministic: the same seed, times and
// answers give the same orders. They are ordinary clients of the binary door; the caller transports
// the bytes of their OrderEntry.
//
// `damrak serve --demo-market` runs them on one thread. A turn checks the participant's own orders;
// request rates are bounded per participant, and by k_demo_requests_per_second in total.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include <damrak/client/order_entry.hpp>
#include <damrak/domain/identifiers.hpp>

namespace damrak::sim {

inline constexpr std::uint32_t k_demo_requests_per_second = 200;

/// Prices are in units of 0.01, as on the wire.
struct DemoInstrument {
    InstrumentId id{};
    std::uint64_t price_e2 = 0;  ///< initial price
    std::uint64_t tick_e2 = 1;
    std::uint64_t lot = 1;
};

namespace detail {
class DemoTrader;
class ReferencePrices;
}  // namespace detail

class DemoMarket {
  public:
    DemoMarket(std::vector<DemoInstrument> instruments, std::uint64_t seed);
    ~DemoMarket();

    [[nodiscard]] std::size_t traders() const { return traders_.size(); }
    [[nodiscard]] std::string_view name(std::size_t trader) const;

    /// A turn of a logged-in trader: handles news and sends requests. Time never decreases.
    void act(std::size_t trader, std::int64_t now_ns, client::OrderEntry& entry);
    /// Cancels all its resting orders. Returns true when none is left.
    static bool withdraw(client::OrderEntry& entry);

  private:
    std::unique_ptr<detail::ReferencePrices> prices_;
    std::vector<std::unique_ptr<detail::DemoTrader>> traders_;
};

}  // namespace damrak::sim
