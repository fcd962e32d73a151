// The messages of one feed session, in a file: what SoupBinTCP, MoldUDP64, retransmission and
// GLIMPSE are served from. Message n is written once, has the same bytes for ever, and stays
// readable until the session's files are removed, so that nobody who falls behind costs memory.
//
//   FOLDER/2026112300.itch       the messages, each after its length in two bytes, big-endian: the
//                                form of Nasdaq's BinaryFILE, and of the blocks of MoldUDP64
//   FOLDER/2026112300.position   up to which record of the journal they are on the disk
//
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

/// The name of a session: the date of its trading day, and its number of that day.
struct FeedSessionId {
    std::int32_t date = 0;     ///< yyyymmdd
    std::uint16_t number = 0;  ///< 0 to 99
    /// Ten digits, as the session fields of SoupBinTCP and MoldUDP64 carry it.
    [[nodiscard]] std::string text() const;
    [[nodiscard]] static std::optional<FeedSessionId> parse(std::string_view text);
    friend auto operator<=>(const FeedSessionId&, const FeedSessionId&) = default;
};

class FeedSession {
  public:
    template <class T>
    using Result = std::expected<T, std::string>;

    /// How far a session has come.
    struct Position {
        std::uint64_t record = 0;  ///< of the journal: all messages up to it are there
        std::uint64_t messages = 0;
        std::uint64_t bytes = 0;
        std::uint64_t ended = 0;  ///< 1: no message follows
    };

    /// Goes on where the file was synced, or begins a new session behind this record. An error
    /// names the file and what to do.
    [[nodiscard]] static Result<std::shared_ptr<FeedSession>> open(
        const std::filesystem::path& folder, FeedSessionId id, std::uint64_t record);
    /// An earlier session, to read: all whole messages in its file.
    [[nodiscard]] static Result<std::shared_ptr<const FeedSession>> open_earlier(
        const std::filesystem::path& folder, FeedSessionId id);
    /// All sessions in this folder, the earliest first.
    [[nodiscard]] static std::vector<FeedSessionId> all_in(const std::filesystem::path& folder);
    /// The last session in this folder; none: there is none yet.
    [[nodiscard]] static std::optional<FeedSessionId> last_in(const std::filesystem::path& folder);
    ~FeedSession();
    FeedSession(const FeedSession&) = delete;
    FeedSession& operator=(const FeedSession&) = delete;

    [[nodiscard]] FeedSessionId id() const { return id_; }
    /// With its length the longest message that may be appended.
    static constexpr std::size_t k_longest_frame = 2 + 65'535;

    // Of the thread that writes.

    /// Whole messages with their lengths: all that there are up to this record. After an error
    /// nothing of it is there, and it can be tried again.
    [[nodiscard]] Result<void> append(std::span<const std::byte> frames, std::uint64_t record);
    /// No message follows; readers see ended().
    void end();
    [[nodiscard]] Position written() const { return position_; }
    /// Removes what an earlier run wrote behind the end: all of its records were written again.
    [[nodiscard]] Result<void> truncate();

    // Of any thread.

    /// What is written by now goes to the disk, and then its position.
    [[nodiscard]] Result<void> sync();
    /// The last record of which the file has all messages.
    [[nodiscard]] std::uint64_t record() const { return shown_.load().record; }

    /// The last record up to which all is on the disk.
    [[nodiscard]] std::uint64_t kept() const { return kept_.load(std::memory_order_acquire); }
    [[nodiscard]] std::uint64_t messages() const {
        return messages_.load(std::memory_order_acquire);
    }
    /// No message follows those that there are; read it before messages().
    [[nodiscard]] bool ended() const { return ended_.load(std::memory_order_acquire); }

  private:
    friend class FeedReader;
    /// An index entry every so many messages: what a reader that begins there walks over.
    static constexpr std::uint64_t k_stride = 1'024;
    static constexpr std::size_t k_entries = std::size_t{1} << 22U;

    FeedSession(std::filesystem::path path, FeedSessionId id);
    [[nodiscard]] Result<void> open_files(std::uint64_t record);
    /// Whole messages in the first so many bytes, and the bytes that these take.
    [[nodiscard]] Position index_file(std::uint64_t bytes);
    [[nodiscard]] std::unexpected<std::string> failure(std::string_view what) const;
    /// Notes where messages begin; returns how many there are in these bytes, or none if the last
    /// is not whole.
    [[nodiscard]] std::optional<std::uint64_t> index(std::span<const std::byte> frames,
                                                     std::uint64_t offset, std::uint64_t messages);
    [[nodiscard]] std::size_t read(std::uint64_t offset, std::span<std::byte> into) const;

    std::filesystem::path path_;
    FeedSessionId id_;
    int file_ = -1;
    int position_file_ = -1;
    Position position_;
    Seqlock<Position> shown_;  ///< to those that sync
    std::atomic<std::uint64_t> messages_{0};
    std::atomic<bool> ended_{false};
    std::atomic<std::uint64_t> kept_{0};
    std::mutex sync_mutex_;
    ReservedArray<std::uint64_t> offsets_;  ///< of messages 1, 1 + k_stride, …
};

/// A place in a session, from which messages are read in order. One thread.
class FeedReader {
  public:
    /// Begins with message `next`, which may be the one behind the last.
    FeedReader(std::shared_ptr<const FeedSession> session, std::uint64_t next);

    /// As many whole messages as there are and as fit, with their lengths; at least one if there is
    /// one and the memory holds k_longest_frame. Valid as long as the memory is.
    [[nodiscard]] std::span<const std::byte> read(std::span<std::byte> memory);
    /// The number of the message that is read next; the first is 1.
    [[nodiscard]] std::uint64_t next() const { return next_; }
    /// How many messages the session has by now.
    [[nodiscard]] std::uint64_t messages() const { return session_->messages(); }
    /// All that there is was read, and nothing follows.
    [[nodiscard]] bool at_end() const;
    [[nodiscard]] const FeedSession& session() const { return *session_; }

  private:
    std::shared_ptr<const FeedSession> session_;
    std::uint64_t next_ = 1;
    std::uint64_t offset_ = 0;
};

}  // namespace damrak::feed
