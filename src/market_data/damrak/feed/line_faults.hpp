// Injected faults of a feed line, for tests of receivers. Off by default. The same seed and packets
// give the same faults. One thread; only held packets allocate.
//
//   line=A,loss=0.01,duplicate=0.01,reorder=0.01,gap=0.001,delay=5,seed=7
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <expected>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <damrak/base/random.hpp>
#include <damrak/domain/measures.hpp>

namespace damrak::feed {

/// Probabilities per packet, in millionths.
struct LineFaults {
    static constexpr std::uint32_t k_whole = 1'000'000;
    static constexpr std::uint32_t k_gap_packets = 50;  ///< lost in one gap

    bool on_a = false;
    bool on_b = false;
    std::uint32_t loss = 0;
    std::uint32_t duplicate = 0;
    std::uint32_t reorder = 0;  ///< the packet is sent after the next one
    std::uint32_t gap = 0;      ///< the packet and those after it are lost
    std::int64_t delay_ns = 0;
    std::uint64_t seed = 1;

    /// Parses the form above; an error names the part and what is expected.
    [[nodiscard]] static std::expected<LineFaults, std::string> parse(std::string_view text);
    [[nodiscard]] bool any() const { return on_a || on_b; }
};

/// A line that loses, repeats and reorders datagrams, at random but reproducibly.
class FaultyLine {
  public:
    using Send = std::function<void(std::span<const std::byte>)>;

    /// `line` separates the random draws of the two lines.
    FaultyLine(const LineFaults& faults, std::uint64_t line, Send send)
        : faults_(faults), random_(faults.seed * 2 + line), send_(std::move(send)) {}

    void send(std::span<const std::byte> packet, Timestamp now);
    /// Sends the held packets that are due.
    void on_time(Timestamp now);

  private:
    struct Held {
        Timestamp due{};
        std::vector<std::byte> packet;
    };
    [[nodiscard]] bool happens(std::uint32_t part) {
        return part > 0 && random_.below(LineFaults::k_whole) < part;
    }
    void pass_on(std::span<const std::byte> packet, Timestamp now);

    LineFaults faults_;
    RandomStream random_;
    Send send_;
    std::deque<Held> delayed_;
    std::vector<std::byte> behind_;  ///< sent after the next packet
    std::uint32_t lost_next_ = 0;
};

}  // namespace damrak::feed
