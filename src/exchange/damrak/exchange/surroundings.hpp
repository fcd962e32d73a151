// Watches conditions of the machine that the operator must know at once: the system clock was set
// or is behind the last record; the disk has no room for the next segment. A notice reports the
// change; /health and the metrics show it while it lasts.
#pragma once

#include <cstdint>
#include <string>

#include <damrak/exchange/exchange.hpp>
#include <damrak/telemetry/clock_watch.hpp>

namespace damrak::exchange {

class Surroundings {
  public:
    explicit Surroundings(const Exchange& exchange);

    /// Every few milliseconds, on one thread.
    void look();

    // For any thread:

    /// A warning for the operator of a running exchange; empty: none.
    [[nodiscard]] std::string warning() const;
    [[nodiscard]] const telemetry::ClockWatch& clock() const { return clock_; }
    /// In Prometheus format.
    [[nodiscard]] std::string metrics() const;

  private:
    void look_at_clock();
    void look_at_disk();

    const Exchange* exchange_;
    Notices notices_;
    telemetry::ClockWatch clock_;
    bool out_of_room_ = false;
};

/// Whether an exchange whose journal ends with this record may start at this time, see Settings.
/// The error says what to do.
[[nodiscard]] journal::Result<void> check_clock(const Settings& settings, Timestamp last,
                                                Timestamp now);

}  // namespace damrak::exchange
