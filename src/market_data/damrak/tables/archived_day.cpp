#include <utility>

#include <damrak/archive/broken_trades.hpp>
#include <damrak/tables/day_source.hpp>

namespace damrak::tables {

namespace {

class BlockReader final : public PieceReader {
  public:
    explicit BlockReader(archive::DayCursor cursor) : cursor_(std::move(cursor)) {}

    std::expected<std::optional<Piece>, archive::Gap> next() override {
        auto block = cursor_.next();
        if (!block) return std::unexpected{std::move(block.error())};
        if (!*block) return std::nullopt;
        block_ = **std::move(block);
        return Piece{.first_message = block_.first_message, .frames = block_.frames};
    }
    archive::Completeness at_end() const override { return cursor_.at_end(); }
    archive::Gap invalid(std::uint64_t message) const override { return cursor_.invalid(message); }

  private:
    archive::DayCursor cursor_;
    archive::MessageBlock block_;
};

}  // namespace

std::int32_t ArchivedDay::date() const { return day_->date(); }
std::vector<archive::Instrument> ArchivedDay::instruments() const {
    const auto all = day_->instruments();
    return {all.begin(), all.end()};
}
const archive::DayDepth& ArchivedDay::depth() const { return day_->depth(); }
std::uint64_t ArchivedDay::messages() const { return day_->messages(); }
std::int64_t ArchivedDay::first_time_ns() const { return day_->first_time_ns(); }
std::int64_t ArchivedDay::last_time_ns() const { return day_->last_time_ns(); }
archive::Answer<order_flow::BrokenTrades> ArchivedDay::broken_trades() const {
    return archive::broken_trades(*day_);
}
std::unique_ptr<PieceReader> ArchivedDay::read(const archive::DayRange& range,
                                               const TakeBooks& take) const {
    return std::make_unique<BlockReader>(
        take ? archive::DayCursor::with_books(*day_, range, take)
             : archive::DayCursor{*day_, {.locate = range.locate, .until_ns = range.until_ns}});
}

}  // namespace damrak::tables
