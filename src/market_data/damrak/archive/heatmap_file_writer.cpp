// Makes the file of columns: each instrument has a chain of columns of 1 s, 4 s, 16 s, …; a column
// that is over goes into its chunk and into the column of the next length.
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <ios>
#include <map>
#include <memory>
#include <ranges>
#include <span>
#include <string>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <zstd.h>

#include <damrak/archive/broken_trades.hpp>
#include <damrak/archive/checksum.hpp>
#include <damrak/archive/day_cursor.hpp>
#include <damrak/archive/detail/heatmap_levels.hpp>
#include <damrak/archive/heatmap_file.hpp>
#include <damrak/wire/itch/walk.hpp>

namespace damrak::archive {

namespace {

constexpr std::int64_t k_finest_ns = 1'000'000'000;
constexpr std::size_t k_lengths = 7;  ///< up to 4,096 s
constexpr std::size_t k_chunk_bytes = std::size_t{1} << 16U;
constexpr int k_heatmap_zstd = 3;

/// A price whose quantity changed in a column. The key is twice the price, one more for offers.
struct ChangedPrice {
    std::uint64_t before = 0;
    std::uint64_t after = 0;
    std::int64_t covered_ns = 0;  ///< the sum counts up to here
    Uint128 sum = 0;              ///< shares times nanoseconds
};
struct ColumnContent {
    std::int64_t begin_ns = 0;
    std::map<std::uint64_t, ChangedPrice> changes{};
    std::array<std::uint64_t, 3> volumes{};  ///< by Incoming
    std::uint32_t low_e4 = 0;                ///< of the trades; zero: none
    std::uint32_t high_e4 = 0;

    void note(std::uint32_t low, std::uint32_t high) {
        low_e4 = low_e4 == 0 ? low : std::min(low_e4, low);
        high_e4 = std::max(high_e4, high);
    }
};
struct FinishedChunk {
    HeatmapChunk header;
    std::string payload;
};

void append_number(std::string& out, Uint128 value) {
    for (; value >= 0x80U; value >>= 7U)
        out += static_cast<char>(static_cast<unsigned char>(value & 0x7FU) | 0x80U);
    out += static_cast<char>(static_cast<unsigned char>(value));
}

/// The columns of one length of one instrument.
class ColumnChain {
  public:
    ColumnChain(std::uint16_t locate, std::int64_t unit_ns, std::vector<FinishedChunk>& out)
        : locate_(locate), unit_ns_(unit_ns), out_(&out) {}

    void follow(ColumnChain& coarser) { coarser_ = &coarser; }

    /// A column of the next shorter length, at its end.
    void add(const ColumnContent& fine, std::int64_t fine_ns) {
        begin(fine.begin_ns);
        for (const auto& [key, change] : fine.changes) {
            ChangedPrice& sum = touch(key, change.before);
            cover(sum, sum.after, fine.begin_ns);
            sum.sum += change.sum;
            sum.covered_ns = fine.begin_ns + fine_ns;
            sum.after = change.after;
        }
        for (std::size_t i = 0; i < fine.volumes.size(); ++i) column_.volumes[i] += fine.volumes[i];
        if (fine.low_e4 > 0) column_.note(fine.low_e4, fine.high_e4);
    }
    /// The quantity of a price up to this time; it may change then. For the shortest length.
    void stood(std::uint64_t key, std::uint64_t shares, std::int64_t time_ns) {
        cover(touch(key, shares), shares, time_ns);
    }
    void trade(std::uint32_t price_e4, std::uint64_t shares, Incoming incoming) {
        column_.note(price_e4, price_e4);
        column_.volumes[static_cast<std::size_t>(incoming)] += shares;
    }
    [[nodiscard]] ColumnContent& column() { return column_; }
    [[nodiscard]] bool is_over(std::int64_t time_ns) const {
        return time_ns >= column_.begin_ns + unit_ns_;
    }
    /// Ends the column before this time, if it is over, and begins the one with it.
    void begin(std::int64_t time_ns) {
        if (!is_over(time_ns)) return;
        end_column();
        column_ = {.begin_ns = time_ns - time_ns % unit_ns_};
    }
    void end() {
        end_column();
        column_ = {.begin_ns = column_.begin_ns};
        end_chunk();
    }

