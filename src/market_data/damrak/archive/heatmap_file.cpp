#include <damrak/archive/heatmap_file.hpp>

#include <algorithm>
#include <cstring>
#include <fstream>
#include <ios>
#include <map>
#include <optional>
#include <span>
#include <string_view>

#include <fmt/format.h>
#include <zstd.h>

#include <damrak/archive/checksum.hpp>
#include <damrak/archive/detail/heatmap_raster.hpp>

namespace damrak::archive {

namespace {

constexpr std::uint32_t k_most_raw_heatmap = 1U << 24U;
constexpr std::int64_t k_longest_column_ns = 4'096'000'000'000;
constexpr std::int64_t k_two_days_of_ns = 172'800'000'000'000;
constexpr std::uint64_t k_most_skipped = 172'800;  ///< columns of 1 s in two days

std::unexpected<std::string> heatmap_fault(const std::filesystem::path& path, std::uint64_t offset,
                                           std::string_view what) {
    return std::unexpected{
        fmt::format("{}: at offset {}: {}; the heatmap follows from the day: remove this file",
                    path.string(), offset, what)};
}

/// Numbers of seven bits a byte; none after the end.
class Numbers {
  public:
    explicit Numbers(std::string_view bytes) : bytes_(bytes) {}
    [[nodiscard]] bool is_over() const { return bytes_.empty(); }
    [[nodiscard]] bool is_wrong() const { return is_wrong_; }
    Uint128 next() {
        Uint128 value = 0;
        for (unsigned shift = 0; shift < 126; shift += 7) {
            if (bytes_.empty()) break;
            const auto byte = static_cast<unsigned char>(bytes_.front());
            bytes_.remove_prefix(1);
            value |= Uint128{byte & 0x7FU} << shift;
            if (byte < 0x80U) return value;
        }
        is_wrong_ = true;
        return 0;
    }
    std::uint64_t small() {
        const Uint128 value = next();
        is_wrong_ = is_wrong_ || value > UINT64_MAX;
        return static_cast<std::uint64_t>(value);
    }

  private:
    std::string_view bytes_;
    bool is_wrong_ = false;
};

/// The displayed quantities between the columns that are in the file.
class Standing {
  public:
    explicit Standing(HeatmapRaster& raster) : raster_(&raster) {}
    [[nodiscard]] std::uint32_t best_bid() const {
        return bids_.empty() ? 0 : bids_.rbegin()->first;
    }
    [[nodiscard]] std::uint32_t best_ask() const {
        return asks_.empty() ? 0 : asks_.begin()->first;
    }
    void set(std::uint64_t key, std::uint64_t shares, std::int64_t since_ns) {
        auto& prices = (key & 1U) == 0 ? bids_ : asks_;
        if (shares == 0)
            prices.erase(price(key));
        else
            prices[price(key)] = {shares, since_ns};
    }
    void change(std::uint64_t key, std::uint64_t shares, std::int64_t begin_ns,
                std::int64_t unit_ns, Uint128 sum) {
        const Side side = (key & 1U) == 0 ? Side::buy : Side::sell;
        const auto& prices = side == Side::buy ? bids_ : asks_;
        if (const auto before = prices.find(price(key)); before != prices.end())
            raster_->stood(side, price(key), before->second.shares, before->second.since_ns,
                           begin_ns);
        raster_->sum(side, price(key), begin_ns, sum);
        set(key, shares, begin_ns + unit_ns);
    }
    void settle(std::int64_t time_ns) {
        raster_->pass(*this, time_ns);
        for (const auto& [price_e4, one] : bids_)
            raster_->stood(Side::buy, price_e4, one.shares, one.since_ns, time_ns);
        for (const auto& [price_e4, one] : asks_)
            raster_->stood(Side::sell, price_e4, one.shares, one.since_ns, time_ns);
    }

  private:
    struct One {
        std::uint64_t shares = 0;
        std::int64_t since_ns = 0;
    };
    static std::uint32_t price(std::uint64_t key) { return static_cast<std::uint32_t>(key >> 1U); }

