// Rules shared by the followers of the feed: which server to connect to, and how long to wait
// before the next attempt.
#pragma once

#include <algorithm>
#include <cstdint>

#include <damrak/base/time_units.hpp>
#include <damrak/domain/measures.hpp>

namespace damrak::client {

/// Servers with SoupBinTCP.
enum class SoupGateway : std::uint8_t { feed, snapshots };

/// Pauses between connection attempts, each twice the one before.
struct RetryPauses {
    std::int64_t first_ns = k_second_ns / 10;
    std::int64_t longest_ns = 5 * k_second_ns;
};

class Retry {
  public:
    explicit Retry(const RetryPauses& pauses) : pauses_(pauses), pause_ns_(pauses.first_ns) {}

    [[nodiscard]] bool due(Timestamp now) const { return now.value >= at_.value; }
    [[nodiscard]] Timestamp at() const { return at_; }
    /// Call it after a failed attempt.
    void fail(Timestamp now) {
        at_ = {now.value + pause_ns_};
        pause_ns_ = std::min(2 * pause_ns_, pauses_.longest_ns);
    }
    void succeed() {
        at_ = {};
        pause_ns_ = pauses_.first_ns;
    }
    void wait(Timestamp now, std::int64_t time_ns) { at_ = {now.value + time_ns}; }

  private:
    RetryPauses pauses_;
    std::int64_t pause_ns_;
    Timestamp at_{};
};

}  // namespace damrak::client
