// Writes the file of a day from its ITCH messages, front to back: a block when enough of them came,
// and a checkpoint of all open orders as often as that costs little. A crash leaves a file that is
// readable up to its last whole block. One thread; about a hundred nanoseconds a message.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/archive/columns.hpp>
#include <damrak/archive/day_format.hpp>
#include <damrak/archive/open_state.hpp>
#include <damrak/files/byte_sink.hpp>
#include <damrak/wire/itch/encode.hpp>

struct ZSTD_CCtx_s;

namespace damrak::archive {

struct DayTotals {
    std::uint64_t messages = 0;
    std::uint64_t message_bytes = 0;     ///< with their lengths, as an ITCH file has them
    std::uint64_t archive_bytes = 0;     ///< of the file
    std::uint64_t checkpoint_bytes = 0;  ///< of these
    std::uint64_t anomalies = 0;         ///< messages that do not fit the book
};

class DayWriter {
  public:
    /// `source` says what the day is made of, in at most 40 characters; the rest is cut.
    [[nodiscard]] static std::expected<DayWriter, std::string> create(
        const std::filesystem::path& path, std::int32_t date, std::string_view source);
    /// Goes on with a day that has no end yet, behind its last whole block.
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
        note(block_, message.stock_locate, message.timestamp_ns);
        state_.on(message);
        if (block_.messages == k_block_messages) end_block();
    }
    /// Readers find the file under its name from now on, and see each block that is written.
    void show() { sink_.show(); }
    /// Writes what was added by now as a block, smaller than others.
    void flush() { end_block(); }
    /// Messages that were added, also before resume().
    [[nodiscard]] std::uint64_t messages() const { return totals_.messages + block_.messages; }
    /// Those of them that readers of the file find.
    [[nodiscard]] std::uint64_t written() const { return totals_.messages; }
    [[nodiscard]] std::uint64_t bytes() const { return totals_.archive_bytes; }
    /// A write failed: close() says why.
    [[nodiscard]] bool failed() const { return sink_.failed(); }
    /// Completes the file and gives it its name. Until then what had this name stays.
    [[nodiscard]] std::expected<DayTotals, std::string> close();

  private:
    /// A checkpoint comes after so many messages for each open order.
    static constexpr std::uint64_t k_messages_an_order = 4;

    explicit DayWriter(files::ByteSink sink);
    void end_block();
    void write_block(BlockHeader header, std::span<const std::byte> frames);
    void write_checkpoint();

    struct FreeContext {
        void operator()(ZSTD_CCtx_s* context) const;
    };

    files::ByteSink sink_;
    ColumnEncoder columns_;
    std::unique_ptr<ZSTD_CCtx_s, FreeContext> compressor_;
    std::vector<std::byte> payload_;  ///< of a block, compressed
    std::vector<std::byte> frames_;
    BlockHeader block_{};
    std::uint64_t last_checkpoint_ = 0;  ///< messages before it
    OpenState state_;
    DayTotals totals_;
};

}  // namespace damrak::archive
