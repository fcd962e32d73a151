// Days of limited depth in ITCH: only the best levels of each side are known, so that orders come
// into view and leave it. Two marks keep apart what participants did from what the view did:
//
//   tracking number 65535
//     The message was made by the view. An Add Order reveals quantity that a participant entered
//     earlier; an Order Cancel takes from such quantity what a later message names; both come
//     before the participant's message that brought them. An Order Delete conceals an order: it
//     left the view, or it is gone and no message said so; it comes after that message. The System
//     Event O says that there is a view: the Stock Directory has the number of its levels as its
//     tracking number then, zero if the book is what messages without book rows say. A System
//     Event Q: the book is known after its time; M: only before it.
//   tracking number 65534
//     Of a Trade with a hidden order: its side is that order's. Since 2014 the side has no meaning
//     otherwise.
//   tracking number 65533
//     An execution between a recorded order and a client's, in a market that replays a day: the
//     book is no longer the recorded one.
//   bit 63 of a reference
//     Anonymous: quantity at a price, of an unknown number of orders.
//
// Nasdaq uses tracking numbers for itself, small ones. Readers that know nothing of the marks see a
// valid day whose best levels are right after each message.
#pragma once

#include <cstdint>
#include <limits>

namespace damrak::wire::itch {

inline constexpr std::uint16_t k_made_by_view = 0xFFFF;
inline constexpr std::uint16_t k_side_is_known = 0xFFFE;
inline constexpr std::uint16_t k_not_as_recorded = 0xFFFD;
inline constexpr std::uint64_t k_anonymous = std::uint64_t{1} << 63U;

/// Only where the day is known to have marks; elsewhere ask ViewMarks.
[[nodiscard]] constexpr bool is_made_by_view(const auto& message) {
    return message.tracking_number == k_made_by_view;
}
[[nodiscard]] constexpr bool is_anonymous(std::uint64_t reference) {
    return (reference & k_anonymous) != 0;
}

/// Whether the messages of a stream have marks: its System Event O says so, so that these numbers
/// mean nothing in a recording that happens to have them. An archived day knows it of itself.
class ViewMarks {
  public:
    ViewMarks() = default;
    explicit ViewMarks(bool are_there) : are_told_{are_there} {}

    void note(const auto& system_event) {
        if (!is_made_by_view(system_event)) return;
        if (system_event.event_code == 'O') are_told_ = true;
        if (!are_told_) return;
        // At that time itself messages from before the book was known may have come.
        if (system_event.event_code == 'Q') known_from_ns_ = system_event.timestamp_ns + 1;
        if (system_event.event_code == 'M') known_until_ns_ = system_event.timestamp_ns - 1;
    }
    /// When the book is known, nanoseconds since midnight; by default always.
    [[nodiscard]] std::int64_t known_from_ns() const { return known_from_ns_; }
    [[nodiscard]] std::int64_t known_until_ns() const { return known_until_ns_; }
    /// A System Event O said that the day has a view.
    [[nodiscard]] bool are_told() const { return are_told_; }
    [[nodiscard]] bool is_by_view(const auto& message) const {
        return are_told_ && is_made_by_view(message);
    }
    [[nodiscard]] bool is_side_known(const auto& trade) const {
        return are_told_ && trade.tracking_number == k_side_is_known;
    }

  private:
    bool are_told_ = false;
    std::int64_t known_from_ns_ = 0;
    std::int64_t known_until_ns_ = std::numeric_limits<std::int64_t>::max();
};

}  // namespace damrak::wire::itch
