// Stage times of a message. One message in `every` is timed through its stages; the others cost one
// predictable branch at each point. For the thread that polls a gateway.
//
//   read returned → (wait) → decode began → (decode) → decoded → (keep) → sequenced and journaled
//     → (match) → matched → (buffer) → answers buffered → (write) → written
//
// Points are laps: the time since the last lap is added to the stage that is named, so stages may
// alternate, as matching and the encoding of answers do. A timed message costs a clock reading at
// each lap.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace damrak {

enum class Stage : std::uint8_t {
    wait,    ///< from the return of the read until the message's turn
    decode,  ///< from bytes to a command, or to a reject
    keep,    ///< sequenced, stamped and journaled
    match,   ///< applied by the engine, without reporting
    buffer,  ///< answers encoded, for all clients concerned
    write,   ///< from then until the write that carried the answer returned
};
inline constexpr std::size_t k_stages = 6;
inline constexpr std::array<std::string_view, k_stages> k_stage_names{"wait",  "decode", "keep",
                                                                      "match", "buffer", "write"};

/// Stage times of one message, in ticks of the clock.
struct StageTimes {
    std::uint64_t read_ticks = 0;  ///< when the read returned
    std::array<std::uint32_t, k_stages> spent_ticks{};

    [[nodiscard]] std::uint32_t spent(Stage stage) const {
        return spent_ticks[static_cast<std::size_t>(stage)];
    }
    /// From the return of the read until the end of this stage.
    [[nodiscard]] std::uint64_t through(Stage last) const {
        std::uint64_t sum = 0;
        for (std::size_t i = 0; i <= static_cast<std::size_t>(last); ++i) sum += spent_ticks[i];
        return sum;
    }
};

/// Selects the messages to time: every n-th.
class SampleCountdown {
  public:
    /// Zero selects none.
    explicit SampleCountdown(std::uint32_t every) : every_(every), left_(every) {}

    [[nodiscard]] bool due() {
        if (--left_ != 0) [[likely]]
            return false;
        left_ = every_;
        return every_ != 0;
    }
    [[nodiscard]] std::uint32_t every() const { return every_; }

  private:
    std::uint32_t every_;
    std::uint32_t left_;  ///< starting at zero, it wraps: none is due for 2^32 messages
};

/// Timing of the current message.
class StageLaps {
  public:
    void begin(std::uint64_t read_ticks) {
        times_ = {.read_ticks = read_ticks};
        last_ = read_ticks;
    }
    /// Attributes the time since the last lap to `stage`. The counters of two processors may differ
    /// by a few ticks, so a negative difference counts as zero.
    void lap(Stage stage, std::uint64_t now) {
        constexpr std::uint64_t k_most = UINT32_MAX;
        const std::uint64_t passed = now > last_ ? now - last_ : 0;
        auto& spent = times_.spent_ticks[static_cast<std::size_t>(stage)];
        spent = static_cast<std::uint32_t>(passed > k_most - spent ? k_most : spent + passed);
        last_ = now;
    }
    [[nodiscard]] const StageTimes& times() const { return times_; }

  private:
    StageTimes times_;
    std::uint64_t last_ = 0;
};

}  // namespace damrak