  private:
    ChangedPrice& touch(std::uint64_t key, std::uint64_t before) {
        return column_.changes
            .try_emplace(
                key,
                ChangedPrice{.before = before, .after = before, .covered_ns = column_.begin_ns})
            .first->second;
    }
    static void cover(ChangedPrice& change, std::uint64_t shares, std::int64_t time_ns) {
        if (time_ns <= change.covered_ns) return;
        change.sum += Uint128{shares} * static_cast<std::uint64_t>(time_ns - change.covered_ns);
        change.covered_ns = time_ns;
    }
    void end_column() {
        if (column_.changes.empty() && column_.low_e4 == 0) return;
        for (auto& [key, change] : column_.changes)
            cover(change, change.after, column_.begin_ns + unit_ns_);
        write_column();
        if (coarser_ != nullptr) coarser_->add(column_, unit_ns_);
    }
    void write_column() {
        if (raw_.empty()) begin_chunk();
        append_number(raw_, static_cast<std::uint64_t>((column_.begin_ns - last_ns_) / unit_ns_));
        last_ns_ = column_.begin_ns;
        append_number(raw_, column_.low_e4 > 0 ? 1U : 0U);
        if (column_.low_e4 > 0) {
            append_number(raw_, column_.low_e4);
            append_number(raw_, column_.high_e4);
            for (const std::uint64_t volume : column_.volumes) append_number(raw_, volume);
        }
        append_number(raw_, column_.changes.size());
        std::uint64_t last_key = 0;
        for (const auto& [key, change] : column_.changes) {
            append_number(raw_, key - std::exchange(last_key, key));
            append_number(raw_, change.after);
            const Uint128 even = Uint128{change.after} * static_cast<std::uint64_t>(unit_ns_);
            append_number(raw_, change.sum < even ? (even - change.sum) << 1U | 1U
                                                  : (change.sum - even) << 1U);
            if (change.after == 0)
                book_.erase(key);
            else
                book_[key] = change.after;
        }
        if (raw_.size() >= k_chunk_bytes) end_chunk();
    }
    void begin_chunk() {
        chunk_begin_ns_ = last_ns_ = column_.begin_ns;
        append_number(raw_, book_.size());
        std::uint64_t last_key = 0;
        for (const auto& [key, shares] : book_) {
            append_number(raw_, key - std::exchange(last_key, key));
            append_number(raw_, shares);
        }
    }
    void end_chunk() {
        if (raw_.empty()) return;
        FinishedChunk chunk{.header = {},
                            .payload = std::string(ZSTD_compressBound(raw_.size()), '\0')};
        chunk.payload.resize(ZSTD_compress(chunk.payload.data(), chunk.payload.size(), raw_.data(),
                                           raw_.size(), k_heatmap_zstd));
        chunk.payload.shrink_to_fit();
        chunk.header.unit_ns = unit_ns_;
        chunk.header.begin_ns = chunk_begin_ns_;
        chunk.header.locate = locate_;
        chunk.header.payload_bytes = static_cast<std::uint32_t>(chunk.payload.size());
        chunk.header.raw_bytes = static_cast<std::uint32_t>(raw_.size());
        chunk.header.payload_checksum = crc32c(std::as_bytes(std::span{chunk.payload}));
        out_->push_back(std::move(chunk));
        raw_.clear();
    }

    std::uint16_t locate_;
    std::int64_t unit_ns_;
    std::vector<FinishedChunk>* out_;
    ColumnChain* coarser_ = nullptr;
    ColumnContent column_;
    std::map<std::uint64_t, std::uint64_t> book_;  ///< after the columns in the chunk
    std::string raw_;
    std::int64_t chunk_begin_ns_ = 0;
    std::int64_t last_ns_ = 0;
};

/// Sink of the displayed quantities of an instrument.
class InstrumentColumns {
  public:
    InstrumentColumns(std::uint16_t locate, const order_flow::BrokenTrades& broken,
                      std::vector<FinishedChunk>& out)
        : levels_(*this, broken) {
        std::int64_t unit_ns = k_finest_ns;
        chains_.reserve(k_lengths);
        for (std::size_t i = 0; i < k_lengths; ++i, unit_ns *= 4)
            chains_.emplace_back(locate, unit_ns, out);
        for (std::size_t i = 1; i < k_lengths; ++i) chains_[i - 1].follow(chains_[i]);
    }
    InstrumentColumns(const InstrumentColumns&) = delete;
    InstrumentColumns& operator=(const InstrumentColumns&) = delete;

    void on(const auto& message) { levels_.on(message); }
    void end() {
        finish_changes(levels_);
        for (ColumnChain& chain : chains_) chain.end();
    }

    void pass(const auto& levels, std::int64_t time_ns) {
        if (!chains_[0].is_over(time_ns)) return;
        finish_changes(levels);
        chains_[0].begin(time_ns);
    }
    void stood(Side side, std::uint32_t price_e4, std::uint64_t shares, std::int64_t,
               std::int64_t time_ns) {
        chains_[0].stood(std::uint64_t{price_e4} << 1U | (side == Side::buy ? 0U : 1U), shares,
                         time_ns);
    }
    void trade(std::int64_t, std::uint32_t price_e4, std::uint64_t shares, Incoming incoming) {
        chains_[0].trade(price_e4, shares, incoming);
    }

