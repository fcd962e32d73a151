// How many connections a gateway over SoupBinTCP ended, by cause. Counted on its thread, read on
// any.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include <damrak/session/soupbin/end_cause.hpp>

namespace damrak::gateway {

class EndedConnections {
  public:
    /// Regular ends are not reported.
    void count(session::EndCause cause) {
        counts_[static_cast<std::size_t>(cause)].fetch_add(1, std::memory_order_relaxed);
    }
    /// In Prometheus format: damrak_<gateway>_ended_total.
    [[nodiscard]] std::string metrics(std::string_view gateway) const;

  private:
    std::array<std::atomic<std::uint64_t>, session::k_end_causes.size()> counts_{};
};

}  // namespace damrak::gateway
