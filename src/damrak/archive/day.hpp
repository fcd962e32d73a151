// An archived day, open for questions: its messages, and the book of an instrument at any
// nanosecond. The file is mapped; its index is built from the headers of the blocks when it is
// opened. Damage is reported with the file and the offset, and the rest stays readable.
//
// A day that is under way has its last messages in the file of its feed session, and is as it was
// when it was opened.
//
// Any number of threads may ask at the same time. The book at a time costs a checkpoint of the
// instrument and the messages after it: about a millisecond.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/archive/day_format.hpp>
#include <damrak/domain/order_terms.hpp>
#include <damrak/feed/feed_session.hpp>

namespace damrak::archive {

template <class T>
using Result = std::expected<T, std::string>;

struct BookOrder {
    std::uint64_t reference = 0;
    std::uint32_t price_e4 = 0;
    std::uint32_t shares = 0;
    friend bool operator==(const BookOrder&, const BookOrder&) = default;
};
struct BookLevel {
    std::uint32_t price_e4 = 0;
    std::uint64_t shares = 0;
    std::uint32_t orders = 0;
    friend bool operator==(const BookLevel&, const BookLevel&) = default;
};
/// A public book, best price first, the orders of a price in priority.
struct Book {
    std::int64_t time_ns = 0;    ///< that was asked for, or of the message
    std::uint64_t sequence = 0;  ///< the last message up to then, of any instrument; zero: none
    std::vector<BookOrder> bids;
    std::vector<BookOrder> asks;
    [[nodiscard]] static std::vector<BookLevel> levels(std::span<const BookOrder> orders);
};

struct Instrument {
    std::uint16_t locate = 0;
    std::string symbol;
};

class Day {
  public:
    [[nodiscard]] static Result<Day> open(const std::filesystem::path& path);
    /// A day whose last messages are in this session; the file may be absent yet.
    [[nodiscard]] static Result<Day> open_live(const std::filesystem::path& path,
                                               std::shared_ptr<const feed::FeedSession> session);
    Day(Day&& other) noexcept;
    Day& operator=(Day&&) = delete;
    ~Day();

    [[nodiscard]] std::int32_t date() const { return header_.date; }
    [[nodiscard]] std::string_view source() const;
    [[nodiscard]] std::uint64_t messages() const { return messages_; }
    [[nodiscard]] std::uint64_t bytes() const { return size_; }
    /// Of the file up to its last whole block of messages.
    [[nodiscard]] std::uint64_t whole_bytes() const;
    [[nodiscard]] std::size_t checkpoints() const { return checkpoints_; }
    /// Of the first and the last message; zero where there is none.
    [[nodiscard]] std::int64_t first_time_ns() const;
    [[nodiscard]] std::int64_t last_time_ns() const;
    /// It was written to its end. Otherwise it is whole up to its last message.
    [[nodiscard]] bool is_complete() const { return complete_; }
    /// What could not be read when it was opened; empty: nothing.
    [[nodiscard]] const std::vector<std::string>& damage() const { return damage_; }

    /// As far as the first block, the last checkpoint and what follows it name them. Where those of
    /// the messages up to `after` are known, only what follows these is read.
    [[nodiscard]] std::vector<Instrument> instruments(std::span<const Instrument> known = {},
                                                      std::uint64_t after = 0) const;
    /// After all messages with times up to this one. An error where messages that it needs are
    /// damaged.
    [[nodiscard]] Result<Book> book_at(std::uint16_t locate, std::int64_t time_ns) const;
    /// After the message with this number, from 1, and all before it; there must be one.
    [[nodiscard]] Result<Book> book_after(std::uint16_t locate, std::uint64_t sequence) const;

    // Blocks of messages, for those who read all of it.
    [[nodiscard]] std::size_t blocks() const { return message_blocks_.size(); }
    [[nodiscard]] const BlockHeader& block(std::size_t i) const {
        return blocks_[message_blocks_[i]].header;
    }
    /// The messages of one, each after its length in two bytes, big-endian.
    [[nodiscard]] Result<std::vector<std::byte>> read_block(std::size_t i) const {
        return read(blocks_[message_blocks_[i]]);
    }
    /// What brings an empty book of the instrument to the begin of this block of messages or of an
    /// earlier one, whose number is returned: a checkpoint, or nothing before the first block. An
    /// error where `take` refuses it.
    [[nodiscard]] Result<std::size_t> read_checkpoint(
        std::uint16_t locate, std::size_t before,
        const std::function<bool(std::span<const std::byte>)>& take) const;
    /// What brings an empty book to the end of the day: the messages of its last checkpoint, then
    /// all that follow. Of how many messages the checkpoint is; an error where `take` refuses them.
    [[nodiscard]] Result<std::uint64_t> read_to_end(
        const std::function<bool(std::span<const std::byte>)>& take) const;
    /// Reads everything and compares each checkpoint with the messages before it, as far as these
    /// are whole. Returns the damage. `on_block` is called after each block.
    [[nodiscard]] std::vector<std::string> verify(const std::function<void()>& on_block) const;

  private:
    struct Place {
        std::uint64_t offset = 0;  ///< of the header; zero: its messages are in the session
        BlockHeader header{};
    };
    /// Up to the last message with this time, and up to the one with this number.
    struct Instant {
        std::int64_t time_ns = std::numeric_limits<std::int64_t>::max();
        std::uint64_t sequence = std::numeric_limits<std::uint64_t>::max();
    };

    Day() = default;
    [[nodiscard]] Result<void> map(const std::filesystem::path& path);
    [[nodiscard]] Result<void> check_header();
    [[nodiscard]] Result<void> scan();
    /// Why a block with this sound header cannot come next; empty: it can.
    [[nodiscard]] std::string misfit(const BlockHeader& header) const;
    void add_block(std::uint64_t offset, const BlockHeader& header);
    void add_session(std::shared_ptr<const feed::FeedSession> session);
    [[nodiscard]] Result<std::vector<std::byte>> read(const Place& place) const;
    [[nodiscard]] Result<std::vector<std::byte>> read_session(const BlockHeader& header) const;
    [[nodiscard]] Result<Book> book(std::uint16_t locate, const Instant& until) const;
    [[nodiscard]] std::string told(std::uint64_t offset, std::string_view what) const;
    /// The checkpoint block that has the instrument and is the last before this message block.
    [[nodiscard]] std::optional<std::size_t> checkpoint_for(std::uint16_t locate,
                                                            std::size_t before) const;

    /// No message is missing from this place (behind a checkpoint, or zero) up to this instant,
    /// which lies in the block before `to`.
    [[nodiscard]] Result<void> has_all(std::size_t from, std::size_t to,
                                       const Instant& until) const;

    std::filesystem::path path_;
    const std::byte* data_ = nullptr;
    std::size_t size_ = 0;
    DayHeader header_{};
    std::vector<Place> blocks_;
    std::vector<std::size_t> message_blocks_;  ///< places in blocks_
    std::uint64_t messages_ = 0;
    std::size_t checkpoints_ = 0;
    std::int64_t last_time_ns_ = 0;  ///< of the messages so far
    bool complete_ = false;
    std::uint64_t announced_ = 0;  ///< messages of a complete day
    std::vector<std::string> damage_;
    std::shared_ptr<const feed::FeedSession> session_;
};

}  // namespace damrak::archive
