// What a modification has changed: counts, with the table of the file to which each belongs.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace damrak::modify {

enum class Count : std::uint8_t {
    messages_in,
    messages_out,
    window_outside,
    window_carried,
    drop_orders,
    drop_messages,
    drop_cancelled,
    thin_orders,
    thin_trades,
    gone_with_them,
    scale_sizes,
    scale_vanished,
    scale_capped,
    tick_orders,
    tick_others,
    tick_unpriced,
    delay_messages,
    delay_cut,
};

/// A count of the report: where it belongs, its key in JSON, and its words.
struct CountName {
    std::string_view table;  ///< of the modification file; empty: of the whole
    std::string_view key;
    std::string_view words;
};
inline constexpr auto k_counts = std::to_array<CountName>({
    {"", "messages_in", "messages read"},
    {"", "messages_out", "passed on"},
    {"window", "messages_outside", "messages outside left out"},
    {"window", "orders_carried", "resting orders entered at its start"},
    {"drop", "orders", "orders left out"},
    {"drop", "messages", "messages left out"},
    {"drop", "executions_cancelled", "executions made cancels"},
    {"thin", "orders", "orders left out"},
    {"thin", "hidden_trades", "trades with hidden orders left out"},
    {"", "messages_gone_with_them", "gone with the orders and trades left out"},
    {"scale", "sizes", "sizes changed"},
    {"scale", "vanished", "executions and cancels left out that came to no share"},
    {"scale", "capped", "sizes at the largest that a message holds"},
    {"tick", "orders", "prices of orders changed"},
    {"tick", "other_prices", "prices of trades and auctions changed"},
    {"tick", "unpriced", "orders left out, no price of the grid is left for them"},
    {"delay", "messages", "messages delayed"},
    {"delay", "cut", "delays cut short by the end of messages"},
});

class Report {
  public:
    [[nodiscard]] std::uint64_t of(Count count) const {
        return counts_[static_cast<std::size_t>(count)];
    }
    void add(Count count, std::uint64_t more = 1) {
        counts_[static_cast<std::size_t>(count)] += more;
    }
    [[nodiscard]] std::array<std::uint64_t, k_counts.size()>& all() { return counts_; }
    [[nodiscard]] const std::array<std::uint64_t, k_counts.size()>& all() const { return counts_; }
    friend bool operator==(const Report&, const Report&) = default;

  private:
    std::array<std::uint64_t, k_counts.size()> counts_{};
};

/// A report with where it comes from, for code that shows a result.
struct Changes {
    std::string file;  ///< of the modification
    std::uint64_t seed = 0;
    Report report;
};
/// What was changed: one sentence for the day, and one for each table that had an effect.
[[nodiscard]] std::vector<std::string> sentences(const Changes& changes);

static_assert(k_counts.size() == static_cast<std::size_t>(Count::delay_cut) + 1);

}  // namespace damrak::modify
