// A feed that writes each trade of an exchange as a line of a CSV file:
//
//   sequence,timestamp_ns,instrument,price,quantity,aggressor,trade_id
//   17,1700000000000000000,AAPL,187.2500,40,buy,3
//
// The sequence is that of the command in the journal. A restart continues where the file ends, even
// after a kill: no line is missing, none comes twice. FILE.position says up to which record the
// file is complete, and its size then; what a kill leaves behind that is written again, with the
// same bytes. docs/how-to/add-a-feed.md explains it.
#pragma once

#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <expected>
#include <filesystem>
#include <iterator>
#include <memory>
#include <optional>
#include <string>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <damrak/feed/market_observer.hpp>

class CsvTradeFeed final : public damrak::feed::MarketObserver {
  public:
    using Result = std::expected<void, std::string>;

    /// Continues a file that is there, or makes a new one.
    [[nodiscard]] static std::expected<std::unique_ptr<CsvTradeFeed>, std::string> open(
        const std::filesystem::path& path) {
        std::unique_ptr<CsvTradeFeed> feed{new CsvTradeFeed{path}};
        if (auto opened = feed->open_files(); !opened) return std::unexpected{opened.error()};
        return feed;
    }
    ~CsvTradeFeed() override {
        if (file_ >= 0) ::close(file_);
        if (position_file_ >= 0) ::close(position_file_);
    }

    [[nodiscard]] std::optional<std::uint64_t> kept() const override { return kept_.load(); }

    [[nodiscard]] Result begin(const damrak::Engine& engine, std::uint64_t position) override {
        engine_ = &engine;
        heard_ = position;
        if (size_ == 0) kept_ = position;  // a new file begins where the journal does
        return kept_ < position ? refuse("the journal has lost records that it needs") : Result{};
    }
    [[nodiscard]] Result go_live(std::uint64_t last) override {
        return kept_ > last ? refuse("it has records that the journal does not have") : Result{};
    }
    void on_command(const damrak::Command& /*command*/,
                    const damrak::CommandStamp& stamp) override {
        heard_ = stamp.sequence.value;
    }
    void on_event(const damrak::Event& event, const damrak::CommandStamp& stamp) override {
        // Of the two events of a trade, use the resting order's.
        if (event.kind != damrak::EventKind::executed ||
            has_flag(event, damrak::EventFlags::k_aggressor))
            return;
        if (stamp.sequence.value <= kept_ || failed_) return;  // the first: of a replay
        const auto& instrument = engine_->instrument(event.instrument)->definition();
        fmt::format_to(std::back_inserter(lines_), "{},{},{},{},{},{},{}\n", stamp.sequence.value,
                       stamp.timestamp.value, instrument.symbol.view(),
                       decimal(event.price, instrument.price_decimals), event.quantity.value,
                       event.side == damrak::Side::sell ? "buy" : "sell", event.trade_id().value);
    }
    /// On a full disk the file ends, the journal keeps what is missing, and the next start adds it.
    void on_batch_end(bool /*caught_up*/) override {
        if (failed_ || heard_ <= kept_ || write_lines()) return;
        failed_ = true;
        fmt::print(stderr, "{}: {}: it goes on at the next start\n", path_, std::strerror(errno));
    }

  private:
    struct Position {
        std::uint64_t record;
        std::uint64_t size;
    };

    explicit CsvTradeFeed(const std::filesystem::path& path) : path_(path.string()) {}

    [[nodiscard]] Result open_files() {
        constexpr int k_flags = O_RDWR | O_CREAT | O_CLOEXEC;
        file_ = ::open(path_.c_str(), k_flags, 0644);
        position_file_ = ::open((path_ + ".position").c_str(), k_flags, 0644);
        if (file_ < 0 || position_file_ < 0) return refuse(std::strerror(errno));
        Position known{};
        const bool is_new = ::pread(position_file_, &known, sizeof known, 0) != sizeof known;
        const auto found = static_cast<std::uint64_t>(::lseek(file_, 0, SEEK_END));
        if (found < known.size) return refuse("it is shorter than it was");
        if (is_new) lines_ = "sequence,timestamp_ns,instrument,price,quantity,aggressor,trade_id\n";
        kept_ = known.record;
        size_ = known.size;
        return {};
    }
    [[nodiscard]] Result refuse(const std::string& why) const {
        return std::unexpected{
            fmt::format("{0}: {1}; move it and {0}.position away to begin anew", path_, why)};
    }
    /// The lines first: a kill in between leaves lines that are written again.
    [[nodiscard]] bool write_lines() {
        if (!write_at(file_, size_, lines_.data(), lines_.size())) return false;
        const Position position{.record = heard_, .size = size_ + lines_.size()};
        if (!write_at(position_file_, 0, &position, sizeof position)) return false;
        lines_.clear();
        size_ = position.size;
        kept_ = position.record;
        return true;
    }
    static bool write_at(int file, std::uint64_t offset, const void* bytes, std::size_t size) {
        return ::pwrite(file, bytes, size, static_cast<off_t>(offset)) ==
               static_cast<ssize_t>(size);
    }
    static std::string decimal(damrak::Price price, unsigned decimals) {
        std::string text = fmt::format("{:0{}}", price.value, decimals + 1);
        return decimals == 0 ? text : text.insert(text.size() - decimals, ".");
    }

    std::string path_;
    int file_ = -1;
    int position_file_ = -1;
    std::uint64_t size_ = 0;              ///< size of the lines that belong to durable records
    std::atomic<std::uint64_t> kept_{0};  ///< read by the thread that writes snapshots
    std::uint64_t heard_ = 0;             ///< the last record
    std::string lines_;                   ///< not written yet
    bool failed_ = false;
    const damrak::Engine* engine_ = nullptr;
};
