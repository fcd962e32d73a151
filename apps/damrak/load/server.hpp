// Processor time and resident memory of the exchange's process under load, from /proc. Works only
// for a readable process on this machine. Used by the main thread of `damrak load`.
#pragma once

#include <cstdint>
#include <optional>

#include <sys/types.h>

namespace damrak::app {

struct ProcessUsage {
    double user_s = 0;
    double system_s = 0;
    std::uint64_t resident_kib = 0;
};

/// The process that listens on a TCP port of this machine.
[[nodiscard]] std::optional<pid_t> find_listening_process(std::uint16_t port);
[[nodiscard]] std::optional<ProcessUsage> usage_of(pid_t process);

/// Over the measured time of a run.
struct ServerRun {
    pid_t process = 0;
    double user_s = 0;
    double system_s = 0;
    std::uint64_t resident_kib_begin = 0;
    std::uint64_t resident_kib_end = 0;
    std::uint64_t resident_kib_max = 0;  ///< of those that were looked at
};

/// Follows one process from its construction on.
class ServerWatch {
  public:
    /// Nobody, if it is not there.
    explicit ServerWatch(std::optional<pid_t> process);
    /// Takes a look; what it found.
    std::optional<ProcessUsage> look();
    /// From the begin to the last look.
    [[nodiscard]] std::optional<ServerRun> run() const { return run_; }

  private:
    std::optional<ServerRun> run_;
    ProcessUsage begin_{};
};

}  // namespace damrak::app
