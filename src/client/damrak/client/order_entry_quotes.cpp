// Quotes, and what happens to quotes and linked orders without a request.
#include <algorithm>
#include <utility>

#include <damrak/client/order_entry.hpp>
#include <damrak/domain/reason.hpp>

namespace damrak::client {

using namespace wire::binary;
namespace binary = session::binary;

namespace {

std::string text_of(std::uint8_t reason) { return std::string{text(Reason{reason})}; }

}  // namespace

std::string OrderEntry::why_no_quotes() const {
    return version_ == Version::v2 ? "" : TermGateway::why_no_quotes();
}

void OrderEntry::quote(const TermQuote& quote) {
    send({.request = Request::quote, .quote = quote}, [&](auto to) {
        return client_.quote(to, {.instrument = quote.instrument,
                                  .bid_quantity = quote.bid_quantity,
                                  .bid_price_e2 = static_cast<std::uint64_t>(quote.bid_e2),
                                  .ask_quantity = quote.ask_quantity,
                                  .ask_price_e2 = static_cast<std::uint64_t>(quote.ask_e2)});
    });
}

void OrderEntry::protect(InstrumentId instrument, std::uint64_t quantity, std::uint64_t window_us) {
    send({.request = Request::protect}, [&](auto to) {
        return client_.quote_protection(
            to, {.instrument = instrument, .maximum_quantity = quantity, .window_us = window_us});
    });
}

void OrderEntry::on_quote_ack(const Header& /*header*/, const QuoteAck& ack) {
    const auto pending = answered(Request::quote);
    if (!pending) return;
    const TermQuote& quote = pending->quote;
    if (ack.status != binary::k_v2_accepted)
        return tell(News::Kind::quote_refused, {.instrument = quote.instrument}, ack.status,
                    text_of(ack.reason));
    put_side(quote.instrument, Side::buy, ack.bid_order_id, quote.bid_quantity, quote.bid_e2,
             ack.bid_quantity);
    put_side(quote.instrument, Side::sell, ack.ask_order_id, quote.ask_quantity, quote.ask_e2,
             ack.ask_quantity);
}

// A side of a quote: a new order, or one that has kept its place. Its trades are still to come.
void OrderEntry::put_side(InstrumentId instrument, Side side, OrderId id, std::uint64_t quantity,
                          std::int64_t price_e2, std::uint64_t open) {
    if (!id) return;
    awaited_ += quantity - std::min(open, quantity);
    OwnOrder* const known = find(id);
    const std::uint32_t number = known != nullptr ? known->number : ++last_number_;
    OwnOrder& order = orders_[number];
    order = {.number = number,
             .id = id,
             .instrument = instrument,
             .side = side,
             .state = OwnOrder::State::open,
             .price_e2 = price_e2,
             .open = quantity,
             .filled = order.filled};
    numbers_[id] = number;
    tell(known != nullptr ? News::Kind::modified : News::Kind::accepted, order, 0);
}

void OrderEntry::on_protection_ack(const Header& /*header*/, const QuoteProtectionAck& ack) {
    if (!answered(Request::protect)) return;
    const bool done = ack.status == binary::k_v2_accepted;
    tell(done ? News::Kind::protection_set : News::Kind::protection_refused,
         {.instrument = ack.instrument}, ack.status, text_of(ack.reason));
}

void OrderEntry::on_order_changed(const Header& /*header*/, const OrderChanged& changed) {
    OwnOrder* const order = find(changed.order_id);
    if (order == nullptr) return;
    if (changed.change != std::to_underlying(binary::Change::cancelled))
        return tell(News::Kind::triggered, *order, 0);
    order->open -= std::min(order->open, changed.lost_quantity);
    if (order->open > 0) return tell(News::Kind::modified, *order, 0);
    order->open = changed.lost_quantity;
    finish(*order, News::Kind::cancelled, 0, text_of(changed.reason));
}

}  // namespace damrak::client
