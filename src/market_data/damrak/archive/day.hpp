// An archived day for reading: its messages, and the book of an instrument at any nanosecond. The
// file is memory-mapped; opening it builds an index from the headers of the blocks. Damage is
// reported with the file and the offset, and the rest stays readable.
//
// The last messages of the current day are in the file of its feed session. An open day does not
// see later messages.
//
// Any number of threads may read at the same time. A book at a time reads a checkpoint of the
// instrument and the messages after it: about a millisecond. Of a day of limited depth it reads all
// messages before it, some hundred nanoseconds each: checkpoints do not tell which orders are known
// in part.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/archive/completeness.hpp>
#include <damrak/archive/day_depth.hpp>
#include <damrak/archive/detail/day_format.hpp>
#include <damrak/domain/order_terms.hpp>
#include <damrak/feed/feed_session.hpp>
#include <damrak/wire/itch/view_mark.hpp>

namespace damrak::archive {

template <class T>
using Result = std::expected<T, std::string>;

/// A displayed order of a book, as the day has it.
struct BookOrder {
    std::uint64_t reference = 0;
    std::uint32_t price_e4 = 0;
    std::uint32_t shares = 0;
    bool is_part = false;  ///< it came into view, and may have more (known_parts.hpp)
    friend bool operator==(const BookOrder&, const BookOrder&) = default;
};
/// None: it is anonymous quantity, of an unknown number of orders.
[[nodiscard]] std::optional<std::uint64_t> known_reference(const BookOrder& order);
/// None: a part of it is known.
[[nodiscard]] std::optional<std::uint64_t> known_shares(const BookOrder& order);

/// A price level of a book.
struct BookLevel {
    std::uint32_t price_e4 = 0;
    std::uint64_t shares = 0;
    /// None: not known, some of it is anonymous or of orders known in part.
    std::optional<std::uint32_t> orders = 0;
    friend bool operator==(const BookLevel&, const BookLevel&) = default;
};
/// The orders of the best price levels of a side; zero levels: all.
[[nodiscard]] std::span<const BookOrder> best_levels(std::span<const BookOrder> side,
                                                     std::size_t levels);

/// A public book as far as it is known: best price first, the orders of a price by priority.
struct Book {
    std::int64_t time_ns = 0;    ///< the requested time, or that of the message
    std::uint64_t sequence = 0;  ///< the last message up to then, of any instrument; zero: none
    /// Why nothing of it is known: a day of limited depth shows a book only from the first message
    /// about its orders on, and what was there before is not recorded. Empty: it is known.
    std::string why_not_known{};
    std::vector<BookOrder> bids;
    std::vector<BookOrder> asks;
    [[nodiscard]] static std::vector<BookLevel> levels(std::span<const BookOrder> orders);
};

/// An instrument of the day, and the number that its messages have.
struct Instrument {
    std::uint16_t locate = 0;
    std::string symbol;
};

struct DayRange;

class Day {
  public:
    [[nodiscard]] static Result<Day> open(const std::filesystem::path& path);
    /// Opens a day whose last messages are in this session; the file may not exist yet.
    [[nodiscard]] static Result<Day> open_live(const std::filesystem::path& path,
                                               std::shared_ptr<const feed::FeedSession> session);
    /// `f` is called before each block of messages is read, whatever is asked of the day: a block
    /// costs a millisecond or two, with the work on its messages. It may throw to end the question.
    void on_block(std::function<void()> f) { on_block_ = std::move(f); }
    Day(Day&& other) noexcept;
    Day& operator=(Day&&) = delete;
    ~Day();

    [[nodiscard]] std::int32_t date() const { return header_.date; }
    [[nodiscard]] const std::string& source() const { return source_; }
    /// Tells the day apart from others; every block of its file has it.
    [[nodiscard]] std::uint64_t id() const { return header_.day_id; }
    /// How much of the books the messages can show.
    [[nodiscard]] const DayDepth& depth() const { return depth_; }
    [[nodiscard]] wire::itch::ViewMarks marks() const {
        return wire::itch::ViewMarks{depth_.has(DayDepth::k_marked)};
    }
    [[nodiscard]] std::uint64_t messages() const { return messages_; }
    [[nodiscard]] std::uint64_t bytes() const { return size_; }
    /// Size of the file up to its last complete block of messages.
    [[nodiscard]] std::uint64_t whole_bytes() const;
    /// Checksum of the header of that block, which the next one has to name.
    [[nodiscard]] std::uint32_t last_checksum() const;
    [[nodiscard]] std::size_t checkpoints() const { return checkpoints_; }
    /// Time of the first and of the last message; zero if there is none.
    [[nodiscard]] std::int64_t first_time_ns() const;
    [[nodiscard]] std::int64_t last_time_ns() const;
    /// The day was written to its end. Otherwise it is readable up to its last message.
    [[nodiscard]] bool is_complete() const { return complete_; }
    /// A writer has the file open, or the session is known: more messages may come.
    [[nodiscard]] bool is_being_written() const { return is_being_written_ && !complete_; }
    /// A writer can continue it: not complete, and nothing is damaged but a last block, which was
    /// not written to its end.
    [[nodiscard]] bool can_continue() const { return !complete_ && damage_.size() == tail_lost_; }
    /// What could not be read on opening; empty: nothing.
    [[nodiscard]] const std::vector<std::string>& damage() const { return damage_; }

