#include <damrak/telemetry/detail/classic_logs.hpp>

#include <utility>

#include <damrak/session/binary_rules.hpp>

namespace damrak::telemetry {

namespace {

using session::binary::modify_status;
using session::binary::ModifyStatus;
using wire::binary::Version;

constexpr std::int64_t k_units_per_cent = 100;

std::uint64_t cents(Price price) {
    return static_cast<std::uint64_t>(price.value / k_units_per_cent);
}
std::uint64_t count_of(Quantity quantity) { return static_cast<std::uint64_t>(quantity.value); }

// Values of version 2 of the protocol; version 1 has only good-till-cancelled, as 0.
std::uint64_t number_of(TimeInForce time_in_force) {
    switch (time_in_force) {
        case TimeInForce::gtc:
            return 0;
        case TimeInForce::fok:
            return 1;
        case TimeInForce::day:
            return 2;
        default:
            return 3;
    }
}

}  // namespace

std::uint64_t ClassicLogs::descriptor_of(SessionId session) const {
    const auto found = descriptors_.find(session.value);
    return found == descriptors_.end() ? 0 : found->second;
}

std::uint64_t ClassicLogs::client_of(ParticipantId participant) const {
    return participant.value < last_session_.size() ? last_session_[participant.value].value : 0;
}

void ClassicLogs::add(const Timing& timing) {
    // The analysis scripts fail on types that are not in their table of names.
    if (timing.request == RequestKind::logout || timing.request == RequestKind::other) return;
    // Each message begins with its own decoding, not with the read that delivered several: the wait
    // in between belongs to the earlier ones.
    const std::uint64_t read = timing.times.read_ticks;
    files_.add(classic::Timings{timing.wire_type, read + timing.times.spent(Stage::wait),
                                read + timing.times.through(Stage::decode),
                                read + timing.times.through(Stage::buffer)});
}

void ClassicLogs::add(const Opened& opened) {
    const auto descriptor = static_cast<std::uint64_t>(opened.peer.descriptor);
    descriptors_[opened.session.value] = descriptor;
    const auto& ip = opened.peer.address;
    files_.add(classic::Connected{
        ticks(opened.time), descriptor, opened.peer.port, {ip[0], ip[1], ip[2], ip[3]}});
}

void ClassicLogs::add(const Closed& closed) {
    files_.add(classic::Disconnected{ticks(closed.time), descriptor_of(closed.session)});
    descriptors_.erase(closed.session.value);
    // Dates of records that were lost before they arrived here.
    asked_dates_.erase(asked_dates_.lower_bound({closed.session, 0}),
                       asked_dates_.upper_bound({closed.session, UINT32_MAX}));
}

void ClassicLogs::add(const Request& request) {
    files_.add(classic::Received{{ticks(request.time), descriptor_of(request.session),
                                  request.session.value, request.wire_type, request.sequence}});
}

// Other rejects have no row there.
void ClassicLogs::add(const Refusal& refusal) {
    if (refusal.request != RequestKind::modify) return;
    constexpr std::uint64_t k_no_order = 0;
    files_.add(classic::Modified{ticks(refusal.time), refusal.session.value, refusal.order.value,
                                 k_no_order, refusal.quantity, refusal.price_e2,
                                 refusal.wire_status, refusal.instrument.value});
}

void ClassicLogs::add(const GoodTill& date) {
    asked_dates_[{date.session, date.sequence}] = date.date;
}

void ClassicLogs::add(const Write& write) {
    files_.add(classic::Sent{{ticks(write.time), descriptor_of(write.session), write.session.value,
                              write.wire_type, write.sequence}});
}

void ClassicLogs::remember(const OrderFate& fate) {
    const std::size_t index = fate.participant.value;
    if (index >= last_session_.size()) last_session_.resize(index + 1);
    last_session_[index] = fate.session;
}

// The order now has an id, or will never have one.
void ClassicLogs::date_order(const OrderFate& fate) {
    const auto asked = asked_dates_.find({fate.session, fate.sequence});
    if (asked == asked_dates_.end()) return;
    if (fate.event == EventKind::accepted) dates_[fate.order.value] = asked->second;
    asked_dates_.erase(asked);
}

void ClassicLogs::add_to_book(const OrderFate& fate, OrderId order) {
    on_book_.insert(order.value);
    const auto date = dates_.find(order.value);
    files_.add(classic::Added{.ts = ticks(fate.time),
                              .order_id = order.value,
                              .client_id = client_of(fate.participant),
                              .side = static_cast<std::uint64_t>(std::to_underlying(fate.side)),
                              .quantity = count_of(fate.remaining),
                              .price = cents(fate.price),
                              .time_in_force = number_of(fate.time_in_force),
                              .good_till = date == dates_.end() ? GoodTill::k_never : date->second,
                              .instrument_id = fate.instrument.value,
                              .ref = fate.sequence});
}

void ClassicLogs::end_order(Timestamp time, OrderId order) {
    dates_.erase(order.value);
    if (on_book_.erase(order.value) > 0) files_.add(classic::Removed{ticks(time), order.value});
}

void ClassicLogs::modify(const OrderFate& fate, OrderId new_order, Quantity quantity,
                         std::uint8_t status) {
    const std::uint64_t client = fate.session ? fate.session.value : client_of(fate.participant);
    files_.add(classic::Modified{ticks(fate.time), client, fate.order.value, new_order.value,
                                 count_of(quantity), cents(fate.price), status,
                                 fate.instrument.value});
}

void ClassicLogs::replace(const OrderFate& fate, bool on_book) {
    const OrderId new_order{fate.reference};
    modify(fate, new_order, fate.remaining, std::to_underlying(ModifyStatus::accepted));
    if (new_order == fate.order) return;
    if (const auto date = dates_.find(fate.order.value); date != dates_.end())
        dates_[new_order.value] = date->second;
    end_order(fate.time, fate.order);
    if (on_book) add_to_book(fate, new_order);
}

void ClassicLogs::add(const OrderFate& fate) {
    const bool on_book = (fate.flags & EventFlags::k_on_book) != 0;
    switch (fate.event) {
        case EventKind::accepted:
            remember(fate);
            date_order(fate);
            if (on_book) add_to_book(fate, fate.order);
            return;
        case EventKind::rejected:
            if (fate.command == CommandKind::new_order) return date_order(fate);
            if (fate.command == CommandKind::replace_order)
                modify(fate, OrderId{}, fate.quantity, modify_status(Version::v1, fate.reason));
            return;
        case EventKind::rested:
            // Once only: an undisplayed order rests again when it becomes displayed.
            if (!on_book_.contains(fate.order.value)) add_to_book(fate, fate.order);
            return;
        case EventKind::replaced:
            return replace(fate, on_book);
        case EventKind::cancelled:
        case EventKind::expired:
            if (fate.remaining.value != 0) return;
            if (fate.event == EventKind::cancelled && on_book_.contains(fate.order.value))
                files_.add(classic::Cancelled{ticks(fate.time), client_of(fate.participant),
                                              fate.order.value});
            return end_order(fate.time, fate.order);
        default:
            return;
    }
}

void ClassicLogs::add(const Trade& trade) {
    files_.add(classic::Traded{.ts = ticks(trade.time),
                               .trade_id = trade.trade.value,
                               .buyer_order_id = trade.buyer_order.value,
                               .seller_order_id = trade.seller_order.value,
                               .buyer_id = client_of(trade.buyer),
                               .seller_id = client_of(trade.seller),
                               .quantity = count_of(trade.quantity),
                               .price = cents(trade.price),
                               .timestamp = static_cast<std::uint64_t>(trade.time.value / 1'000),
                               .instrument_id = trade.instrument.value});
    if (trade.buyer_done != 0) end_order(trade.time, trade.buyer_order);
    if (trade.seller_done != 0) end_order(trade.time, trade.seller_order);
}

}  // namespace damrak::telemetry