  private:
    void finish_changes(const auto& levels) {
        for (auto& [key, change] : chains_[0].column().changes)
            change.after = levels.shares((key & 1U) == 0 ? Side::buy : Side::sell,
                                         static_cast<std::uint32_t>(key >> 1U));
    }

    std::vector<ColumnChain> chains_;
    DisplayedLevels<InstrumentColumns> levels_;
};

/// Keeps the coarsest lengths that have room, sorted.
void keep_what_fits(std::vector<FinishedChunk>& chunks, std::uint64_t most_bytes) {
    std::map<std::int64_t, std::uint64_t> bytes;
    for (const FinishedChunk& one : chunks)
        bytes[one.header.unit_ns] += sizeof one.header + one.payload.size();
    std::uint64_t used = sizeof(HeatmapFileHeader);
    std::int64_t finest = INT64_MAX;
    for (const auto& [unit_ns, needed] : bytes | std::views::reverse) {
        used += needed;
        if (used > most_bytes) break;
        finest = unit_ns;
    }
    std::erase_if(chunks, [&](const FinishedChunk& one) { return one.header.unit_ns < finest; });
    std::ranges::sort(chunks, {}, [](const FinishedChunk& one) {
        return std::tuple{one.header.locate, one.header.unit_ns, one.header.begin_ns};
    });
}

Result<void> write_heatmap(const std::filesystem::path& path, HeatmapFileHeader header,
                           std::vector<FinishedChunk>& chunks) {
    std::vector<HeatmapChunk> directory;
    std::uint64_t offset = sizeof header + chunks.size() * sizeof(HeatmapChunk);
    for (FinishedChunk& one : chunks) {
        one.header.offset = std::exchange(offset, offset + one.payload.size());
        directory.push_back(one.header);
    }
    header.chunks = static_cast<std::uint32_t>(chunks.size());
    header.directory_checksum = crc32c(std::as_bytes(std::span{directory}));
    header.checksum = header_checksum(header);
    std::filesystem::path fresh = path;
    fresh += ".new";
    std::ofstream out{fresh, std::ios::binary | std::ios::trunc};
    out.write(reinterpret_cast<const char*>(&header), sizeof header);
    out.write(reinterpret_cast<const char*>(directory.data()),
              static_cast<std::streamsize>(directory.size() * sizeof(HeatmapChunk)));
    for (const FinishedChunk& one : chunks)
        out.write(one.payload.data(), static_cast<std::streamsize>(one.payload.size()));
    out.close();
    std::error_code error;
    if (out) std::filesystem::rename(fresh, path, error);
    if (!out || error) {
        const std::string why = error ? error.message() : std::strerror(errno);
        std::filesystem::remove(fresh, error);
        return std::unexpected{fmt::format("{}: cannot be written: {}", fresh.string(), why)};
    }
    return {};
}

struct IntoColumns {
    std::vector<std::unique_ptr<InstrumentColumns>>& instruments;
    const order_flow::BrokenTrades& broken;
    std::vector<FinishedChunk>& out;
    void on(const auto& message) {
        if constexpr (requires { message.order_ref; } || requires { message.match_number; }) {
            auto& one = instruments[message.stock_locate];
            if (!one) one = std::make_unique<InstrumentColumns>(message.stock_locate, broken, out);
            one->on(message);
        }
    }
};

}  // namespace

Result<void> HeatmapFile::write(const Day& day, const std::filesystem::path& path,
                                const std::function<bool()>& goes_on,
                                std::optional<std::uint64_t> most_bytes) {
    if (!day.is_complete() || !day.damage().empty())
        return std::unexpected{
            fmt::format("{}: made only from a complete day without damage", path.string())};
    std::vector<FinishedChunk> chunks;
    std::vector<std::unique_ptr<InstrumentColumns>> instruments(std::size_t{1} << 16U);
    const auto broken = broken_trades(day);
    if (!broken.completeness.is_complete())
        return std::unexpected{broken.completeness.missing.front()};
    IntoColumns visitor{instruments, broken.value, chunks};
    DayCursor cursor{day};
    for (;;) {
        if (goes_on && !goes_on())
            return std::unexpected{fmt::format("{}: interrupted", path.string())};
        const auto block = cursor.next();
        if (!block) return std::unexpected{block.error().text};
        if (!*block) break;
        static_cast<void>(wire::itch::walk((*block)->frames, visitor));
    }
    for (auto& one : instruments)
        if (one) one->end();
    keep_what_fits(chunks, most_bytes.value_or(day.bytes() / 8));
    return write_heatmap(path, {.day_messages = day.messages(), .day_bytes = day.bytes()}, chunks);
}

}  // namespace damrak::archive
