#include <damrak/telemetry/classic_logs.hpp>

#include <utility>

namespace damrak::telemetry {

namespace {

constexpr std::int64_t k_units_per_cent = 100;

std::uint64_t cents(Price price) {
    return static_cast<std::uint64_t>(price.value / k_units_per_cent);
}
std::uint64_t count_of(Quantity quantity) { return static_cast<std::uint64_t>(quantity.value); }

// The numbers of the protocol's second version; the first has good-till-cancelled alone, as 0.
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

std::expected<ClassicLogs, std::string> ClassicLogs::make(const std::filesystem::path& folder,
                                                          std::uint64_t maximum_bytes,
                                                          const CycleClock& clock) {
    auto files = Files::make(folder, maximum_bytes);
    if (!files) return std::unexpected{std::move(files.error())};
    return ClassicLogs{std::move(*files), clock};
}

std::uint64_t ClassicLogs::descriptor_of(SessionId session) const {
    const auto found = descriptors_.find(session.value);
    return found == descriptors_.end() ? 0 : found->second;
}

std::uint64_t ClassicLogs::client_of(ParticipantId participant) const {
    return participant.value < last_session_.size() ? last_session_[participant.value].value : 0;
}

void ClassicLogs::add(const Timing& timing) {
    const std::uint64_t read = timing.times.read_ticks;
    files_.add(classic::Timings{timing.wire_type, read, read + timing.times.through(Stage::decode),
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
}

void ClassicLogs::add(const Request& request) {
    files_.add(classic::Received{{ticks(request.time), descriptor_of(request.session),
                                  request.session.value, request.wire_type, request.sequence}});
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

void ClassicLogs::add_to_book(const OrderFate& fate, OrderId order) {
    constexpr std::uint64_t k_never = UINT64_MAX;
    on_book_.insert(order.value);
    files_.add(classic::Added{.ts = ticks(fate.time),
                              .order_id = order.value,
                              .client_id = client_of(fate.participant),
                              .side = static_cast<std::uint64_t>(std::to_underlying(fate.side)),
                              .quantity = count_of(fate.remaining),
                              .price = cents(fate.price),
                              .time_in_force = number_of(fate.time_in_force),
                              .good_till = fate.time_in_force == TimeInForce::gtc ? k_never : 0,
                              .instrument_id = fate.instrument.value,
                              .ref = fate.sequence});
}

void ClassicLogs::remove_from_book(Timestamp time, OrderId order) {
    if (on_book_.erase(order.value) > 0) files_.add(classic::Removed{ticks(time), order.value});
}

void ClassicLogs::replace(const OrderFate& fate, bool on_book) {
    constexpr std::uint64_t k_accepted = 1;
    const OrderId new_order{fate.reference};
    files_.add(classic::Modified{ticks(fate.time), client_of(fate.participant), fate.order.value,
                                 new_order.value, count_of(fate.remaining), cents(fate.price),
                                 k_accepted, fate.instrument.value});
    if (new_order == fate.order) return;
    remove_from_book(fate.time, fate.order);
    if (on_book) add_to_book(fate, new_order);
}

void ClassicLogs::add(const OrderFate& fate) {
    const bool on_book = (fate.flags & EventFlags::k_on_book) != 0;
    switch (fate.event) {
        case EventKind::accepted:
            remember(fate);
            if (on_book) add_to_book(fate, fate.order);
            return;
        case EventKind::rested:
            return add_to_book(fate, fate.order);
        case EventKind::replaced:
            return replace(fate, on_book);
        case EventKind::cancelled:
        case EventKind::expired:
            if (fate.remaining.value != 0 || !on_book_.contains(fate.order.value)) return;
            if (fate.event == EventKind::cancelled)
                files_.add(classic::Cancelled{ticks(fate.time), client_of(fate.participant),
                                              fate.order.value});
            return remove_from_book(fate.time, fate.order);
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
    // The one that rested; the other was never in the book.
    const bool bought = trade.aggressor == Side::buy;
    if ((bought ? trade.seller_done : trade.buyer_done) != 0)
        remove_from_book(trade.time, bought ? trade.seller_order : trade.buyer_order);
}

}  // namespace damrak::telemetry
