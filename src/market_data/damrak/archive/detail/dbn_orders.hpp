// Records of orders (MBO) as ITCH messages. One thread. Memory: the open orders, and the snapshot
// that precedes a record.
//
// Books change by adds, cancels, modifications and clears alone. A trade becomes one message with
// its own price, whatever fills it has; a fill makes the cancel behind it an execution at that
// price. If trade, fill and cancel are about one order, all three are one execution of it;
// otherwise the executions of orders are not printable, so that no share is counted twice.
#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <unordered_set>
#include <utility>
#include <vector>

#include <damrak/archive/detail/dbn_days.hpp>
#include <damrak/wire/dbn/records.hpp>

namespace damrak::archive {

class DbnOrders {
  public:
    using Event = wire::dbn::MboRecord;
    using Result = std::expected<void, std::string>;

    explicit DbnOrders(DbnDays& days) : days_{&days} {}

    [[nodiscard]] Result on(const Event& event);
    /// After the last record.
    [[nodiscard]] Result end();

  private:
    /// By instrument, then number: a clear finds the orders of an instrument in one order.
    using Key = std::pair<std::uint32_t, std::uint64_t>;
    /// Executed quantity that no cancel has removed yet.
    struct Fill {
        std::uint32_t shares = 0;
        std::uint32_t price_e4 = 0;
        bool is_printable = false;
    };
    struct Open {
        std::uint64_t reference = 0;  ///< its number, unless another instrument uses it
        std::uint64_t rank = 0;       ///< orders of a price by priority
        Side side{};
        std::uint32_t price_e4 = 0;
        std::uint32_t shares = 0;
        std::vector<Fill> fills{};
    };
    using Orders = std::map<Key, Open>;
    /// Quantity at each price, to see whether a book is crossed.
    struct Sides {
        std::map<std::uint32_t, std::uint64_t, std::greater<>> bids;
        std::map<std::uint32_t, std::uint64_t> asks;
    };

    [[nodiscard]] Result move_to(std::uint64_t time_ns);
    void apply(const Event& event);
    void add(const Event& event);
    void modify(const Event& event);
    void clear(std::uint32_t instrument);
    /// Removes shares: as executions as far as there are fills, otherwise as a cancel. Ends the
    /// order and its reference when none are left.
    void take(Orders::iterator order, std::uint32_t shares);
    /// What the fills of the order took; returns what is left of `shares`.
    std::uint32_t execute(Orders::iterator order, std::uint32_t shares);
    void put(const Key& key, const Open& open, bool is_revealed);
    void count(const Key& key, const Open& open, std::int64_t shares);
    [[nodiscard]] bool is_crossed(std::uint32_t instrument) const;
    [[nodiscard]] std::uint64_t reference_for(std::uint64_t order);

    void note_fill(const Event& event);
    /// Tells the trade whose fills have all come. `next` is the record after them, or null.
    void end_trade(const Event* next);
    /// The order of the trade's only fill, if `next` removes that quantity from it.
    [[nodiscard]] Orders::iterator filled_by(const Event* next);

    DbnDays* days_;
    std::vector<Event> snapshot_;  ///< of the day of the first other record
    Orders open_;
    std::map<std::uint32_t, Sides> sides_;
    std::unordered_set<std::uint64_t> references_;  ///< of the orders in open_
    std::uint64_t renamed_ = 0;
    std::uint64_t ranks_ = 0;
    bool is_snapshot_ = false;  ///< what is added was entered before
    std::optional<Event> trade_;
    std::vector<Event> fills_;  ///< of the trade
};

}  // namespace damrak::archive
