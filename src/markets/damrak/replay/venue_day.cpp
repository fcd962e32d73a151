#include <damrak/replay/venue_day.hpp>

#include <algorithm>
#include <utility>

#include <damrak/base/time_units.hpp>

namespace damrak::replay {

namespace {

// 2025-01-06, a Monday in winter: recordings show a time of day, and no zone changes its own then.
constexpr std::int64_t k_day = 20'094;

EngineConfig config_of_day(const RematchCapacity& capacity) {
    EngineConfig config = detail::engine_config(capacity);
    config.maximum_extensions = capacity.orders;  // incoming orders that wait for an auction
    return config;
}

}  // namespace

VenueDay::VenueDay(const RematchCapacity& capacity, const StatisticsSettings& settings,
                   std::shared_ptr<const venue::Venue> venue, std::uint64_t seed)
    : books_{Books::k_first_capacity, MarketStatistics{settings}},
      venue_{venue},
      days_{*LocalDays::make(venue->zone)},
      run_{config_of_day(capacity), std::move(venue), seed,
           [this](const Command& command, const Event& event) {
               figures_.on_event(event, command.timestamp, run_.engine());
           }} {}

InstrumentId VenueDay::declare(std::string_view symbol) {
    incoming_.emplace_back();
    undeclared_.emplace_back(symbol);
    return books_.declare(symbol);
}

void VenueDay::add_instruments() {
    for (const std::string& symbol : std::exchange(undeclared_, {})) {
        figures_.declare(symbol);
        submit(detail::instrument_command(InstrumentId{++declared_}, symbol));
    }
}

// The venue acts, and incoming orders of earlier moments are whole.
void VenueDay::go_to(std::int64_t time_ns) {
    if (!time_ns_) run_.begin({days_.at(k_day, time_ns)});
    if (time_ns_ && time_ns > *time_ns_) submit_incoming();
    time_ns_ = std::max(time_ns_.value_or(time_ns), time_ns);
    run_.go_on_until({days_.at(k_day, *time_ns_)});
    if (undeclared_.empty()) return;
    add_instruments();
    run_.go_on_until({days_.at(k_day, *time_ns_)});  // into their phases
}

void VenueDay::submit(Command command) {
    if (!refusal_.empty()) return;
    command.timestamp = {days_.at(k_day, *time_ns_)};
    figures_.on_command();
    if (auto applied = run_.apply(command); !applied) refusal_ = std::move(applied.error());
}

// They trade at once, or in the auction that comes next.
void VenueDay::submit_incoming() {
    for (const InstrumentId instrument : std::exchange(have_incoming_, {})) {
        detail::Incoming& one = incoming_[instrument.value - 1];
        if (one.fills.empty()) continue;
        Command command = one.order(instrument, OrderId{detail::k_incoming_ids + ++last_incoming_});
        const InstrumentState* const in = run_.engine().instrument(instrument);
        const bool waits = in != nullptr && (in->phase == Phase::pre_open ||
                                             (in->phase == Phase::call && !in->sealed));
        if (waits) command.time_in_force = TimeInForce::at_auction;
        submit(command);
        one.fills.clear();
    }
}

const Order* VenueDay::find_in_engine(InstrumentId instrument, OrderId id) const {
    const BookStore& store = run_.engine().store();
    const OrderIndex index = store.find(instrument, id);
    return index == 0 ? nullptr : &store.order(index);
}

bool VenueDay::on_add(const order_flow::At& at, OrderId id, Side side, Price price,
                      Quantity quantity) {
    go_to(at.time_ns);
    submit_incoming();
    const bool known = find(at.instrument, id) != nullptr;
    const bool sound = books_.on_add(at, id, side, price, quantity);
    if (!known && find(at.instrument, id) != nullptr)
        submit(detail::order_command(at.instrument, id, side, price, quantity));
    return sound;
}

bool VenueDay::on_execute(const order_flow::At& at, OrderId id, Quantity quantity) {
    go_to(at.time_ns);
    const Order* const order = find(at.instrument, id);
    if (order == nullptr || quantity.value <= 0) return books_.on_execute(at, id, quantity);
    detail::Incoming& incoming = incoming_[at.instrument.value - 1];
    const Side side = order->terms().side();
    if (!incoming.takes(at, side)) submit_incoming();
    if (incoming.fills.empty()) have_incoming_.push_back(at.instrument);
    incoming.add(at, side, {id, price_of(*order), std::min(quantity, order->quantity)});
    return books_.on_execute(at, id, quantity);
}

// What its participant gave up, if it is still there.
void VenueDay::take_away(const order_flow::At& at, OrderId id, Quantity quantity) {
    const Order* const order = find_in_engine(at.instrument, id);
    if (order == nullptr) return figures_.on_gone();
    submit(detail::cancel_command(at.instrument, order->terms().side(), id, quantity));
}

bool VenueDay::on_execute_at(const order_flow::At& at, OrderId id, Quantity quantity, Price price,
                             bool printable) {
    go_to(at.time_ns);
    submit_incoming();
    figures_.on_left_out();
    const bool sound = books_.on_execute_at(at, id, quantity, price, printable);
    if (quantity.value > 0) take_away(at, id, quantity);
    return sound;
}

bool VenueDay::on_reduce(const order_flow::At& at, OrderId id, Quantity quantity) {
    go_to(at.time_ns);
    submit_incoming();
    if (quantity.value > 0) take_away(at, id, quantity);
    return books_.on_reduce(at, id, quantity);
}

bool VenueDay::on_remove(const order_flow::At& at, OrderId id) {
    go_to(at.time_ns);
    submit_incoming();
    take_away(at, id, Quantity{0});
    return books_.on_remove(at, id);
}

bool VenueDay::on_replace(const order_flow::At& at, OrderId id, OrderId fresh, Price price,
                          Quantity quantity) {
    go_to(at.time_ns);
    submit_incoming();
    const bool sound = books_.on_replace(at, id, fresh, price, quantity);
    const Order* const order = find_in_engine(at.instrument, id);
    if (order == nullptr) {
        figures_.on_gone();
    } else if (find(at.instrument, fresh) == nullptr) {
        take_away(at, id, Quantity{0});
    } else {
        submit(detail::replace_command(at.instrument, order->terms().side(), id, fresh, price,
                                       quantity));
    }
    return sound;
}

bool VenueDay::on_trade(const order_flow::At& at, order_flow::TradeKind kind, Price price,
                        Quantity quantity, std::optional<Side> aggressor) {
    figures_.on_left_out();
    return books_.on_trade(at, kind, price, quantity, aggressor);
}

void VenueDay::finish(bool was_cut) {
    books_.observer().finish();
    if (!time_ns_) return;
    submit_incoming();
    figures_.end_of_recording({days_.at(k_day, *time_ns_)});
    if (!was_cut) run_.go_on_until({days_.at(k_day + 1, 0)});
}

}  // namespace damrak::replay
