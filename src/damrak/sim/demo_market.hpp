// A few simple participants, so that there is something to see: two market makers around a slowly
// moving reference price, two who trade at random, one who follows the trend. Deterministic: the
// same seed, times and answers give the same orders. They are ordinary clients of the binary door;
// their caller carries the bytes of their OrderEntry.
//
// `damrak serve --demo-market` runs them on one thread. A turn costs a look at the own orders; the
// rate of requests is bounded for each participant and by k_demo_requests_per_second in sum.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include <damrak/client/order_entry.hpp>
#include <damrak/domain/identifiers.hpp>

namespace damrak::sim {

inline constexpr std::uint32_t k_demo_requests_per_second = 200;

/// Prices count 0.01, as on the wire.
struct DemoInstrument {
    InstrumentId id{};
    std::uint64_t price_e2 = 0;  ///< around which it begins
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
    /// Takes back all that rests of it. True when nothing is left.
    static bool withdraw(client::OrderEntry& entry);

  private:
    std::unique_ptr<detail::ReferencePrices> prices_;
    std::vector<std::unique_ptr<detail::DemoTrader>> traders_;
};

}  // namespace damrak::sim
