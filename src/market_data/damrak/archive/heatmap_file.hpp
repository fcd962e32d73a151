// The heatmap of a whole day in few bytes: FOLDER/2026112300.heatmap beside the day, with columns
// of 1 s, 4 s, 16 s, and so on. A column has the prices whose displayed quantity changes in it: the
// quantity at its end and the sum of quantity times time, exact. The finest columns are left out
// while the file would have more than an eighth of the bytes of the day.
//
// The file follows from the day and may be removed at any time. Writing reads the day once, 2 to
// 3 million messages a second; a picture reads about as many columns as it has. Any thread.
#pragma once

#include <array>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include <damrak/archive/day.hpp>
#include <damrak/archive/heatmap.hpp>

namespace damrak::archive {

/// The beginning of a heatmap file.
struct HeatmapFileHeader {
    std::array<char, 8> magic{'D', 'A', 'M', 'R', 'A', 'K', 'H', 'M'};
    std::uint32_t version = 1;
    std::uint32_t chunks = 0;
    std::uint64_t day_messages = 0;  ///< of the day that it was made from
    std::uint64_t day_bytes = 0;
    std::uint64_t zero = 0;
    std::uint32_t directory_checksum = 0;
    std::uint32_t checksum = 0;  ///< CRC-32C of all before it
};
static_assert(sizeof(HeatmapFileHeader) == 48);

/// Consecutive columns of an instrument; an array of them follows the header.
struct HeatmapChunk {
    std::uint64_t offset = 0;
    std::int64_t unit_ns = 0;  ///< length of a column
    std::int64_t begin_ns = 0;
    std::uint32_t locate = 0;
    std::uint32_t payload_bytes = 0;  ///< zstd
    std::uint32_t raw_bytes = 0;
    std::uint32_t payload_checksum = 0;
};
static_assert(sizeof(HeatmapChunk) == 40);

class HeatmapFile {
  public:
    [[nodiscard]] static std::filesystem::path path_of(std::filesystem::path day) {
        return day.replace_extension(".heatmap");
    }
    /// Makes the file of a complete day without damage: as `path`.new, then renamed.
    /// Asks `goes_on` before each block, if it is given, and stops with an error if it must.
    /// `most_bytes`: of the file; otherwise an eighth of the day.
    [[nodiscard]] static Result<void> write(const Day& day, const std::filesystem::path& path,
                                            const std::function<bool()>& goes_on = {},
                                            std::optional<std::uint64_t> most_bytes = {});
    /// An error if it is damaged, or was made from another state of the day.
    [[nodiscard]] static Result<HeatmapFile> open(const std::filesystem::path& path,
                                                  const Day& day);

    /// Whether it has columns that make up those of the view.
    [[nodiscard]] bool has(std::uint16_t locate, const HeatmapGrid& grid) const;
    /// The same as heatmap(). An error if the file is damaged there, or
    /// does not have the columns.
    [[nodiscard]] Result<Heatmap> draw(std::uint16_t locate, const HeatmapGrid& grid,
                                       const HeatmapView& view) const;
    [[nodiscard]] const std::vector<HeatmapChunk>& chunks() const { return chunks_; }

  private:
    [[nodiscard]] Result<std::string> read(const HeatmapChunk& chunk) const;
    [[nodiscard]] std::int64_t unit_for(std::uint16_t locate, const HeatmapGrid& grid) const;

    std::filesystem::path path_;
    std::uint64_t bytes_ = 0;
    std::vector<HeatmapChunk> chunks_;  ///< by locate, then unit, then time
};

}  // namespace damrak::archive
