#include <damrak/session/ouch/order.hpp>

#include <damrak/wire/itch/cross_type.hpp>

namespace damrak::session::ouch {

namespace {

namespace v42 = wire::ouch::v42;
namespace v50 = wire::ouch::v50;
using wire::ouch::Option;

bool is_v42(const Order& order) { return order.terms.version == Version::v42; }

std::uint32_t shares_of(std::int64_t quantity) { return static_cast<std::uint32_t>(quantity); }

// A resting side adds liquidity, hidden or not; an incoming one removes it. In a cross, both rest.
char liquidity_of(const Event& event, CallKind call) {
    if (has_flag(event, EventFlags::k_cross)) return wire::itch::cross_type(call);
    if (is_taker(event)) return 'R';
    return has_flag(event, EventFlags::k_hidden) ? 'J' : 'A';
}

// Fields that both reports of a whole order share, under the same names in both versions.
template <class M>
void fill_v42(M& message, const Order& order) {
    const Request& terms = order.terms;
    message.side = terms.side;
    message.shares = shares_of(order.open);
    message.symbol = terms.symbol;
    message.price_e4 = static_cast<std::uint32_t>(terms.price_e4);
    message.time_in_force = terms.time_in_force;
    message.firm = terms.firm;
    message.display = terms.display;
    message.order_reference = order.id.value;
    message.capacity = terms.capacity;
    message.iso = terms.iso;
    message.minimum_quantity = terms.minimum_quantity;
    message.cross_type = terms.cross_type;
    message.order_state = 'L';
    message.bbo_weight = ' ';
}

char price_type(PegReference peg) {
    if (peg == PegReference::primary) return 'R';
    return peg == PegReference::market ? 'P' : 'M';
}

char strategy_of(SelfTradePrevention rule) {
    switch (rule) {
        case SelfTradePrevention::cancel_newest:
            return 'N';
        case SelfTradePrevention::cancel_oldest:
            return 'O';
        case SelfTradePrevention::cancel_both:
            return 'B';
        case SelfTradePrevention::decrement_and_cancel:
            return 'D';
        default:
            return ' ';
    }
}

template <class M>
void fill_v50(M& message, const Order& order) {
    const Request& terms = order.terms;
    message.user_ref = terms.user_ref;
    message.side = terms.side;
    message.quantity = shares_of(order.open);
    message.symbol = terms.symbol;
    message.price_e4 = terms.price_e4;
    message.time_in_force = static_cast<char>(terms.time_in_force);
    message.display = terms.display;
    message.order_reference = order.id.value;
    message.capacity = terms.capacity;
    message.iso = terms.iso;
    message.cross_type = terms.cross_type;
    message.order_state = 'L';
    message.cl_ord_id = terms.cl_ord_id;
    auto& options = message.appendage;
    if (!terms.firm.text().empty()) options.add(Option::firm, terms.firm);
    if (terms.minimum_quantity != 0) options.add(Option::minimum_quantity, terms.minimum_quantity);
    if (terms.customer_type != ' ') options.add(Option::customer_type, terms.customer_type);
    if (terms.displayed_quantity != 0)
        options.add(Option::displayed_quantity, terms.displayed_quantity);
    if (terms.post_only) options.add(Option::post_only, 'P');
    if (terms.life == Life::seconds) options.add(Option::expire_time, terms.seconds);
    if (terms.has_group) options.add(Option::group, terms.group);
    if (terms.peg != PegReference::none) options.add(Option::price_type, price_type(terms.peg));
    if (terms.peg_offset_e4 != 0)
        options.add(Option::peg_offset, static_cast<std::uint32_t>(terms.peg_offset_e4));
    if (terms.imbalance_only) options.add(Option::handling, 'I');
}

}  // namespace

// The same bytes in both versions.
Reports::Bytes Reports::system_event(char code) {
    return write(v42::SystemEvent{.timestamp_ns = time_, .event_code = code});
}

Reports::Bytes Reports::accepted(const Order& order) {
    if (is_v42(order)) {
        v42::Accepted message{.timestamp_ns = time_, .order_token = order.terms.token};
        fill_v42(message, order);
        return write(message);
    }
    v50::Accepted message{.timestamp_ns = time_};
    fill_v50(message, order);
    return write(message);
}

Reports::Bytes Reports::replaced(const Order& order, const Token& previous) {
    if (is_v42(order)) {
        v42::Replaced message{.timestamp_ns = time_,
                              .replacement_token = order.terms.token,
                              .previous_token = previous};
        fill_v42(message, order);
        return write(message);
    }
    v50::Replaced message{.timestamp_ns = time_, .orig_user_ref = ref_of(previous)};
    fill_v50(message, order);
    return write(message);
}

Reports::Bytes Reports::canceled(const Order& order, std::int64_t quantity, char reason) {
    if (is_v42(order))
        return write(v42::Canceled{.timestamp_ns = time_,
                                   .order_token = order.terms.token,
                                   .decrement_shares = shares_of(quantity),
                                   .reason = reason});
    return write(v50::Canceled{.timestamp_ns = time_,
                               .user_ref = order.terms.user_ref,
                               .quantity = shares_of(quantity),
                               .reason = reason});
}

Reports::Bytes Reports::aiq_canceled(const Order& order, std::int64_t quantity,
                                     const PreventedTrade& trade) {
    const char rests = order.terms.hidden ? 'J' : 'A';
    const char liquidity = trade.was_incoming ? 'R' : rests;
    if (is_v42(order))
        return write(
            v42::AiqCanceled{.timestamp_ns = time_,
                             .order_token = order.terms.token,
                             .decrement_shares = shares_of(quantity),
                             .reason = 'Q',
                             .quantity_prevented = shares_of(trade.quantity),
                             .execution_price_e4 = static_cast<std::uint32_t>(trade.price_e4),
                             .liquidity_flag = liquidity});
    return write(v50::AiqCanceled{.timestamp_ns = time_,
                                  .user_ref = order.terms.user_ref,
                                  .decrement_shares = shares_of(quantity),
                                  .reason = 'Q',
                                  .quantity_prevented = shares_of(trade.quantity),
                                  .execution_price_e4 = trade.price_e4,
                                  .liquidity_flag = liquidity,
                                  .aiq_strategy = strategy_of(trade.rule)});
}

Reports::Bytes Reports::modified(const Order& order) {
    if (is_v42(order))
        return write(v42::OrderModified{.timestamp_ns = time_,
                                        .order_token = order.terms.token,
                                        .side = order.terms.side,
                                        .shares = shares_of(order.open)});
    return write(v50::OrderModified{.timestamp_ns = time_,
                                    .user_ref = order.terms.user_ref,
                                    .side = order.terms.side,
                                    .quantity = shares_of(order.open)});
}

Reports::Bytes Reports::executed(const Order& order, const Event& event, std::uint64_t price_e4,
                                 CallKind call) {
    if (is_v42(order))
        return write(v42::Executed{.timestamp_ns = time_,
                                   .order_token = order.terms.token,
                                   .executed_shares = shares_of(event.quantity.value),
                                   .execution_price_e4 = static_cast<std::uint32_t>(price_e4),
                                   .liquidity_flag = liquidity_of(event, call),
                                   .match_number = event.trade_id().value});
    return write(v50::Executed{.timestamp_ns = time_,
                               .user_ref = order.terms.user_ref,
                               .quantity = shares_of(event.quantity.value),
                               .price_e4 = price_e4,
                               .liquidity_flag = liquidity_of(event, call),
                               .match_number = event.trade_id().value});
}

Reports::Bytes Reports::priority(const Order& order) {
    if (is_v42(order))
        return write(
            v42::PriorityUpdate{.timestamp_ns = time_,
                                .order_token = order.terms.token,
                                .price_e4 = static_cast<std::uint32_t>(order.terms.price_e4),
                                .display = order.terms.display,
                                .order_reference = order.id.value});
    return write(v50::PriorityUpdate{.timestamp_ns = time_,
                                     .user_ref = order.terms.user_ref,
                                     .price_e4 = order.terms.price_e4,
                                     .display = order.terms.display,
                                     .order_reference = order.id.value});
}

Reports::Bytes Reports::restated(const Order& order, const Event& event) {
    v50::OrderRestated message{
        .timestamp_ns = time_, .user_ref = order.terms.user_ref, .reason = 'R'};
    message.appendage.add(Option::restated_quantity, shares_of(event.displayed.value));
    message.appendage.add(Option::secondary_reference, event.public_id().value);
    return write(message);
}

Reports::Bytes Reports::broken(const Token& token, const Token& cl_ord_id, Version version,
                               std::uint64_t match_number) {
    constexpr char k_supervisory = 'S';
    if (version == Version::v42)
        return write(v42::BrokenTrade{.timestamp_ns = time_,
                                      .order_token = token,
                                      .match_number = match_number,
                                      .reason = k_supervisory});
    return write(v50::BrokenTrade{.timestamp_ns = time_,
                                  .user_ref = ref_of(token),
                                  .match_number = match_number,
                                  .reason = k_supervisory,
                                  .cl_ord_id = cl_ord_id});
}

Reports::Bytes Reports::rejected(const Request& request, Refusal refusal) {
    if (request.version == Version::v42)
        return write(v42::Rejected{
            .timestamp_ns = time_, .order_token = request.token, .reason = code_v42(refusal)});
    return write(v50::Rejected{.timestamp_ns = time_,
                               .user_ref = request.user_ref,
                               .reason = code_v50(refusal),
                               .cl_ord_id = request.cl_ord_id});
}

Reports::Bytes Reports::cancel_rejected(const Order& order) {
    if (is_v42(order))
        return write(v42::CancelReject{.timestamp_ns = time_, .order_token = order.terms.token});
    return write(v50::CancelReject{.timestamp_ns = time_, .user_ref = order.terms.user_ref});
}

Reports::Bytes Reports::mass_canceled(const Request& request) {
    v50::MassCancelDone message{.timestamp_ns = time_,
                                .user_ref = request.user_ref,
                                .firm = request.firm,
                                .symbol = request.symbol};
    if (request.side != ' ') message.appendage.add(Option::side, request.side);
    return write(message);
}

Reports::Bytes Reports::entry_disabled(const Request& request) {
    return write(v50::EntryDisabled{
        .timestamp_ns = time_, .user_ref = request.user_ref, .firm = request.firm});
}

Reports::Bytes Reports::entry_enabled(const Request& request) {
    return write(v50::EntryEnabled{
        .timestamp_ns = time_, .user_ref = request.user_ref, .firm = request.firm});
}

Reports::Bytes Reports::account(std::uint32_t next_user_ref) {
    return write(v50::AccountAnswer{.timestamp_ns = time_, .next_user_ref = next_user_ref});
}

}  // namespace damrak::session::ouch
