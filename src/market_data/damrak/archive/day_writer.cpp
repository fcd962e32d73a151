#include <damrak/archive/day_writer.hpp>

#include <algorithm>
#include <utility>

#include <fmt/format.h>
#include <zstd.h>

#include <damrak/archive/checksum.hpp>
#include <damrak/archive/columns.hpp>
#include <damrak/archive/day.hpp>
#include <damrak/base/assert.hpp>
#include <damrak/wire/itch/walk.hpp>

namespace damrak::archive {

namespace itch = wire::itch;

namespace {

constexpr int k_compression_level = 3;

}  // namespace

DayWriter::DayWriter(files::ByteSink sink)
    : sink_(std::move(sink)), compressor_(ZSTD_createCCtx()) {
    DAMRAK_ASSERT(compressor_ != nullptr);
}

void DayWriter::FreeContext::operator()(ZSTD_CCtx_s* context) const { ZSTD_freeCCtx(context); }

DayWriter::DayWriter(DayWriter&&) noexcept = default;
DayWriter::~DayWriter() = default;

std::expected<DayWriter, std::string> DayWriter::create(const std::filesystem::path& path,
                                                        const DayInfo& info) {
    if (info.source.size() > k_most_source_bytes)
        return std::unexpected{
            fmt::format("{}: the name of the source has {} bytes: give one of at most {}",
                        path.string(), info.source.size(), k_most_source_bytes)};
    auto sink = files::ByteSink::create(path);
    if (!sink) return std::unexpected{std::move(sink.error())};
    const auto source = std::as_bytes(std::span{info.source});
    DayHeader header;
    header.date = info.date;
    header.day_id = day_id_of(info.date, info.source);
    header.depth = record_of(info.depth);
    header.source_bytes = static_cast<std::uint32_t>(source.size());
    header.checksum = day_checksum(header, source);
    DayWriter writer{*std::move(sink)};
    writer.sink_.write(bytes_of(header));
    writer.sink_.write(source);
    writer.day_id_ = header.day_id;
    writer.previous_ = header.checksum;
    writer.depth_ = info.depth;
    writer.totals_.archive_bytes = sizeof header + source.size();
    return writer;
}

std::expected<DayWriter, std::string> DayWriter::resume(const std::filesystem::path& path) {
    const auto day = Day::open(path);
    if (!day) return std::unexpected{day.error()};
    if (!day->can_continue())
        return std::unexpected{
            fmt::format("{}: {}", path.string(),
                        day->is_complete() ? "the day is complete" : day->damage().front())};
    auto sink = files::ByteSink::append_to(path, day->whole_bytes());
    if (!sink) return std::unexpected{std::move(sink.error())};
    DayWriter writer{*std::move(sink)};
    const auto checkpoint = day->read_to_end([&](std::span<const std::byte> frames) {
        return itch::walk(frames, writer.state_).end != itch::WalkEnd::fault;
    });
    if (!checkpoint) return std::unexpected{checkpoint.error()};
    writer.day_id_ = day->id();
    writer.previous_ = day->last_checksum();
    writer.depth_ = day->depth();
    writer.last_checkpoint_ = *checkpoint;
    writer.totals_.messages = day->messages();
    writer.totals_.archive_bytes = day->whole_bytes();
    return writer;
}

void DayWriter::end_block() {
    if (block_.messages == 0) return;
    block_.kind = BlockKind::messages;
    block_.first_message = totals_.messages + 1;
    totals_.messages += block_.messages;
    totals_.message_bytes += frames_.size();
    write_block(block_, frames_);
    frames_.clear();
    block_ = {};
    const std::uint64_t due =
        std::max<std::uint64_t>(k_block_messages, state_.open_orders() * k_messages_an_order);
    if (totals_.messages - last_checkpoint_ >= due) write_checkpoint();
}

void DayWriter::write_block(BlockHeader header, std::span<const std::byte> frames) {
    const auto columns = columns_.encode(frames);
    payload_.resize(ZSTD_compressBound(columns.size()));
    const std::size_t size = ZSTD_compressCCtx(compressor_.get(), payload_.data(), payload_.size(),
                                               columns.data(), columns.size(), k_compression_level);
    DAMRAK_ASSERT(ZSTD_isError(size) == 0);
    const auto payload = std::span<const std::byte>{payload_}.first(size);
    header.raw_bytes = static_cast<std::uint32_t>(columns.size());
    put(header, payload);
    if (header.kind == BlockKind::checkpoint) totals_.checkpoint_bytes += sizeof header + size;
}

void DayWriter::put(BlockHeader& header, std::span<const std::byte> payload) {
    header.payload_bytes = static_cast<std::uint32_t>(payload.size());
    header.payload_checksum = crc32c(payload);
    header.day_id = day_id_;
    header.previous = previous_;
    header.checksum = previous_ = header_checksum(header);
    sink_.write(bytes_of(header));
    sink_.write(payload);
    totals_.archive_bytes += sizeof header + payload.size();
}

// Writes the messages that rebuild the current book. A block has some instruments, each complete.
void DayWriter::write_checkpoint() {
    last_checkpoint_ = totals_.messages;
    std::vector<std::byte> frames;
    BlockHeader header{.kind = BlockKind::checkpoint, .first_message = totals_.messages + 1};
    const auto flush = [&] {
        if (header.messages > 0) write_block(header, frames);
        frames.clear();
        header.messages = 0;
    };
    for (const std::uint16_t locate : state_.locates()) {
        if (header.messages == 0) header.locates = locate;
        header.locates = (header.locates & 0xFFFFU) | std::uint64_t{locate} << 16U;
        header.messages += state_.append(locate, frames);
        if (header.messages >= k_block_messages / 4) flush();
    }
    flush();
}

void DayWriter::write_end() {
    end_block();
    const DepthRecord depth = record_of(depth_);
    BlockHeader end{.kind = BlockKind::end,
                    .marks = is_cut_ ? k_recording_cut : std::uint16_t{0},
                    .raw_bytes = sizeof depth,
                    .first_message = totals_.messages + 1};
    put(end, bytes_of(depth));
    totals_.anomalies = state_.anomalies();
}

std::expected<DayTotals, std::string> DayWriter::close() {
    write_end();
    if (auto closed = sink_.close(); !closed) return std::unexpected{std::move(closed.error())};
    return totals_;
}

std::expected<DayTotals, std::string> DayWriter::close_to_disk() {
    write_end();
    sink_.sync();
    if (auto closed = sink_.close(); !closed) return std::unexpected{std::move(closed.error())};
    return totals_;
}

}  // namespace damrak::archive