    HeatmapRaster* raster_;
    std::map<std::uint32_t, One> bids_;
    std::map<std::uint32_t, One> asks_;
};

/// The columns of one chunk. False: they make no sense.
bool draw_chunk(std::string_view raw, const HeatmapChunk& chunk, bool is_first, std::int64_t end_ns,
                Standing& standing, HeatmapRaster& raster) {
    Numbers in{raw};
    std::uint64_t key = 0;
    for (std::uint64_t left = in.small(); left > 0 && !in.is_wrong(); --left) {
        key += in.small();
        const std::uint64_t shares = in.small();
        if (is_first) standing.set(key, shares, 0);
    }
    std::int64_t begin_ns = chunk.begin_ns;
    while (!in.is_over() && !in.is_wrong()) {
        const std::uint64_t skipped = in.small();
        if (skipped > k_most_skipped) return false;
        begin_ns += static_cast<std::int64_t>(skipped) * chunk.unit_ns;
        if (begin_ns >= end_ns) return true;
        raster.pass(standing, begin_ns);
        if (in.small() != 0) {
            const auto low = static_cast<std::uint32_t>(in.small());
            const auto high = static_cast<std::uint32_t>(in.small());
            raster.trade(begin_ns, low, in.small(), Incoming::buyer);
            raster.trade(begin_ns, high, in.small(), Incoming::seller);
            raster.trade(begin_ns, high, in.small(), Incoming::unknown);
        }
        key = 0;
        for (std::uint64_t left = in.small(); left > 0 && !in.is_wrong(); --left) {
            key += in.small();
            const std::uint64_t shares = in.small();
            const Uint128 odd = in.next();
            const Uint128 even = Uint128{shares} * static_cast<std::uint64_t>(chunk.unit_ns);
            standing.change(key, shares, begin_ns, chunk.unit_ns,
                            (odd & 1U) != 0 ? even - (odd >> 1U) : even + (odd >> 1U));
        }
    }
    return !in.is_wrong();
}

}  // namespace

Result<HeatmapFile> HeatmapFile::open(const std::filesystem::path& path, const Day& day) {
    HeatmapFile file;
    file.path_ = path;
    std::ifstream in{path, std::ios::binary | std::ios::ate};
    if (!in) return std::unexpected{fmt::format("{}: cannot be opened", path.string())};
    file.bytes_ = static_cast<std::uint64_t>(in.tellg());
    in.seekg(0);
    HeatmapFileHeader header;
    const HeatmapFileHeader right;
    if (!in.read(reinterpret_cast<char*>(&header), sizeof header))
        return heatmap_fault(path, 0, "shorter than its header");
    if (header.magic != right.magic || header.version != right.version ||
        header.checksum != header_checksum(header))
        return heatmap_fault(path, 0, "not the header of a heatmap of version 1");
    if (header.day_messages != day.messages() || header.day_bytes != day.bytes())
        return heatmap_fault(path, 0, "made from another state of the day");
    if (header.chunks > file.bytes_ / sizeof(HeatmapChunk))
        return heatmap_fault(path, 0, "more chunks than the file has room for");
    file.chunks_.resize(header.chunks);
    const std::span<HeatmapChunk> chunks{file.chunks_};
    if (!in.read(reinterpret_cast<char*>(chunks.data()),
                 static_cast<std::streamsize>(chunks.size_bytes())) ||
        crc32c(std::as_bytes(chunks)) != header.directory_checksum)
        return heatmap_fault(path, sizeof header, "the directory is damaged");
    for (const HeatmapChunk& one : chunks)
        if (one.offset > file.bytes_ || one.payload_bytes > file.bytes_ - one.offset ||
            one.raw_bytes > k_most_raw_heatmap || one.unit_ns <= 0 ||
            one.unit_ns > k_longest_column_ns || one.begin_ns < 0 ||
            one.begin_ns > k_two_days_of_ns)
            return heatmap_fault(path, sizeof header, "a chunk that cannot be");
    return file;
}

Result<std::string> HeatmapFile::read(const HeatmapChunk& chunk) const {
    std::ifstream in{path_, std::ios::binary};
    std::string payload(chunk.payload_bytes, '\0');
    in.seekg(static_cast<std::streamoff>(chunk.offset));
    in.read(payload.data(), static_cast<std::streamsize>(payload.size()));
    if (!in || crc32c(std::as_bytes(std::span{payload})) != chunk.payload_checksum)
        return heatmap_fault(path_, chunk.offset, "the columns are damaged");
    std::string raw(chunk.raw_bytes, '\0');
    if (ZSTD_decompress(raw.data(), raw.size(), payload.data(), payload.size()) != raw.size())
        return heatmap_fault(path_, chunk.offset, "not a zstd frame of its length");
    return raw;
}

std::int64_t HeatmapFile::unit_for(std::uint16_t locate, const HeatmapGrid& grid) const {
    std::int64_t unit_ns = 0;
    for (const HeatmapChunk& one : chunks_)
        if (one.locate == locate && grid.begin_ns % one.unit_ns == 0 &&
            grid.column_ns % one.unit_ns == 0)
            unit_ns = std::max(unit_ns, one.unit_ns);
    return unit_ns;
}

bool HeatmapFile::has(std::uint16_t locate, const HeatmapGrid& grid) const {
    return grid.columns > 0 && unit_for(locate, grid) > 0;
}

Result<Heatmap> HeatmapFile::draw(std::uint16_t locate, const HeatmapGrid& grid,
                                  const HeatmapView& view) const {
    const std::int64_t unit_ns = unit_for(locate, grid);
    if (unit_ns == 0)
        return std::unexpected{fmt::format("{}: has no such columns", path_.string())};
    std::vector<const HeatmapChunk*> wanted;
    for (const HeatmapChunk& one : chunks_) {
        if (one.locate != locate || one.unit_ns != unit_ns || one.begin_ns >= grid.end_ns())
            continue;
        if (one.begin_ns <= grid.begin_ns) wanted.clear();  // a later one has the book
        wanted.push_back(&one);
    }
    std::optional<std::string> why;
    Heatmap map = draw_heatmap(grid, view, [&](Heatmap&, HeatmapRaster& raster) {
        Standing standing{raster};
        for (const HeatmapChunk* const one : wanted) {
            const auto raw = read(*one);
            if (!raw)
                why = raw.error();
            else if (!draw_chunk(*raw, *one, one == wanted.front(), grid.end_ns(), standing,
                                 raster))
                why = heatmap_fault(path_, one->offset, "the columns are invalid").error();
            if (why) return;
        }
        standing.settle(grid.end_ns());
    });
    if (why) return std::unexpected{*std::move(why)};
    return map;
}

}  // namespace damrak::archive
