// The messages of one feed session, in a file. SoupBinTCP, MoldUDP64, retransmission and GLIMPSE
// read from it. Message n is written once, never changes, and stays readable until the session's
// files are removed, so slow subscribers cost no memory.
//
//   FOLDER/2026112300.itch       the messages, each after its length in two bytes, big-endian: the
//                                form of Nasdaq's BinaryFILE, and of the blocks of MoldUDP64
//   FOLDER/2026112300.position   the last journal record whose messages are synced to disk, and
//                                their checksum
//
// Bytes that do not match the checksum are found when a session is opened; none of it is sent.
// One thread writes, any number read or sync. A message costs its bytes in the
// page cache; a read is one pread.
#pragma once

#include <atomic>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/base/reserved_array.hpp>
#include <damrak/base/seqlock.hpp>

namespace damrak::feed {

/// Name of a session: the date of its trading day and a number within that day.
struct FeedSessionId {
    std::int32_t date = 0;     ///< yyyymmdd
    std::uint16_t number = 0;  ///< 0 to 99
    /// Ten digits, the form of the session fields of SoupBinTCP and MoldUDP64.
    [[nodiscard]] std::string text() const;
    [[nodiscard]] static std::optional<FeedSessionId> parse(std::string_view text);
    friend auto operator<=>(const FeedSessionId&, const FeedSessionId&) = default;
};

class FeedSession {
  public:
    template <class T>
    using Result = std::expected<T, std::string>;

    /// Progress of a session.
    struct Position {
        std::uint64_t record = 0;  ///< last journal record whose messages are all written
        std::uint64_t messages = 0;
        std::uint64_t bytes = 0;
        std::uint64_t ended = 0;     ///< 1: the session has ended
        std::uint64_t checksum = 0;  ///< CRC-32C of these bytes
    };

    /// Continues the session from its last synced message, or begins a new one after this record.
    /// An error names the file and what to do.
    [[nodiscard]] static Result<std::shared_ptr<FeedSession>> open(
        const std::filesystem::path& folder, FeedSessionId id, std::uint64_t record);
    /// Whether open() could open the files of this session; makes none.
    [[nodiscard]] static Result<void> check(const std::filesystem::path& folder, FeedSessionId id);
    /// Opens an earlier session for reading, with all complete messages of its file: what was
    /// written after its last sync may have been sent as well.
    [[nodiscard]] static Result<std::shared_ptr<const FeedSession>> open_earlier(
        const std::filesystem::path& folder, FeedSessionId id);
    /// All sessions in this folder, oldest first.
    [[nodiscard]] static std::vector<FeedSessionId> all_in(const std::filesystem::path& folder);
    /// The last session in this folder, if any.
    [[nodiscard]] static std::optional<FeedSessionId> last_in(const std::filesystem::path& folder);
    ~FeedSession();
    FeedSession(const FeedSession&) = delete;
    FeedSession& operator=(const FeedSession&) = delete;

    [[nodiscard]] FeedSessionId id() const { return id_; }
    /// The longest message that may be appended, with its length field.
    static constexpr std::size_t k_longest_frame = 2 + 65'535;

    // For the writing thread:

    /// Appends complete messages with their length fields: all that remain up to this record. On
    /// error nothing is appended, and the caller may try again.
    [[nodiscard]] Result<void> append(std::span<const std::byte> frames, std::uint64_t record);
    /// Ends the session: no message follows. Readers see ended().
    void end();
    [[nodiscard]] Position written() const { return position_; }
    /// The code of the last system event that is written.
    [[nodiscard]] char last_event() const { return last_event_; }
    /// Removes what an earlier run wrote after the current end; those records have been written
    /// again.
    [[nodiscard]] Result<void> truncate();

    // For any thread:

    /// Syncs everything written so far, then the position file.
    [[nodiscard]] Result<void> sync();
    /// How far the file has come: it has all messages up to its record.
    [[nodiscard]] Position shown() const { return shown_.load(); }
    /// The last journal record whose messages are all in the file.
    [[nodiscard]] std::uint64_t record() const { return shown_.load().record; }

    /// The last journal record whose messages are all synced to disk.
    [[nodiscard]] std::uint64_t kept() const { return kept_.load(std::memory_order_acquire); }
    [[nodiscard]] std::uint64_t messages() const {
        return messages_.load(std::memory_order_acquire);
    }
    /// No more messages will come. Read it before messages().
    [[nodiscard]] bool ended() const { return ended_.load(std::memory_order_acquire); }

  private:
    friend class FeedReader;
    /// One index entry per this many messages. A reader scans from the entry before its first
    /// message.
    static constexpr std::uint64_t k_stride = 1'024;
    static constexpr std::size_t k_entries = std::size_t{1} << 22U;

    FeedSession(std::filesystem::path path, FeedSessionId id);
    [[nodiscard]] static Result<std::shared_ptr<FeedSession>> open_in(
        const std::filesystem::path& folder, FeedSessionId id);
    [[nodiscard]] Result<void> read_position(std::uint64_t record);
    /// As it was saved; nothing if none was yet.
    [[nodiscard]] Result<std::optional<Position>> saved_position() const;
    /// Indexes the messages up to a saved position, and checks them.
    [[nodiscard]] Result<void> index_saved(const Position& saved);
    /// Indexes the file from a position up to `bytes`; returns where its complete messages end.
    [[nodiscard]] Position index_file(Position from, std::uint64_t bytes);
    [[nodiscard]] std::unexpected<std::string> failure(std::string_view what) const;
    /// Indexes the messages in these bytes. Returns their number, or nothing if the last one is
    /// incomplete.
    [[nodiscard]] std::optional<std::uint64_t> index(std::span<const std::byte> frames,
                                                     std::uint64_t offset, std::uint64_t messages);
    [[nodiscard]] std::size_t read(std::uint64_t offset, std::span<std::byte> into) const;

    std::filesystem::path path_;
    FeedSessionId id_;
    int file_ = -1;
    int position_file_ = -1;
    Position position_;
    char last_event_ = 'O';
    Seqlock<Position> shown_;  ///< for threads that sync
    std::atomic<std::uint64_t> messages_{0};
    std::atomic<bool> ended_{false};
    std::atomic<std::uint64_t> kept_{0};
    std::mutex sync_mutex_;
    ReservedArray<std::uint64_t> offsets_;  ///< of messages 1, 1 + k_stride, …
};

/// Reads the messages of a session in order from any position. One thread.
class FeedReader {
  public:
    /// Starts at message `next`, which may be one past the last.
    FeedReader(std::shared_ptr<const FeedSession> session, std::uint64_t next);

    /// As many complete messages, with their length fields, as are available and fit: at least one,
    /// if one is available and the memory holds k_longest_frame. Valid as long as the memory is.
    [[nodiscard]] std::span<const std::byte> read(std::span<std::byte> memory);
    /// The number of the next message to read; the first is 1.
    [[nodiscard]] std::uint64_t next() const { return next_; }
    /// How many messages the session has so far.
    [[nodiscard]] std::uint64_t messages() const { return session_->messages(); }
    /// The session has ended and all its messages were read.
    [[nodiscard]] bool at_end() const;
    [[nodiscard]] const FeedSession& session() const { return *session_; }
    /// Another reader of the session.
    [[nodiscard]] FeedReader at(std::uint64_t next) const { return FeedReader{session_, next}; }

  private:
    std::shared_ptr<const FeedSession> session_;
    std::uint64_t next_ = 1;
    std::uint64_t offset_ = 0;
};

}  // namespace damrak::feed
