// What a participant did, as the ITCH message that says so.
#include <damrak/convert/visible_book.hpp>
#include <damrak/wire/itch/directory.hpp>

namespace damrak::convert {

namespace itch = wire::itch;
using lobster::EventType;
using lobster::MessageRow;

void VisibleBook::publish(const MessageRow& message) {
    const auto found = in_view_.find(message.order_id);
    const Place place = found != in_view_.end()
                            ? found->second
                            : Place{message.side, key_of(message.side, message.price_e4)};
    switch (message.type) {
        case EventType::add:
            return add(message.order_id, place, message.size, 0);
        case EventType::cancel: {
            auto cancel = message_of<itch::OrderCancel>(message.order_id);
            cancel.cancelled_shares = static_cast<std::uint32_t>(message.size);
            (*take_)(cancel);
            return lower(place, order_in(place, message.order_id), message.size);
        }
        case EventType::remove: {
            (*take_)(message_of<itch::OrderDelete>(message.order_id));
            const std::size_t order = order_in(place, message.order_id);
            return lower(place, order, levels(place.side).at(place.key).orders[order].quantity);
        }
        case EventType::execute:
            return execute(message, place);
        case EventType::execute_hidden: {
            auto trade = message_of<itch::Trade>(message.order_id);
            trade.tracking_number = itch::k_side_is_known;
            trade.side = message.side;
            trade.shares = static_cast<std::uint32_t>(message.size);
            trade.stock = stock_;
            trade.price_e4 = static_cast<std::uint32_t>(message.price_e4);
            trade.match_number = ++matches_;
            return (*take_)(trade);
        }
        case EventType::cross: {
            itch::CrossTrade cross;
            cross.stock_locate = locate_;
            cross.timestamp_ns = time_ns_;
            cross.shares = static_cast<std::uint64_t>(message.size);
            cross.stock = stock_;
            cross.cross_price_e4 = static_cast<std::uint32_t>(message.price_e4);
            cross.match_number = ++matches_;
            cross.cross_type = lobster::cross_type(message);
            return (*take_)(cross);
        }
        case EventType::halt: {
            const char state = message.price_e4 == lobster::k_halted            ? 'H'
                               : message.price_e4 == lobster::k_quoting_resumes ? 'Q'
                                                                                : 'T';
            return (*take_)(itch::plain_trading_action(locate_, time_ns_, stock_, state));
        }
    }
}

// An execution at a price other than the order's needs the message for that case.
void VisibleBook::execute(const MessageRow& message, const Place& place) {
    const auto fill = [&](auto& execution) {
        execution.executed_shares = static_cast<std::uint32_t>(message.size);
        execution.match_number = ++matches_;
    };
    if (price_of(place) == message.price_e4) {
        auto execution = message_of<itch::OrderExecuted>(message.order_id);
        fill(execution);
        (*take_)(execution);
    } else {
        auto execution = message_of<itch::OrderExecutedWithPrice>(message.order_id);
        fill(execution);
        execution.printable = true;
        execution.execution_price_e4 = static_cast<std::uint32_t>(message.price_e4);
        (*take_)(execution);
    }
    lower(place, order_in(place, message.order_id), message.size);
}

}  // namespace damrak::convert
