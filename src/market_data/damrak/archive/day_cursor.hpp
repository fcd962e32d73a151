// Reads the messages of an archived day in order: the only way to them. It checks that each block
// continues the one before it, and yields a gap where something is missing, which a caller has to
// look at before it can read on. Blocks without messages of a wanted instrument are passed over
// unread, but never unchecked.
//
// One thread; any number of cursors on a day. A block costs its decompression, about a millisecond.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <damrak/archive/completeness.hpp>
#include <damrak/archive/day.hpp>
#include <damrak/wire/itch/walk.hpp>

namespace damrak::archive {

/// The part of a day to read. Its first and last block may have messages outside of it.
struct DayRange {
    std::optional<std::uint16_t> locate{};  ///< only blocks that may have messages of it
    std::int64_t from_ns = std::numeric_limits<std::int64_t>::min();
    std::int64_t until_ns = std::numeric_limits<std::int64_t>::max();
    std::uint64_t after = 0;                                          ///< messages after this one
    std::uint64_t until = std::numeric_limits<std::uint64_t>::max();  ///< up to this one
    /// Also the last block, whatever it has: for the number of the last message of the range.
    bool has_last_block = false;
    /// Blocks come without their messages: only their headers are read and checked.
    bool headers_only = false;
    bool breaks_trades = false;  ///< only blocks that break trades
};

/// A block of the day: which messages it has, and when they took place.
struct MessageBlock {
    std::uint64_t first_message = 0;
    std::uint32_t messages = 0;
    std::int64_t first_time_ns = 0;
    std::int64_t last_time_ns = 0;
    /// Each message after its length in two bytes, big-endian.
    std::vector<std::byte> frames{};
};

/// Messages of the range are missing here.
struct Gap {
    std::string text;                 ///< a sentence with the file and, if known, the offset
    std::uint64_t last_message = 0;   ///< before the gap; zero: none
    std::int64_t known_until_ns = 0;  ///< its time
    bool is_unwritten_end = false;    ///< the file was not written to the end of the day
    bool is_one_block = false;        ///< a block of the range, whose header is sound

    [[nodiscard]] Completeness completeness() const {
        return {.missing = {text},
                .known_until_ns = known_until_ns,
                .last_message = last_message,
                .lacks_only_the_end = is_unwritten_end};
    }
};

class DayCursor {
  public:
    /// Takes the messages of a checkpoint; false: one of them is invalid.
    using TakeBooks = std::function<bool(std::span<const std::byte>)>;

    /// Begins with the first block that has messages of the range.
    explicit DayCursor(const Day& day, const DayRange& range = {});
    /// Begins earlier, with the last checkpoint of the instrument before the range: passes the
    /// messages that bring its empty book there. If a checkpoint is damaged an earlier one serves,
    /// and if there is none the day begins with empty books. A day with orders known in part begins
    /// with its first message if nothing is missing before the range: a checkpoint does not tell
    /// these orders from others.
    [[nodiscard]] static DayCursor with_books(const Day& day, const DayRange& range,
                                              const TakeBooks& take);

    /// The next block, or nothing at the end of the range. After a gap the next call reads what
    /// comes after it.
    [[nodiscard]] std::expected<std::optional<MessageBlock>, Gap> next();
    /// After a gap: goes to the next checkpoint of the instrument and passes its messages. Returns
    /// the time from which on the book is known again; nothing if there is no such checkpoint.
    [[nodiscard]] std::optional<std::int64_t> skip_to_books(const TakeBooks& take);

    /// Of an answer that has read to the end of the range without a gap.
    [[nodiscard]] Completeness at_end() const;
    /// That the message with this number is invalid, which no writer makes.
    [[nodiscard]] Gap invalid(std::uint64_t message) const;

  private:
    using Step = std::expected<std::optional<MessageBlock>, Gap>;

    /// Reads from this place of the day on, whose block of messages before it is known.
    void go_to(std::size_t place, std::uint64_t last_message);
    [[nodiscard]] bool is_before_range(std::size_t checkpoint) const;
    [[nodiscard]] bool is_confirmed(std::size_t checkpoint) const;
    [[nodiscard]] bool is_done() const;
    [[nodiscard]] bool is_wanted(std::size_t place) const;
    [[nodiscard]] Gap gap(std::string text, bool is_unwritten_end = false) const;
    [[nodiscard]] Step read(std::size_t place);
    [[nodiscard]] Step end();

    const Day* day_;
    DayRange range_;
    std::size_t place_ = 0;           ///< of the day's blocks, the next one to look at
    bool is_gap_told_ = false;        ///< that before this place
    std::uint64_t last_message_ = 0;  ///< before this place
    std::int64_t last_time_ns_ = 0;
    std::optional<Gap> invalid_{};  ///< to be reported first
    bool reached_present_end_ = false;
};

namespace detail {

template <class F>
struct Numbered {
    const F& f;
    std::uint64_t sequence;
    bool on(const auto& message) { return f(sequence++, message); }
};

}  // namespace detail

struct WalkedBlock {
    wire::itch::WalkEnd end{};
    std::uint64_t next = 0;  ///< number of the message at which the walk ended
};
/// Passes the messages of a block to `f(sequence, message)` until it returns false.
template <class F>
WalkedBlock walk_block(const MessageBlock& block, const F& f) {
    detail::Numbered<F> visitor{f, block.first_message};
    const auto walked = wire::itch::walk(block.frames, visitor);
    return {.end = walked.end, .next = visitor.sequence};
}

/// Passes the messages of the range to `f(sequence, message)` until it returns false, or something
/// is missing. `f` sees all messages of the blocks, of any instrument and time.
template <class F>
[[nodiscard]] Completeness read_messages(DayCursor& cursor, const F& f) {
    for (;;) {
        const auto block = cursor.next();
        if (!block) return block.error().completeness();
        if (!*block) return cursor.at_end();
        const WalkedBlock walked = walk_block(**block, f);
        if (walked.end == wire::itch::WalkEnd::stopped) return {};
        if (walked.end == wire::itch::WalkEnd::fault)
            return cursor.invalid(walked.next).completeness();
    }
}

}  // namespace damrak::archive
