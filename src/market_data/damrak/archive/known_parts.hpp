// Orders of which only a part is known. Where a day shows some levels alone, or what messages name
// alone, an order comes into view with the quantity that a message takes from it; it may have more.
// One thread; a look-up in a hash table.
#pragma once

#include <cstdint>
#include <type_traits>
#include <unordered_set>

#include <damrak/archive/day_depth.hpp>
#include <damrak/wire/itch/messages.hpp>
#include <damrak/wire/itch/view_mark.hpp>

namespace damrak::archive {

class KnownParts {
  public:
    KnownParts(const DayDepth& depth, wire::itch::ViewMarks marks)
        : may_exist_{may_exist(depth)}, marks_{marks} {}

    [[nodiscard]] static bool may_exist(const DayDepth& depth) {
        return (depth.depth > 0 || depth.has(DayDepth::k_messages_alone)) &&
               !depth.has(DayDepth::k_levels_alone);
    }
    /// False: what comes into view are whole orders, of a snapshot.
    [[nodiscard]] bool may_exist() const { return may_exist_; }

    /// Visitor of the day's messages.
    template <class M>
    void note(const M& message) {
        namespace itch = wire::itch;
        if (!may_exist_) return;
        if constexpr (requires { message.attribution; } || std::is_same_v<M, itch::AddOrder>) {
            if (comes_in_part(message)) parts_.insert(message.order_ref);
        } else if constexpr (requires { message.new_order_ref; } ||
                             std::is_same_v<M, itch::OrderDelete>) {
            parts_.erase(message.order_ref);
        }
    }
    /// Visitor of a checkpoint: it does not tell which of its orders came into view.
    void doubt(const auto& message) {
        if constexpr (requires { message.order_ref; })
            if (may_exist_) parts_.insert(message.order_ref);
    }
    [[nodiscard]] bool comes_in_part(const auto& add) const {
        return may_exist_ && marks_.is_by_view(add) && !wire::itch::is_anonymous(add.order_ref);
    }
    [[nodiscard]] bool has(std::uint64_t reference) const { return parts_.contains(reference); }

  private:
    bool may_exist_;
    wire::itch::ViewMarks marks_;
    std::unordered_set<std::uint64_t> parts_;
};

}  // namespace damrak::archive
