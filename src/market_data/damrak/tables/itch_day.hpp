// A plain ITCH 5.0 file as a day, without archiving it first: looked through once when it is
// opened, a few nanoseconds a message, and then read as often as wanted. Memory is a buffer.
//
// It takes what needs no repair: uncompressed, one session, all levels, times that ascend, symbols
// that a Stock Directory declares, no message cut. Other files have to be archived
// (archive/import.hpp), which says what is wrong with them.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <damrak/tables/day_source.hpp>

namespace damrak::tables {

class ItchDay final : public DaySource {
  public:
    /// Called after each part of the file with the messages so far; what it throws ends it.
    using OnMessages = std::function<void(std::uint64_t)>;

    /// Null: it is no such file, or cannot be read.
    [[nodiscard]] static std::unique_ptr<ItchDay> open(const std::filesystem::path& path,
                                                       std::int32_t date,
                                                       const OnMessages& on_messages);
    ~ItchDay() override;

    /// Of the file, which stays open whatever becomes of its name.
    [[nodiscard]] int descriptor() const { return file_; }
    [[nodiscard]] std::int32_t date() const override { return date_; }
    [[nodiscard]] std::vector<archive::Instrument> instruments() const override {
        return instruments_;
    }
    [[nodiscard]] const archive::DayDepth& depth() const override { return depth_; }
    [[nodiscard]] std::uint64_t messages() const override { return messages_; }
    [[nodiscard]] std::int64_t first_time_ns() const override { return first_ns_; }
    [[nodiscard]] std::int64_t last_time_ns() const override { return last_ns_; }
    [[nodiscard]] archive::Answer<order_flow::BrokenTrades> broken_trades() const override {
        return {.value = broken_};
    }
    [[nodiscard]] std::unique_ptr<PieceReader> read(const archive::DayRange& range,
                                                    const TakeBooks& take) const override;

  private:
    /// Messages that are read together.
    struct Block {
        std::uint64_t offset = 0;  ///< in the file
        std::uint64_t first_message = 0;
        std::int64_t before_ns = 0;  ///< time of the message before it
    };
    class BlockReader;
    class Look;

    ItchDay(const std::filesystem::path& path, int file, std::int32_t date)
        : path_(path.string()), file_(file), date_(date) {}
    /// As many bytes as the file still has there.
    [[nodiscard]] std::size_t read_at(std::uint64_t offset, std::span<std::byte> into) const;
    [[nodiscard]] bool look_through(const OnMessages& on_messages);

    std::string path_;
    int file_;  ///< its descriptor
    std::int32_t date_;
    std::vector<archive::Instrument> instruments_;
    archive::DayDepth depth_;
    std::vector<Block> blocks_;  ///< and their end
    std::uint64_t messages_ = 0;
    std::int64_t first_ns_ = 0;
    std::int64_t last_ns_ = 0;
    order_flow::BrokenTrades broken_;
};

}  // namespace damrak::tables
