// Writes the file of a day from its ITCH messages, front to back: a block when there are enough of
// them, and checkpoints of all open orders, spaced so that they cost little. After a crash the file
// is readable up to its last complete block. One thread; about a hundred nanoseconds a message.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <damrak/archive/columns.hpp>
#include <damrak/archive/day_depth.hpp>
#include <damrak/archive/detail/day_format.hpp>
#include <damrak/archive/detail/open_state.hpp>
#include <damrak/files/byte_sink.hpp>
#include <damrak/wire/itch/encode.hpp>

struct ZSTD_CCtx_s;

namespace damrak::archive {

/// What a day contains, counted while it is written.
struct DayTotals {
    std::uint64_t messages = 0;
    std::uint64_t message_bytes = 0;     ///< includes length fields, as in an ITCH file
    std::uint64_t archive_bytes = 0;     ///< size of the file
    std::uint64_t checkpoint_bytes = 0;  ///< size of its checkpoints
    std::uint64_t anomalies = 0;         ///< messages that do not fit the book
};

/// What is known of a day before its first message.
struct DayInfo {
    std::int32_t date = 0;  ///< yyyymmdd; zero: not known
    std::string source{};   ///< where the day comes from, at most 4,096 bytes
    DayDepth depth{};
};

class DayWriter {
  public:
    [[nodiscard]] static std::expected<DayWriter, std::string> create(
        const std::filesystem::path& path, const DayInfo& info);
    /// Continues an unfinished day after its last complete block.
    [[nodiscard]] static std::expected<DayWriter, std::string> resume(
        const std::filesystem::path& path);
    DayWriter(DayWriter&&) noexcept;
    DayWriter& operator=(DayWriter&&) = delete;
    ~DayWriter();

    template <class M>
    void add(const M& message) {
        constexpr std::size_t k_length = wire::itch::k_frame_length<M>;
        const std::size_t at = frames_.size();
        frames_.resize(at + k_length);
        wire::itch::encode_frame(message, std::span{frames_}.subspan(at).first<k_length>());
        note(block_, wire::itch::Layout<M>::k_type, message.stock_locate, message.timestamp_ns);
        state_.on(message);
        if (block_.messages == k_block_messages) end_block();
    }
    /// What the messages can show of the books, if it is not known before them: what is set last
    /// before close() counts.
    void set_depth(const DayDepth& depth) { depth_ = depth; }
    /// The recording was cut short after the last message: readers who reach its end learn of it.
    void note_cut() { is_cut_ = true; }
    /// Publishes the file under its name. Readers then see each block that is written.
    void show() { sink_.show(); }
    /// Writes the messages added so far as a block, however few.
    void flush() { end_block(); }
    /// Brings what is written to the disk; a file that was shown with its name.
    void sync() { sink_.sync(); }
    /// Messages added, including those before resume().
    [[nodiscard]] std::uint64_t messages() const { return totals_.messages + block_.messages; }
    /// Of these, the messages that readers of the file see.
    [[nodiscard]] std::uint64_t written() const { return totals_.messages; }
    [[nodiscard]] std::uint64_t bytes() const { return totals_.archive_bytes; }
    /// A write failed: close() says why.
    [[nodiscard]] bool failed() const { return sink_.failed(); }
    /// Completes the file and gives it its name. Until then an existing file of this name stays.
    [[nodiscard]] std::expected<DayTotals, std::string> close();
    /// The same with a file that was shown, which is on the disk then.
    [[nodiscard]] std::expected<DayTotals, std::string> close_to_disk();

  private:
    /// A checkpoint follows after this many messages per open order.
    static constexpr std::uint64_t k_messages_an_order = 4;

    explicit DayWriter(files::ByteSink sink);
    void end_block();
    void write_end();
    void write_block(BlockHeader header, std::span<const std::byte> frames);
    /// Seals the header, links it to the block before it, and writes both.
    void put(BlockHeader& header, std::span<const std::byte> payload);
    void write_checkpoint();

    struct FreeContext {
        void operator()(ZSTD_CCtx_s* context) const;
    };

    files::ByteSink sink_;
    ColumnEncoder columns_;
    std::unique_ptr<ZSTD_CCtx_s, FreeContext> compressor_;
    std::vector<std::byte> payload_;  ///< a compressed block
    std::vector<std::byte> frames_;
    BlockHeader block_{};
    std::uint64_t day_id_ = 0;
    std::uint32_t previous_ = 0;  ///< checksum of the last header written
    DayDepth depth_{};
    bool is_cut_ = false;
    std::uint64_t last_checkpoint_ = 0;  ///< messages before it
    OpenState state_;
    DayTotals totals_;
};

}  // namespace damrak::archive
