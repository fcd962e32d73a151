// What the exchange's surroundings do that those who run it must know at once: the system's clock
// is set, or behind the last record; the disk has no room for the next segment. Told when
// it becomes true, in /health and in the metrics as long as it is.
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

    // From any thread:

    /// What those who run the exchange should look at though it goes on; empty: nothing.
    [[nodiscard]] std::string warning() const;
    [[nodiscard]] const telemetry::ClockWatch& clock() const { return clock_; }
    /// In Prometheus' format.
    [[nodiscard]] std::string metrics() const;

  private:
    void look_at_clock();
    void look_at_disk();

    const Exchange* exchange_;
    Notices notices_;
    telemetry::ClockWatch clock_;
    bool out_of_room_ = false;
};

/// Whether an exchange whose journal ends with this record may start at this time: see
/// Settings. The error tells what to do.
[[nodiscard]] journal::Result<void> check_clock(const Settings& settings, Timestamp last,
                                                Timestamp now);

}  // namespace damrak::exchange
