// Shares of users in the finite resources of the OUCH gateway that messages use up: memory for
// those of the day, and remembered tokens. A configured user gets at most a quarter of each,
// another one a sixteenth, and all unconfigured users together the anonymous share. Owned by the
// gateway, one thread; the totals date from the last look().
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>

#include <damrak/gateway/ouch/ouch_orders.hpp>
#include <damrak/gateway/participants.hpp>

namespace damrak::gateway::ouch {

/// What a user may still do.
enum class OuchAccess : std::uint8_t {
    all,
    no_orders,     ///< it may enter no orders
    only_cancels,  ///< any request but the cancel of a whole order closes the connection
};

class OuchQuotas {
  public:
    explicit OuchQuotas(std::uint64_t most_message_bytes) : most_bytes_(most_message_bytes) {}

    void set_anonymous_share(std::uint32_t percent) { anonymous_percent_ = percent; }

    /// Adds up the use of all users; a few microseconds per thousand.
    void look(const OuchOrders& orders, const Participants& participants) {
        Taken all;
        Taken anonymous;
        for (std::uint32_t i = 1; i <= orders.highest_user(); ++i) {
            const Taken one = taken_by(orders, i);
            all.add(one);
            if (participants.is_named(orders.user(i).participant)) continue;
            anonymous.add(one);
        }
        all_ = all;
        anonymous_ = anonymous;
        message_bytes_.store(all.bytes, std::memory_order_relaxed);
    }

    [[nodiscard]] OuchAccess access(const OuchOrders& orders, const Participants& participants,
                                    std::uint32_t user) const {
        constexpr std::uint64_t k_named_part = 4;
        constexpr std::uint64_t k_anonymous_part = 16;
        const bool is_named = participants.is_named(orders.user(user).participant);
        const std::uint64_t part = is_named ? k_named_part : k_anonymous_part;
        const Taken own = taken_by(orders, user);
        std::uint64_t percent = used_percent(orders, own, 100 / part);
        percent = std::max(percent, used_percent(orders, all_, 100));
        if (!is_named)
            percent = std::max(percent, used_percent(orders, anonymous_, anonymous_percent_));
        constexpr std::uint64_t k_full = 100;
        constexpr std::uint64_t k_over = 112;
        if (percent < k_full) return OuchAccess::all;
        return percent < k_over ? OuchAccess::no_orders : OuchAccess::only_cancels;
    }
    /// Total of all users; any thread.
    [[nodiscard]] std::uint64_t message_bytes() const {
        return message_bytes_.load(std::memory_order_relaxed);
    }

  private:
    struct Taken {
        std::uint64_t bytes = 0;
        std::uint64_t tokens = 0;
        void add(const Taken& other) {
            bytes += other.bytes;
            tokens += other.tokens;
        }
    };
    [[nodiscard]] static Taken taken_by(const OuchOrders& orders, std::uint32_t user) {
        return {.bytes = orders.messages(user).bytes(), .tokens = orders.user(user).tokens};
    }
    /// Use of memory or tokens, in percent; the larger of the two.
    [[nodiscard]] std::uint64_t used_percent(const OuchOrders& orders, const Taken& taken,
                                             std::uint64_t share_percent) const {
        const auto percent = [share_percent](std::uint64_t used, std::uint64_t capacity) {
            return used * 10'000 / std::max<std::uint64_t>(capacity * share_percent, 1);
        };
        return std::max(percent(taken.bytes, most_bytes_),
                        percent(taken.tokens, orders.most_tokens()));
    }

    std::uint64_t most_bytes_;
    std::uint64_t anonymous_percent_ = 50;
    Taken all_;
    Taken anonymous_;
    std::atomic<std::uint64_t> message_bytes_{0};
};

}  // namespace damrak::gateway::ouch
