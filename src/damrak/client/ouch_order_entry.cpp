#include <damrak/client/ouch_order_entry.hpp>

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>
#include <variant>

#include <fmt/format.h>

#include <damrak/wire/ouch/decode.hpp>
#include <damrak/wire/ouch/encode.hpp>

namespace damrak::client {

namespace ouch = wire::ouch;
namespace soupbin = wire::soupbin;
namespace v50 = wire::ouch::v50;
using soupbin::PacketType;

namespace {

constexpr std::uint64_t k_ouch_unit = 100;
constexpr std::uint64_t k_at_market = 0x7FFF'FFFF;
constexpr std::size_t k_packet_bytes = ouch::k_longest_message + 64;

std::uint32_t ouch_quantity(std::uint64_t quantity) {
    constexpr std::uint64_t k_most = std::numeric_limits<std::uint32_t>::max();
    return static_cast<std::uint32_t>(std::min(quantity, k_most));
}

std::uint64_t ouch_price(std::uint64_t price_e2) {
    return price_e2 == 0 ? k_at_market : price_e2 * k_ouch_unit;
}

char ouch_life(const OwnOrder& order) { return order.rests() ? '0' : '3'; }

char ouch_display(const OwnOrder& order) { return order.extras.shown == 0U ? 'N' : 'Y'; }

ouch::Appendage options_of(const OrderExtras& extras) {
    ouch::Appendage options;
    if (extras.least > 0) options.add(ouch::Option::minimum_quantity, ouch_quantity(extras.least));
    if (extras.shown.value_or(0) > 0)
        options.add(ouch::Option::displayed_quantity, ouch_quantity(*extras.shown));
    if (extras.post) options.add(ouch::Option::post_only, 'P');
    return options;
}

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

}  // namespace

template <class M>
void OuchOrderEntry::send(const M& message) {
    std::array<std::byte, ouch::k_longest_message> bytes;
    const std::size_t length = ouch::encode(message, bytes);
    const std::size_t before = unsent_.size();
    unsent_.resize(before + k_packet_bytes);
    unsent_.resize(before + soupbin::encode(PacketType::unsequenced_data,
                                            std::span{bytes}.first(length),
                                            std::span{unsent_}.subspan(before)));
}

// The query asks for the first free reference: earlier connections of the day used some.
void OuchOrderEntry::login() {
    std::array<std::byte, k_packet_bytes> bytes;
    const std::size_t length =
        soupbin::encode_login_request(user_, password_, session_, next_message_, bytes);
    unsent_.assign(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(length));
    send(v50::AccountQuery{});
}

void OuchOrderEntry::logout() {
    std::array<std::byte, k_packet_bytes> bytes;
    const std::size_t length = soupbin::encode(PacketType::logout_request, bytes);
    unsent_.insert(unsent_.end(), bytes.begin(),
                   bytes.begin() + static_cast<std::ptrdiff_t>(length));
}

void OuchOrderEntry::heartbeat() {
    std::array<std::byte, k_packet_bytes> bytes;
    const std::size_t length = soupbin::encode(PacketType::client_heartbeat, bytes);
    unsent_.insert(unsent_.end(), bytes.begin(),
                   bytes.begin() + static_cast<std::ptrdiff_t>(length));
}

std::string OuchOrderEntry::why_not(const OrderExtras& extras) const {
    const auto no = [](std::string_view what) {
        return fmt::format("the OUCH door has no {}: the FIX door has", what);
    };
    if (extras.stop_e2 > 0) return no("stop orders");
    if (extras.in_force && *extras.in_force != TimeInForce::day &&
        *extras.in_force != TimeInForce::ioc)
        return no("time in force but day and ioc");
    return {};
}

std::uint32_t OuchOrderEntry::enter(InstrumentId instrument, Side side, std::uint64_t quantity,
                                    std::uint64_t price_e2, const OrderExtras& extras) {
    const std::uint32_t number = ++last_number_;
    const OwnOrder& order = orders_[number] = {.number = number,
                                               .instrument = instrument,
                                               .side = side,
                                               .market = price_e2 == 0,
                                               .price_e2 = price_e2,
                                               .open = quantity,
                                               .extras = extras};
    const std::uint32_t reference = logged_in() ? next_reference_++ : 0;  // refused at the login
    named_[number].price_e2 = price_e2;
    name(number, reference);
    send(v50::EnterOrder{
        .user_ref = reference,
        .side = side == Side::buy ? 'B' : 'S',
        .quantity = ouch_quantity(quantity),
        .symbol = ouch::Symbol::from(symbols_.name(instrument)).value_or(ouch::Symbol{}),
        .price_e4 = ouch_price(price_e2),
        .time_in_force = ouch_life(order),
        .display = ouch_display(order),
        .capacity = 'P',
        .iso = 'N',
        .cross_type = 'N',
        .cl_ord_id = {},
        .appendage = options_of(extras)});
    return number;
}

bool OuchOrderEntry::cancel(std::uint32_t number) {
    if (in_reach(number) == nullptr) return false;
    Named& named = named_[number];
    named.changes = true;
    send(v50::CancelOrder{.user_ref = named.references.back(), .quantity = 0, .appendage = {}});
    return true;
}

// A smaller quantity alone is a partial cancel, which keeps the order's place. The quantities of
// the protocol include what has traded.
bool OuchOrderEntry::modify(std::uint32_t number, std::uint64_t quantity, std::uint64_t price_e2,
                            std::uint64_t /*stop_e2*/) {
    const OwnOrder* const order = in_reach(number);
    if (order == nullptr) return false;
    Named& named = named_[number];
    const std::uint32_t before = named.references.back();
    const std::uint32_t total = ouch_quantity(order->filled + quantity);
    const bool same_price = price_e2 == 0 || price_e2 == named.price_e2;
    const bool shrinks = same_price && quantity > 0 && quantity < order->open && !named.changes;
    named.changes = true;
    if (shrinks) {
        send(v50::CancelOrder{.user_ref = before, .quantity = total, .appendage = {}});
        return true;
    }
    if (price_e2 > 0) named.price_e2 = price_e2;
    const std::uint32_t fresh = next_reference_++;
    name(number, fresh);
    send(v50::ReplaceOrder{.orig_user_ref = before,
                           .user_ref = fresh,
                           .quantity = total,
                           .price_e4 = ouch_price(named.price_e2),
                           .time_in_force = ouch_life(*order),
                           .display = ouch_display(*order),
                           .iso = 'N',
                           .cl_ord_id = {},
                           .appendage = options_of(order->extras)});
    return true;
}

void OuchOrderEntry::mark_sent(std::size_t bytes) {
    unsent_.erase(unsent_.begin(), unsent_.begin() + static_cast<std::ptrdiff_t>(bytes));
}

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
        case PacketType::login_accepted: {
            const auto accepted = soupbin::decode_login_accepted(packet.payload);
            if (!accepted) return false;
            session_.assign(accepted->session.begin(), accepted->session.end());
            next_message_ = accepted->sequence;
            return true;
        }
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

void OuchOrderEntry::on_refused_login(const soupbin::Packet& packet) {
    const auto reason = soupbin::decode_login_rejected(packet.payload);
    // The day of a lost connection is over: the next login asks for the present session.
    if (reason == soupbin::RejectReason::session_not_available && !session_.empty())
        return forget_session();
    refusal_ = fmt::format("the exchange does not let the user {} in", user_);
    tell(News::Kind::login_refused, {}, refusal_);
}

void OuchOrderEntry::forget_session() {
    session_.clear();
    next_message_ = 0;
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
    if (logged_in()) return;
    next_reference_ = std::max(answer.next_user_ref, highest_reference_ + 1);
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
    OwnOrder* const order = find(accepted.user_ref);
    // It was given up with a lost connection.
    if (order == nullptr)
        return send(
            v50::CancelOrder{.user_ref = accepted.user_ref, .quantity = 0, .appendage = {}});
    order->id = OrderId{accepted.order_reference};
    order->state = OwnOrder::State::open;
    if (!order->market) order->price_e2 = accepted.price_e4 / k_ouch_unit;
    named_[order->number].price_e2 = order->price_e2;
    tell(News::Kind::accepted, *order);
}

void OuchOrderEntry::on(const v50::Replaced& replaced) {
    OwnOrder* const order = find(replaced.user_ref);
    if (order == nullptr) return;
    Named& named = named_[order->number];
    const auto at = std::ranges::find(named.references, replaced.user_ref);
    let_go(named, 0, static_cast<std::size_t>(at - named.references.begin()));
    named.changes = named.references.size() > 1;
    order->id = OrderId{replaced.order_reference};
    order->open = replaced.quantity;
    order->price_e2 = replaced.price_e4 / k_ouch_unit;
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

void OuchOrderEntry::on(const v50::Executed& executed) {
    OwnOrder* const order = find(executed.user_ref);
    if (order == nullptr) return;
    order->open -= std::min<std::uint64_t>(order->open, executed.quantity);
    order->filled += executed.quantity;
    if (order->open == 0) order->state = OwnOrder::State::finished;
    news_.push_back({.kind = News::Kind::filled,
                     .order = *order,
                     .quantity = executed.quantity,
                     .price_e2 = executed.price_e4 / k_ouch_unit,
                     .trade_id = executed.match_number});
    if (order->open == 0) remove(order->number);
}

void OuchOrderEntry::on(const v50::Rejected& rejected) {
    OwnOrder* const order = find(rejected.user_ref);
    if (order == nullptr) return;
    std::string why = fmt::format("reason {:#04x} of OUCH", rejected.reason);
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

std::size_t OuchOrderEntry::pending() const {
    return static_cast<std::size_t>(std::ranges::count_if(orders_, [this](const auto& each) {
        return each.second.state == OwnOrder::State::sent || named_.at(each.first).changes;
    }));
}

OwnOrder* OuchOrderEntry::find(std::uint32_t reference) {
    const auto found = numbers_.find(reference);
    return found == numbers_.end() ? nullptr : &orders_.at(found->second);
}

OwnOrder* OuchOrderEntry::in_reach(std::uint32_t number) {
    const auto found = orders_.find(number);
    if (found == orders_.end() || !logged_in()) return nullptr;
    OwnOrder& order = found->second;
    return order.rests() && order.state == OwnOrder::State::open ? &order : nullptr;
}

void OuchOrderEntry::name(std::uint32_t number, std::uint32_t reference) {
    highest_reference_ = std::max(highest_reference_, reference);
    named_[number].references.push_back(reference);
    numbers_[reference] = number;
}

void OuchOrderEntry::let_go(Named& named, std::size_t first, std::size_t count) {
    const auto from = named.references.begin() + static_cast<std::ptrdiff_t>(first);
    const auto end = from + static_cast<std::ptrdiff_t>(count);
    for (auto reference = from; reference != end; ++reference) numbers_.erase(*reference);
    named.references.erase(from, end);
}

void OuchOrderEntry::finish(OwnOrder& order, News::Kind kind, std::string why) {
    order.state = OwnOrder::State::finished;
    tell(kind, order, std::move(why));
    remove(order.number);
}

void OuchOrderEntry::remove(std::uint32_t number) {
    Named& named = named_[number];
    let_go(named, 0, named.references.size());
    named_.erase(number);
    orders_.erase(number);
}

}  // namespace damrak::client
