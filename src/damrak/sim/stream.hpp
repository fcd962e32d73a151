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

namespace damrak::sim {

/// How a link behaves.
struct LinkRules {
    std::uint32_t least_delay_ns = 1'000;
    std::uint32_t most_delay_ns = 50'000;
    std::uint32_t window_bytes = 4'096;  ///< under way and unread, in each direction
    std::uint32_t part_percent = 20;     ///< of reads and writes take less than they could
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
    /// Gives what has arrived, or a part of it.
    [[nodiscard]] std::size_t read(std::span<std::byte> into, const LinkRules& rules,
                                   RandomStream& random);

    /// The last thing that arrives. A reset overtakes data in transit.
    void end(Ending how, const LinkRules& rules, std::int64_t now_ns, RandomStream& random);
    /// Cuts the wire: everything in transit and later is lost silently.
    void cut();
    /// Loses some data in transit, from a random place on.
    void lose_tail(RandomStream& random);

    /// Delivers what is due. Returns whether the reader has news.
    bool arrive(std::int64_t now_ns, RandomStream& random);

    [[nodiscard]] std::size_t unread() const { return arrived_.size(); }
    [[nodiscard]] std::size_t outstanding() const { return outstanding_; }
    [[nodiscard]] bool ended() const { return arrived_end_ != Ending::none; }
    [[nodiscard]] bool was_reset() const { return arrived_end_ == Ending::reset; }
    [[nodiscard]] bool is_cut() const { return cut_; }
    /// The last write took less than was offered, and there is room now; asked once.
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

}  // namespace damrak::sim
