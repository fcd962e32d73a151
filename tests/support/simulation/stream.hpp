// One direction of a simulated connection: sent bytes arrive in order after a random delay, in
// pieces, up to a limit of unread bytes; then an end, if the sender closed. Used by network.hpp; a
// call costs the bytes it moves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <span>
#include <vector>

#include <damrak/base/random.hpp>

namespace damrak::simulation {

/// Behaviour of a link.
struct LinkRules {
    std::uint32_t least_delay_ns = 1'000;
    std::uint32_t most_delay_ns = 50'000;
    std::uint32_t window_bytes = 4'096;  ///< in transit and unread, per direction
    std::uint32_t part_percent = 20;     ///< of reads and writes are partial
};

/// Result of a read or a write.
struct Moved {
    std::size_t bytes = 0;
    bool closed = false;  ///< no further transfer in this direction
};

enum class Ending : std::uint8_t { none, orderly, reset };

class Stream {
  public:
    /// Takes what there is room for, or less.
    [[nodiscard]] std::size_t write(std::span<const std::byte> bytes, const LinkRules& rules,
                                    std::int64_t now_ns, RandomStream& random);
    /// Returns the bytes that have arrived, or a part of them.
    [[nodiscard]] std::size_t read(std::span<std::byte> into, const LinkRules& rules,
                                   RandomStream& random);

    /// Sends the end of the stream. A reset overtakes data in transit.
    void end(Ending how, const LinkRules& rules, std::int64_t now_ns, RandomStream& random);
    /// Cuts the wire: everything in transit and later is lost silently.
    void cut();
    /// Loses the data in transit from a random position on.
    void lose_tail(RandomStream& random);

    /// Delivers what is due. Returns whether the reader has something new.
    bool arrive(std::int64_t now_ns, RandomStream& random);

    [[nodiscard]] std::size_t unread() const { return arrived_.size(); }
    [[nodiscard]] std::size_t outstanding() const { return outstanding_; }
    [[nodiscard]] bool ended() const { return arrived_end_ != Ending::none; }
    [[nodiscard]] bool was_reset() const { return arrived_end_ == Ending::reset; }
    [[nodiscard]] bool is_cut() const { return cut_; }
    /// The last write was partial, and there is room now. Returns true once.
    [[nodiscard]] bool take_room_made(const LinkRules& rules);

  private:
    struct Piece {
        std::int64_t due_ns = 0;
        std::vector<std::byte> bytes;
    };

    [[nodiscard]] std::int64_t next_due(const LinkRules& rules, std::int64_t now_ns,
                                        RandomStream& random);

    std::deque<Piece> under_way_;
    std::deque<std::byte> arrived_;
    std::size_t outstanding_ = 0;
    std::int64_t last_due_ns_ = 0;
    std::int64_t end_due_ns_ = std::numeric_limits<std::int64_t>::max();
    Ending end_ = Ending::none;
    Ending arrived_end_ = Ending::none;
    bool short_write_ = false;
    bool cut_ = false;
};

}  // namespace damrak::simulation
