#include <damrak/client/ouch_order_entry.hpp>

#include <algorithm>
#include <array>
#include <limits>

#include <fmt/format.h>

#include <damrak/wire/ouch/encode.hpp>

namespace damrak::client {

namespace ouch = wire::ouch;
namespace soupbin = wire::soupbin;
namespace v50 = wire::ouch::v50;
using soupbin::PacketType;

namespace {

constexpr std::size_t k_packet_bytes = ouch::k_longest_message + 64;

std::uint32_t ouch_quantity(std::uint64_t quantity) {
    constexpr std::uint64_t k_most = std::numeric_limits<std::uint32_t>::max();
    return static_cast<std::uint32_t>(std::min(quantity, k_most));
}

char ouch_life(const OwnOrder& order) { return order.rests() ? '0' : '3'; }

char ouch_display(const OwnOrder& order) {
    const bool hidden = order.extras.shown == 0U || order.extras.peg != PegReference::none;
    return hidden ? 'N' : 'Y';
}

char ouch_cross(const OrderExtras& extras) {
    switch (extras.in_force.value_or(TimeInForce::day)) {
        case TimeInForce::at_open:
            return 'O';
        case TimeInForce::at_close:
            return 'C';
        case TimeInForce::at_auction:
            return 'H';
        default:
            return 'N';
    }
}

ouch::Appendage options_of(const OrderExtras& extras, std::uint32_t peg_offset) {
    constexpr std::array k_followed{'L', 'R', 'P', 'M'};
    ouch::Appendage options;
    if (extras.least > 0) options.add(ouch::Option::minimum_quantity, ouch_quantity(extras.least));
    if (extras.shown.value_or(0) > 0)
        options.add(ouch::Option::displayed_quantity, ouch_quantity(*extras.shown));
    if (extras.post) options.add(ouch::Option::post_only, 'P');
    if (extras.imbalance) options.add(ouch::Option::handling, 'I');
    if (extras.peg != PegReference::none)
        options.add(ouch::Option::price_type, k_followed.at(static_cast<std::size_t>(extras.peg)));
    if (peg_offset != 0) options.add(ouch::Option::peg_offset, peg_offset);
    return options;
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

// For the answers.
template void OuchOrderEntry::send(const v50::CancelOrder& message);

std::uint64_t OuchOrderEntry::price_e4(std::int64_t price_e2) {
    return price_e2 == 0 ? k_at_market : static_cast<std::uint64_t>(price_e2) * k_e4_of_cent;
}

// It is added to the price that the order follows: two's complement of a negative one.
std::uint32_t OuchOrderEntry::peg_offset(const OwnOrder& order) {
    const std::uint32_t offset_e4 =
        ouch_quantity(static_cast<std::uint64_t>(order.extras.offset_e2) * k_e4_of_cent);
    return order.side == Side::buy ? 0U - offset_e4 : offset_e4;
}

// The query asks for the first free reference: earlier connections of the day used some.
void OuchOrderEntry::login() {
    reads_past_ = takes_over_ && past_ > 0;
    if (reads_past_) next_message_ = 1;
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
        return fmt::format("the OUCH gateway has no {}: the FIX gateway has", what);
    };
    if (extras.is_linked()) return std::string{k_links_by_binary};
    if (extras.is_stop()) return no("stop orders");
    if (extras.to_limit) return no("to-limit");
    const TimeInForce in_force = extras.in_force.value_or(TimeInForce::day);
    if (in_force == TimeInForce::day || in_force == TimeInForce::ioc || is_for_auctions(in_force))
        return {};
    return no("time in force but day, ioc, opening, closing and auction");
}

std::uint32_t OuchOrderEntry::enter(InstrumentId instrument, Side side, std::uint64_t quantity,
                                    std::int64_t price_e2, const OrderExtras& extras) {
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
        .price_e4 = price_e4(price_e2),
        .time_in_force = ouch_life(order),
        .display = ouch_display(order),
        .capacity = 'P',
        .iso = 'N',
        .cross_type = ouch_cross(extras),
        .cl_ord_id = {},
        .appendage = options_of(extras, peg_offset(order))});
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
bool OuchOrderEntry::modify(std::uint32_t number, std::uint64_t quantity, std::int64_t price_e2,
                            std::int64_t /*stop_e2*/) {
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
                           .price_e4 = price_e4(named.price_e2),
                           .time_in_force = ouch_life(*order),
                           .display = ouch_display(*order),
                           .iso = 'N',
                           .cl_ord_id = {},
                           .appendage = options_of(order->extras, peg_offset(*order))});
    return true;
}

void OuchOrderEntry::mark_sent(std::size_t bytes) {
    unsent_.erase(unsent_.begin(), unsent_.begin() + static_cast<std::ptrdiff_t>(bytes));
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
