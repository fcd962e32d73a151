// What the exchange sends.
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include <damrak/client/ouch_order_entry.hpp>
#include <damrak/wire/ouch/decode.hpp>

namespace damrak::client {

namespace ouch = wire::ouch;
namespace soupbin = wire::soupbin;
namespace v50 = wire::ouch::v50;
using soupbin::PacketType;

namespace {

std::string_view ended_because(char reason) {
    switch (reason) {
        case 'Q':
            return "would trade with an own order";
        case 'T':
            return "its time has passed";
        case 'E':
            return "end of the day";
        case 'S':
            return "blocked";
        case 'Z':
            return "a limit of the exchange";
        default:
            return {};
    }
}

// docs/protocols/ouch.md has the codes.
std::string rejected_because(std::uint16_t reason) {
    switch (reason) {
        case 0x03:
        case 0x04:
            return "the displayed quantity is not valid";
        case 0x07:
            return "the instrument is halted";
        case 0x09:
            return "the side is not valid";
        case 0x0C:
            return "the participant is blocked";
        case 0x0D:
            return "the minimum quantity is not valid";
        case 0x12:
            return "a post-only order would trade";
        case 0x13:
            return "the quantity is not valid";
        case 0x17:
            return "there is no such instrument";
        case 0x1D:
            return "the price is not valid";
        case 0x1E:
            return "the quantity is above the limit of an order";
        case 0x1F:
            return "the value is above the limit of an order";
        case 0x20:
            return "a limit of the participant would be exceeded";
        default:
            return fmt::format("reason {:#04x} of OUCH", reason);
    }
}

}  // namespace

bool OuchOrderEntry::receive(std::span<const std::byte> bytes) {
    unread_.insert(unread_.end(), bytes.begin(), bytes.end());
    std::size_t at = 0;
    while (at < unread_.size()) {
        const auto packet = soupbin::decode(std::span{unread_}.subspan(at));
        if (!packet || (packet->bytes > 0 && !take(*packet))) return false;
        if (packet->bytes == 0) break;
        at += packet->bytes;
    }
    unread_.erase(unread_.begin(), unread_.begin() + static_cast<std::ptrdiff_t>(at));
    return true;
}

bool OuchOrderEntry::take(const soupbin::Packet& packet) {
    switch (packet.type) {
        case PacketType::login_accepted:
            return log_in_as(packet);
        case PacketType::login_rejected:
            on_refused_login(packet);
            return true;
        case PacketType::sequenced_data: {
            const auto message = ouch::decode<v50::Outbound>(packet.payload);
            if (!message) return false;
            ++next_message_;
            std::visit([this](const auto& one) { on(one); }, *message);
            return true;
        }
        case PacketType::end_of_session:
            forget_session();
            return true;
        case PacketType::server_heartbeat:
        case PacketType::debug:
            return true;
        default:
            return false;
    }
}

bool OuchOrderEntry::log_in_as(const soupbin::Packet& packet) {
    const auto accepted = soupbin::decode_login_accepted(packet.payload);
    if (!accepted) return false;
    session_.assign(accepted->session.begin(), accepted->session.end());
    next_message_ = accepted->sequence;
    if (takes_over_ && !reads_past_) past_ = accepted->sequence;
    return true;
}

void OuchOrderEntry::on_refused_login(const soupbin::Packet& packet) {
    const auto reason = soupbin::decode_login_rejected(packet.payload);
    // The day of a lost connection is over: the next login asks for the current session.
    if (reason == soupbin::RejectReason::session_not_available && !session_.empty())
        return forget_session();
    refusal_ = fmt::format("the exchange does not let the user {} in", user_);
    tell(News::Kind::login_refused, {}, refusal_);
}

void OuchOrderEntry::forget_session() {
    session_.clear();
    next_message_ = 0;
    past_ = 0;
    orders_.clear();
    named_.clear();
    numbers_.clear();
}

void OuchOrderEntry::lose() {
    next_reference_ = 0;
    unsent_.clear();
    unread_.clear();
    for (auto& [number, order] : orders_)
        if (order.state == OwnOrder::State::open) order.state = OwnOrder::State::unsure;
}

void OuchOrderEntry::on(const v50::AccountAnswer& answer) {
    if (logged_in() || wants_reconnect()) return;
    if (takes_over_ && next_message_ <= past_) return;  // to an earlier query
    next_reference_ = std::max(answer.next_user_ref, highest_reference_ + 1);
    if (std::exchange(takes_over_, false)) news_.clear();  // of the past
    tell(News::Kind::logged_in, {});
    settle_lost();
}

// The answers to what arrived over the lost connection have come by now.
void OuchOrderEntry::settle_lost() {
    std::vector<std::uint32_t> lost;
    for (auto& [number, order] : orders_) {
        if (order.state == OwnOrder::State::sent) lost.push_back(number);
        if (order.state != OwnOrder::State::unsure) continue;
        order.state = OwnOrder::State::open;
        Named& named = named_[number];
        if (!std::exchange(named.changes, false)) continue;
        let_go(named, 1, named.references.size() - 1);
        named.price_e2 = order.price_e2;
        tell(News::Kind::cancel_refused, order, "the connection was lost");
    }
    for (const std::uint32_t number : lost)
        finish(orders_[number], News::Kind::refused, "the connection was lost");
}

void OuchOrderEntry::on(const v50::Accepted& accepted) {
    OwnOrder* order = find(accepted.user_ref);
    if (order == nullptr && takes_over_) order = &take_over(accepted);
    // It was given up with a lost connection.
    if (order == nullptr)
        return send(
            v50::CancelOrder{.user_ref = accepted.user_ref, .quantity = 0, .appendage = {}});
    order->id = OrderId{accepted.order_reference};
    order->state = OwnOrder::State::open;
    if (!order->market)
        order->price_e2 = static_cast<std::int64_t>(accepted.price_e4 / k_e4_of_cent);
    named_[order->number].price_e2 = order->price_e2;
    tell(News::Kind::accepted, *order);
}

void OuchOrderEntry::on(const v50::Replaced& replaced) {
    if (OwnOrder* const before = takes_over_ ? find(replaced.orig_user_ref) : nullptr)
        name(before->number, replaced.user_ref);
    OwnOrder* const order = find(replaced.user_ref);
    if (order == nullptr) return;
    Named& named = named_[order->number];
    const auto at = std::ranges::find(named.references, replaced.user_ref);
    let_go(named, 0, static_cast<std::size_t>(at - named.references.begin()));
    named.changes = named.references.size() > 1;
    order->id = OrderId{replaced.order_reference};
    order->open = replaced.quantity;
    order->price_e2 = static_cast<std::int64_t>(replaced.price_e4 / k_e4_of_cent);
    tell(News::Kind::modified, *order);
}

void OuchOrderEntry::on(const v50::Canceled& canceled) {
    OwnOrder* const order = find(canceled.user_ref);
    if (order == nullptr) return;
    named_[order->number].changes = false;
    order->open -= std::min<std::uint64_t>(order->open, canceled.quantity);
    if (order->open > 0) return tell(News::Kind::modified, *order);
    finish(*order, canceled.reason == 'I' ? News::Kind::unfilled : News::Kind::cancelled,
           std::string{ended_because(canceled.reason)});
}

void OuchOrderEntry::on(const v50::AiqCanceled& canceled) {
    on(v50::Canceled{.user_ref = canceled.user_ref,
                     .quantity = canceled.decrement_shares,
                     .reason = canceled.reason});
}

void OuchOrderEntry::on(const v50::Executed& executed) {
    OwnOrder* const order = find(executed.user_ref);
    if (order == nullptr) return;
    order->open -= std::min<std::uint64_t>(order->open, executed.quantity);
    order->filled += executed.quantity;
    if (order->open == 0) order->state = OwnOrder::State::finished;
    news_.push_back({.kind = News::Kind::filled,
                     .order = *order,
                     .quantity = executed.quantity,
                     .price_e2 = static_cast<std::int64_t>(executed.price_e4 / k_e4_of_cent),
                     .trade_id = executed.match_number});
    if (order->open == 0) remove(order->number);
}

void OuchOrderEntry::on(const v50::Rejected& rejected) {
    OwnOrder* const order = find(rejected.user_ref);
    if (order == nullptr) return;
    std::string why = rejected_because(rejected.reason);
    if (order->state == OwnOrder::State::sent)
        return finish(*order, News::Kind::refused, std::move(why));
    Named& named = named_[order->number];
    let_go(named, 1, named.references.size() - 1);
    named.price_e2 = order->price_e2;
    named.changes = false;
    tell(News::Kind::modify_refused, *order, std::move(why));
}

void OuchOrderEntry::on(const v50::CancelReject& rejected) {
    OwnOrder* const order = find(rejected.user_ref);
    if (order == nullptr) return;
    named_[order->number].changes = false;
    tell(News::Kind::cancel_refused, *order);
}

OwnOrder& OuchOrderEntry::take_over(const v50::Accepted& accepted) {
    const std::uint32_t number = ++last_number_;
    name(number, accepted.user_ref);
    OwnOrder& order = orders_[number];
    order = {.number = number,
             .instrument = symbols_.add(accepted.symbol.text()),
             .side = accepted.side == 'B' ? Side::buy : Side::sell,
             .market = accepted.price_e4 == k_at_market,
             .open = accepted.quantity};
    return order;
}

}  // namespace damrak::client