    /// The instruments that are named in the first block, in the last checkpoint and after it. If
    /// those of the messages up to `after` are known, only later messages are read.
    [[nodiscard]] std::vector<Instrument> instruments(std::span<const Instrument> known = {},
                                                      std::uint64_t after = 0) const;
    /// The book after all messages up to this time; an error if some that it needs are missing.
    [[nodiscard]] Result<Book> book_at(std::uint16_t locate, std::int64_t time_ns) const;
    /// The same, or the last book before what is missing, with its own time.
    [[nodiscard]] Answer<Book> book_known_at(std::uint16_t locate, std::int64_t time_ns) const;
    /// All orders of the day's messages that rest then, also below the levels that are known: for
    /// who applies the messages after it.
    [[nodiscard]] Result<Book> orders_at(std::uint16_t locate, std::int64_t time_ns) const;
    /// The book after message `sequence`, counted from 1. The day must have that message.
    [[nodiscard]] Result<Book> book_after(std::uint16_t locate, std::uint64_t sequence) const;
    /// Blocks of messages; a DayCursor reads them.
    [[nodiscard]] std::size_t blocks() const { return message_blocks_.size(); }
    /// Passes the messages that bring an empty book to the end of the day: the last checkpoint and
    /// all messages after it. Returns how many messages the checkpoint covers; an error if `take`
    /// refuses one.
    [[nodiscard]] Result<std::uint64_t> read_to_end(
        const std::function<bool(std::span<const std::byte>)>& take) const;
    /// Of all messages, as far as the headers of the blocks say: reads no payload.
    [[nodiscard]] Completeness completeness() const;
    /// The same, but reads everything and compares each checkpoint with the messages before it,
    /// where these are complete. Calls `on_block` after each block.
    [[nodiscard]] Completeness verify(const std::function<void()>& on_block) const;

  private:
    friend class DayCursor;

    struct Place {
        std::uint64_t offset = 0;  ///< of the header; zero: the messages are in the session
        BlockHeader header{};
        /// Why it does not continue what is before it; empty: it does.
        std::string gap{};
    };
    Day() = default;
    [[nodiscard]] Result<void> map(const std::filesystem::path& path);
    [[nodiscard]] Result<void> check_header();
    [[nodiscard]] Result<void> scan();
    /// Why a block with this sound header cannot come next; empty if it can.
    [[nodiscard]] std::string misfit(std::uint64_t offset, const BlockHeader& header) const;
    /// What is missing between the last block and this one; empty: nothing.
    [[nodiscard]] std::string gap_before(const BlockHeader& header) const;
    void doubt_first_block();
    /// `gap`: as in Place.
    void add_block(std::uint64_t offset, const BlockHeader& header, std::string gap);
    void add_session(std::shared_ptr<const feed::FeedSession> session);
    [[nodiscard]] Result<std::vector<std::byte>> read(const Place& place) const;
    [[nodiscard]] Result<std::vector<std::byte>> read_session(const BlockHeader& header) const;
    [[nodiscard]] Answer<Book> book(const DayRange& range) const;
    [[nodiscard]] Answer<Book> all_orders(const DayRange& range) const;
    [[nodiscard]] std::string told(std::uint64_t offset, std::string_view what) const;
    /// Of the last block of messages before this place; zero: there is none.
    [[nodiscard]] std::int64_t last_time_before(std::size_t place) const;
    /// The last checkpoint block with the instrument before this place.
    [[nodiscard]] std::optional<std::size_t> checkpoint_for(std::uint16_t locate,
                                                            std::size_t before) const;

    std::filesystem::path path_;
    const std::byte* data_ = nullptr;
    std::size_t size_ = 0;
    DayHeader header_{};
    std::string source_;
    DayDepth depth_{};
    std::vector<Place> blocks_;
    std::vector<std::size_t> message_blocks_;  ///< places in blocks_
    std::uint64_t messages_ = 0;
    std::uint64_t next_ = 1;  ///< message that the next block has to begin with
    std::size_t checkpoints_ = 0;
    std::int64_t last_time_ns_ = 0;  ///< of the messages so far
    bool complete_ = false;
    bool is_being_written_ = false;
    std::uint64_t announced_ = 0;  ///< message count of a complete day
    std::string end_gap_;          ///< what is missing before the end block; empty: nothing
    std::uint32_t previous_ = 0;   ///< checksum of the last header
    std::size_t tail_lost_ = 0;    ///< one if the file ends within a block, otherwise zero
    std::vector<std::string> damage_;
    std::shared_ptr<const feed::FeedSession> session_;
    std::function<void()> on_block_;  ///< empty: nobody wants to know
};

}  // namespace damrak::archive
