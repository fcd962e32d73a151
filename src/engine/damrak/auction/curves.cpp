#include <damrak/auction/curves.hpp>

namespace damrak::auction {

CurvePoint curve_at(const CallBook& book, Price price) {
    CurvePoint point{price, book.market_buys, book.market_sells};
    for (const PriceLevel& bid : book.bids) {
        if (bid.price < price) break;
        point.demand += bid.quantity;
    }
    for (const PriceLevel& ask : book.asks) {
        if (ask.price > price) break;
        point.supply += ask.quantity;
    }
    return point;
}

CurveWalk::CurveWalk(const CallBook& book)
    : bids_(book.bids), asks_(book.asks), point_{{}, book.market_buys, book.market_sells} {
    for (const PriceLevel& bid : bids_) point_.demand += bid.quantity;
}

Price CurveWalk::next_price() const {
    if (bids_.empty()) return asks_.front().price;
    if (asks_.empty()) return bids_.back().price;
    return std::min(bids_.back().price, asks_.front().price);
}

bool CurveWalk::next() {
    if (!has_next()) return false;
    point_ = {next_price(), point_.demand - bid_here_, point_.supply};
    bid_here_ = Quantity{};
    if (!bids_.empty() && bids_.back().price == point_.price) {
        bid_here_ = bids_.back().quantity;
        bids_ = bids_.first(bids_.size() - 1);
    }
    ask_here_ = !asks_.empty() && asks_.front().price == point_.price;
    if (ask_here_) {
        point_.supply += asks_.front().quantity;
        asks_ = asks_.subspan(1);
    }
    return true;
}

}  // namespace damrak::auction
