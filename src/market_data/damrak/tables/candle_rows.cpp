#include <damrak/tables/detail/candle_rows.hpp>

namespace damrak::tables {

void CandleRows::add(std::uint16_t locate, const archive::DayTrade& trade) {
    const std::int64_t begin_ns = trade.time_ns - trade.time_ns % every_ns_;
    end_ns_ = begin_ns + every_ns_;
    if (place_.size() <= locate) place_.resize(locate + std::size_t{1});
    if (place_[locate] == 0) {
        open_.push_back({.locate = locate, .candle = {.begin_ns = begin_ns}});
        place_[locate] = static_cast<std::uint32_t>(open_.size());
    }
    archive::add_trade(open_[place_[locate] - 1].candle, trade);
}

void CandleRows::write(Chunk& chunk) {
    for (const auto& [locate, candle] : open_) {
        chunk[0].push(context_->epoch_ns + candle.begin_ns);
        context_->push_symbol(chunk[1], locate);
        push_price(chunk[2], candle.open_e4);
        push_price(chunk[3], candle.high_e4);
        push_price(chunk[4], candle.low_e4);
        push_price(chunk[5], candle.close_e4);
        chunk[6].push(candle.quantity);
        chunk[7].push(candle.trades);
        place_[locate] = 0;
    }
    open_.clear();
}

}  // namespace damrak::tables
