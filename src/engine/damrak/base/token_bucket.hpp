// A rate limit: a burst of at most `burst`, and `per_second` in the long run, exact to the
// nanosecond, in integers. Sessions check it for each message, at the cost of one multiplication.
// The caller provides the time.
#pragma once

#include <algorithm>
#include <cstdint>

namespace damrak {

class TokenBucket {
  public:
    /// No limit if `per_second` is zero. Starts full.
    TokenBucket(std::uint32_t per_second, std::uint32_t burst)
        : per_second_(per_second),
          full_(std::max<std::int64_t>(burst, 1) * k_cost),
          credit_(full_) {}

    /// Whether one more event is allowed now.
    [[nodiscard]] bool allows(std::int64_t now_ns) {
        if (per_second_ == 0) return true;
        // After this time the bucket is full; the check also keeps the product from overflowing.
        const std::int64_t elapsed = std::max<std::int64_t>(now_ns - last_ns_, 0);
        if (elapsed > 0) {
            credit_ =
                elapsed > (full_ - credit_) / per_second_ ? full_ : credit_ + elapsed * per_second_;
            last_ns_ = now_ns;
        }
        return credit_ >= k_cost;
    }
    /// Counts one event.
    void take() {
        if (per_second_ != 0) credit_ = std::max<std::int64_t>(credit_ - k_cost, 0);
    }

  private:
    static constexpr std::int64_t k_cost = 1'000'000'000;  ///< nanoseconds times per second

    std::int64_t per_second_;
    std::int64_t full_;
    std::int64_t credit_;
    std::int64_t last_ns_ = 0;
};

}  // namespace damrak
