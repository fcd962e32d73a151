// The events of a day for reading: everything that the engine did, with owners, hidden quantities
// and stop orders, for the operators of the exchange. Damage is reported with the file and the
// offset: a damaged payload costs one block, a damaged header the blocks up to the next sound one.
//
// An open file does not see blocks that are written later. One thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <fstream>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/archive/detail/event_format.hpp>

namespace damrak::archive {

class EventFile {
  public:
    template <class T>
    using Result = std::expected<T, std::string>;

    [[nodiscard]] static Result<EventFile> open(const std::filesystem::path& path);

    [[nodiscard]] const EventFileHeader& header() const { return header_; }
    [[nodiscard]] std::uint64_t events() const { return events_; }
    /// The last record whose events are all in the file; zero: none.
    [[nodiscard]] std::uint64_t last_record() const {
        return blocks_.empty() ? 0 : blocks_.back().header.last_record;
    }
    /// Size of the file up to its last complete block.
    [[nodiscard]] std::uint64_t whole_bytes() const { return whole_bytes_; }
    /// What could not be read on opening, and records missing between blocks.
    [[nodiscard]] const std::vector<std::string>& damage() const { return damage_; }
    /// In the order of their first events.
    [[nodiscard]] const std::vector<LoggedInstrument>& instruments() const { return instruments_; }

    [[nodiscard]] std::size_t blocks() const { return blocks_.size(); }
    [[nodiscard]] const EventBlockHeader& block(std::size_t i) const { return blocks_[i].header; }
    [[nodiscard]] std::uint64_t block_offset(std::size_t i) const { return blocks_[i].offset; }
    /// `f` is called before each block is read; it may throw to end the question.
    void on_block(std::function<void()> f) { on_block_ = std::move(f); }
    [[nodiscard]] Result<std::vector<LoggedEvent>> read_block(std::size_t i);

  private:
    struct Place {
        std::uint64_t offset = 0;  ///< of the block's header
        EventBlockHeader header{};
        [[nodiscard]] std::uint64_t end() const {
            return offset + sizeof header + header.payload_bytes;
        }
    };

    explicit EventFile(const std::filesystem::path& path)
        : path_(path), file_(path, std::ios::binary) {}
    [[nodiscard]] Result<void> check_header();
    [[nodiscard]] Result<void> scan();
    /// What is wrong with a sound header at this place; empty: nothing is.
    [[nodiscard]] std::string misfit(const EventBlockHeader& header) const;
    void add_block(const Place& place);
    /// The place of the first sound header from this offset on.
    [[nodiscard]] std::optional<Place> find_block(std::uint64_t from, std::uint64_t size);
    [[nodiscard]] bool read_at(std::uint64_t offset, void* to, std::size_t bytes);
    /// The decompressed payload; its length must be that of `count` entries.
    [[nodiscard]] Result<std::vector<std::byte>> payload(const Place& place,
                                                         std::size_t entry_bytes);
    [[nodiscard]] std::string told(std::uint64_t offset, std::string_view what) const;

    std::filesystem::path path_;
    std::ifstream file_;
    std::function<void()> on_block_;
    EventFileHeader header_{};
    std::vector<Place> blocks_;  ///< blocks of events
    std::vector<LoggedInstrument> instruments_;
    std::uint64_t events_ = 0;
    std::uint64_t whole_bytes_ = 0;
    std::vector<std::string> damage_;
};

}  // namespace damrak::archive
