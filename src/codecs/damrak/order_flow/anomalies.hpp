// Contradictions in a recording: counted by kind, with the position of the first of each. Recorded
// by consumers of recorded messages, read by reports. A message without an anomaly costs nothing
// here.
//
// A consumer does not know its position in the file. It records the anomaly and returns false; the
// reader then stops after the message and sets the position (ItchFlow::stopped_bytes).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace damrak::order_flow {

enum class Anomaly : std::uint8_t {
    unknown_order,       // about an order that is not in the book
    quantity_too_large,  // takes more than the order has; takes all of it
    duplicate_order,     // an order is added under an existing id; ignored
    invalid_quantity,    // zero shares; ignored
    invalid_price,       // an order at price zero; ignored
    mismatch,            // side or price of the message differ from its order's; the order's apply
    time_went_back,      // a time stamp before that of the previous message; accepted
};

inline constexpr std::size_t k_anomaly_kinds = 7;

[[nodiscard]] constexpr std::string_view name(Anomaly kind) {
    constexpr std::array<std::string_view, k_anomaly_kinds> k_names{
        "unknown_order", "quantity_too_large", "duplicate_order", "invalid_quantity",
        "invalid_price", "mismatch",           "time_went_back"};
    return k_names[static_cast<std::size_t>(kind)];
}

class Anomalies {
  public:
    /// How often an anomaly occurred, and where first.
    struct Entry {
        std::uint64_t count{};
        std::uint64_t first_place{};  // a byte offset, or a row of a text file
    };

    /// Returns false for the first of its kind: the caller must then set its position.
    [[nodiscard, gnu::cold]] bool note(Anomaly kind) {
        const auto i = static_cast<std::size_t>(kind);
        if (entries_[i].count++ > 0) return true;
        unplaced_ |= 1U << i;
        return false;
    }
    /// Sets the position of everything noted since the last call.
    [[gnu::cold]] void place(std::uint64_t where) {
        for (std::size_t i = 0; i < k_anomaly_kinds; ++i)
            if ((unplaced_ >> i & 1U) != 0) entries_[i].first_place = where;
        unplaced_ = 0;
    }

    [[nodiscard]] const Entry& of(Anomaly kind) const {
        return entries_[static_cast<std::size_t>(kind)];
    }
    [[nodiscard]] std::uint64_t total() const {
        std::uint64_t sum = 0;
        for (const Entry& entry : entries_) sum += entry.count;
        return sum;
    }

  private:
    std::array<Entry, k_anomaly_kinds> entries_{};
    unsigned unplaced_ = 0;
};

}  // namespace damrak::order_flow
