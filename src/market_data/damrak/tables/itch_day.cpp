#include <damrak/tables/itch_day.hpp>

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <damrak/wire/itch/view_mark.hpp>
#include <damrak/wire/itch/walk.hpp>

namespace damrak::tables {

namespace itch = wire::itch;

namespace {

constexpr std::size_t k_block_bytes = std::size_t{256} << 10U;
constexpr std::array<std::byte, 2> k_end_mark{};

}  // namespace

/// Looks at each message; false: the file has to be archived.
class ItchDay::Look {
  public:
    // Messages about the whole market have no instrument.
    explicit Look(ItchDay& day) : day_{day} { is_declared_[0] = 1; }

    bool on(const itch::SystemEvent& event) {
        const bool is_second = event.event_code == 'O' && std::exchange(has_begun_, true);
        if (is_second || has_ended_ || itch::is_made_by_view(event)) return false;
        has_ended_ = event.event_code == 'C';
        return note(event);
    }
    bool on(const itch::StockDirectory& directory) {
        itch::Stock& stock = stocks_[directory.stock_locate];
        if (has_ended_ || (stock != itch::Stock{} && stock != directory.stock)) return false;
        if (stock == itch::Stock{})
            day_.instruments_.push_back(
                {.locate = directory.stock_locate, .symbol = std::string{directory.stock.text()}});
        stock = directory.stock;
        is_declared_[directory.stock_locate] = 1;
        return note(directory);
    }
    bool on(const itch::BrokenTrade& trade) {
        day_.broken_.add(trade.match_number);
        return is_declared(trade) && note(trade);
    }
    bool on(const auto& message) { return is_declared(message) && note(message); }

    /// Of the last message; -1: there was none.
    [[nodiscard]] std::int64_t last_ns() const { return last_ns_; }

  private:
    [[nodiscard]] bool is_declared(const auto& message) const {
        return !has_ended_ && is_declared_[message.stock_locate] != 0;
    }
    [[nodiscard]] bool note(const auto& message) {
        if (last_ns_ < 0) day_.first_ns_ = message.timestamp_ns;
        return message.timestamp_ns >= std::exchange(last_ns_, message.timestamp_ns);
    }

    ItchDay& day_;
    std::vector<itch::Stock> stocks_ = std::vector<itch::Stock>(std::size_t{1} << 16U);
    std::vector<std::uint8_t> is_declared_ = std::vector<std::uint8_t>(std::size_t{1} << 16U);
    std::int64_t last_ns_ = -1;
    bool has_begun_ = false;
    bool has_ended_ = false;
};

class ItchDay::BlockReader final : public PieceReader {
  public:
    explicit BlockReader(const ItchDay& day)
        : day_{day}, bytes_{std::make_unique_for_overwrite<std::byte[]>(k_block_bytes)} {}

    std::expected<std::optional<Piece>, archive::Gap> next() override {
        if (next_ + 1 >= day_.blocks_.size()) return std::nullopt;
        const Block& block = day_.blocks_[next_++];
        const std::size_t size = day_.blocks_[next_].offset - block.offset;
        if (day_.read_at(block.offset, {bytes_.get(), size}) < size)
            return std::unexpected{
                gap(block.first_message, "the file became shorter after it was opened")};
        return Piece{.first_message = block.first_message, .frames = {bytes_.get(), size}};
    }
    archive::Completeness at_end() const override { return {}; }
    archive::Gap invalid(std::uint64_t message) const override {
        return gap(message, "the file changed after it was opened");
    }

  private:
    [[nodiscard]] archive::Gap gap(std::uint64_t message, std::string_view why) const {
        return {.text = fmt::format("{}: message {} and what follows cannot be read: {}",
                                    day_.path_, message, why),
                .last_message = message - 1,
                .known_until_ns = day_.blocks_[next_ - 1].before_ns};
    }

    const ItchDay& day_;
    std::unique_ptr<std::byte[]> bytes_;
    std::size_t next_ = 0;
};

ItchDay::~ItchDay() { ::close(file_); }

std::unique_ptr<ItchDay> ItchDay::open(const std::filesystem::path& path, std::int32_t date,
                                       const OnMessages& on_messages) {
    const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) return nullptr;
    std::unique_ptr<ItchDay> day{new ItchDay{path, file, date}};
    if (!day->look_through(on_messages)) return nullptr;
    return day;
}

std::size_t ItchDay::read_at(std::uint64_t offset, std::span<std::byte> into) const {
    std::size_t size = 0;
    while (size < into.size()) {
        const ssize_t count = ::pread(file_, into.data() + size, into.size() - size,
                                      static_cast<off_t>(offset + size));
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) break;
        size += static_cast<std::size_t>(count);
    }
    return size;
}

bool ItchDay::look_through(const OnMessages& on_messages) {
    Look look{*this};
    const auto bytes = std::make_unique_for_overwrite<std::byte[]>(k_block_bytes);
    std::uint64_t offset = 0;
    for (;;) {
        const std::span<const std::byte> read{bytes.get(),
                                              read_at(offset, {bytes.get(), k_block_bytes})};
        const auto walked = itch::walk(read, look);
        const auto rest = read.subspan(walked.consumed_bytes);
        blocks_.push_back(
            {.offset = offset, .first_message = messages_ + 1, .before_ns = last_ns_});
        messages_ += walked.messages;
        offset += walked.consumed_bytes;
        last_ns_ = std::max<std::int64_t>(look.last_ns(), 0);
        if (walked.end == itch::WalkEnd::stopped || walked.end == itch::WalkEnd::fault)
            return false;
        if (read.size() == k_block_bytes && walked.consumed_bytes > 0) {
            on_messages(messages_);
            continue;
        }
        blocks_.push_back(
            {.offset = offset, .first_message = messages_ + 1, .before_ns = last_ns_});
        return messages_ > 0 && (rest.empty() || std::ranges::equal(rest, k_end_mark));
    }
}

std::unique_ptr<PieceReader> ItchDay::read(const archive::DayRange& /*range*/,
                                           const TakeBooks& /*take*/) const {
    return std::make_unique<BlockReader>(*this);
}

}  // namespace damrak::tables
