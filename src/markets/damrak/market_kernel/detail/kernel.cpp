#include <damrak/market_kernel/detail/kernel.hpp>

#include <algorithm>
#include <exception>
#include <limits>
#include <utility>

#include <damrak/base/assert.hpp>
#include <damrak/base/random.hpp>
#include <damrak/domain/make_command.hpp>
#include <damrak/venue/combinations.hpp>
#include <damrak/venue/rule_commands.hpp>

namespace damrak::market_kernel::detail {
namespace {

constexpr std::uint64_t k_most_calls_at_instant = 1'000'000;

bool may_take(const Command& command, const OrderSlot& slot) {
    return command.kind != CommandKind::cancel_order && !slot.is_post_only;
}

}  // namespace

Kernel::Kernel(MarketSetup market_setup, std::vector<MarketWatcher*> watchers,
               OptionalJournal journal)
    : setup(std::move(market_setup)),
      fundamentals(setup.seed, setup.begin, setup.factors, setup.fundamentals, setup.value_step_ns),
      public_side(static_cast<std::uint32_t>(setup.instruments.size()),
                  engine_config_of(setup).maximum_prices()),
      watchers_(std::move(watchers)),
      journal_(std::move(journal)),
      sequencer_(engine_config_of(setup), *this),
      now_ns_(setup.begin.value),
      queue_(setup.begin.value),
      subscribers_(setup.instruments.size()),
      depth_followers_(setup.instruments.size()),
      // With those in flight to the exchange and the last reports of those that left it.
      slots_(4 * setup.exchange.maximum_orders),
      gateway_free_ns_(setup.begin.value),
      has_delays_(setup.exchange.service_ns > 0 || setup.exchange.delay.holds_requests()),
      hash_(mix_bits(setup.seed)) {
    accounts.resize(setup.seats.size());
    positions.resize(setup.seats.size() * setup.instruments.size());
    seats_.reserve(setup.seats.size());
    for (Seat& seat : std::exchange(setup.seats, {})) {
        const auto index = static_cast<std::uint32_t>(seats_.size());
        seats_.push_back(std::make_unique<SeatAccess>(*this, index, std::move(seat), setup.seed));
        most_data_ns_ = std::max(most_data_ns_, seats_.back()->most_data_ns());
    }
    open();
}

void Kernel::open() {
    sequencer_.start(journal_, {now_ns_});
    for (MarketWatcher* const watcher : watchers_) {
        static_cast<void>(watcher->begin(engine(), 0));
        static_cast<void>(watcher->go_live(0));
    }
    for (const InstrumentDefinition& definition : setup.instruments) {
        Command added = add_instrument(definition);
        if (setup.takes_any_price) added.definition.tick_size = Price{1};
        submit(added);
        if (setup.takes_any_price) continue;
        for (std::size_t i = 1; i < definition.band_count; ++i) {
            Command band{};
            band.kind = CommandKind::add_tick_band;
            band.instrument = definition.id;
            band.tick_band = definition.tick_bands[i];
            submit(band);
        }
    }
    if (setup.venue != nullptr) open_venue();
    for (const auto& seat : seats_) call(*seat, [&] { seat->participant().on_start(*seat); });
}

void Kernel::open_venue() {
    for (const InstrumentDefinition& definition : setup.instruments) {
        const auto rules =
            venue::rule_commands(setup.venue->rules_of(definition.symbol.view()), definition, {});
        DAMRAK_ASSERT(rules);
        for (const Command& command : *rules) submit(command);
    }
    const auto combinations = venue::combination_commands(*setup.venue, setup.instruments);
    DAMRAK_ASSERT(combinations);
    for (const Command& command : *combinations) submit(command);
    auto timetable = venue::Timetable::make(*setup.venue, mix_bits(setup.seed));
    DAMRAK_ASSERT(timetable);
    if (venue::Supervisor::is_needed(*setup.venue)) {
        supervisor_.emplace(setup.venue, *timetable);
        supervisor_->begin(engine(), {now_ns_});
    }
    phase_clock_.emplace(*setup.venue, *std::move(timetable));
    lead_phases();
}

void Kernel::lead_phases() {
    std::vector<const InstrumentState*> instruments;
    instruments.reserve(setup.instruments.size());
    for (const InstrumentDefinition& definition : setup.instruments)
        instruments.push_back(engine().instrument(definition.id));
    if (supervisor_) {
        for (const Command& command : supervisor_->due({now_ns_})) submit(command);
        for (const venue::Supervisor::Refusal& one : supervisor_->take_refusals())
            phase_clock_->on_refused(one.instrument, one.reason, one.time);
        supervised_ns_ = std::numeric_limits<std::int64_t>::max();
        wake_supervisor();
    }
    if (!phase_clock_->is_due({now_ns_})) return;
    for (const Command& command : phase_clock_->due({now_ns_}, instruments)) submit(command);
    push(phase_clock_->next().value, 0, Due::Kind::phases);
}

// Virtual time has no delay between what it sees and what it does.
void Kernel::wake_supervisor() {
    const std::int64_t next_ns = std::max(supervisor_->next().value, now_ns_);
    if (next_ns >= supervised_ns_) return;
    supervised_ns_ = next_ns;
    push(next_ns, 0, Due::Kind::phases);
}

bool Kernel::run_until(Timestamp end) {
    if (has_failed_) return false;
    push(end.value, 0, Due::Kind::end);
    for (;;) {
        const Due due = queue_.pop();
        now_ns_ = due.time_ns;
        if (due.kind == Due::Kind::end) return !has_failed_;
        ++counts.steps;
        step(due);
        if (has_failed_) [[unlikely]]
            return false;
    }
}

void Kernel::step(const Due& due) {
    switch (due.kind) {
        case Due::Kind::arrival:
            return arrive(due.index);
        case Due::Kind::matching:
            return match(due.index);
        case Due::Kind::report: {
            const ReportInFlight report = reports_.give_back(due.index);
            SeatAccess& seat = *seats_[report.seat];
            if (seat.is_out) return seat.held_reports.push_back(report);
            call(seat, [&] { seat.hear(report); });
            --slots_[report.slot].in_flight;
            return free_if_done(report.slot);
        }
        case Due::Kind::timer: {
            const Timer timer = timers_.give_back(due.index);
            SeatAccess& seat = *seats_[timer.seat];
            return call(seat, [&] { seat.participant().on_timer(seat, timer.key); });
        }
        case Due::Kind::news: {
            const News news = news_.give_back(due.index);
            const Subscription& subscription = subscriptions_[news.subscription];
            SeatAccess& seat = *seats_[subscription.seat];
            if (seat.has_outage) return;
            const InstrumentId instrument = subscription.instrument;
            seat.note_seen(instrument, news.change);
            return call(seat, [&] { seat.participant().on_market(seat, instrument); });
        }
        case Due::Kind::phases:
            return lead_phases();
        case Due::Kind::end:
            return;
    }
}

template <class F>
void Kernel::call(SeatAccess& seat, F&& f) {
    if (seat.is_muted) return;
    seat.sent_in_callback = 0;
    if (std::exchange(seat.instant_ns, now_ns_) != now_ns_) seat.calls_at_instant = 0;
    if (++seat.calls_at_instant > k_most_calls_at_instant) [[unlikely]]
        return fault(seat, "was called a million times without time going on");
    try {
        f();
    } catch (const std::exception& error) {
        fault(seat, error.what());
    } catch (...) {
        fault(seat, "threw something that is no std::exception");
    }
}

void Kernel::fault(SeatAccess& seat, std::string_view what) {
    faults.push_back({seat.id(), {now_ns_}, std::string{what}});
    seat.is_muted = true;
    if (setup.on_fault == OnFault::stop)
        has_failed_ = true;
    else
        withdraw(seat.id());
}

void Kernel::withdraw(ParticipantId id) {
    Command command{};
    command.kind = CommandKind::mass_cancel;
    command.participant = id;
    command.flags = CommandFlags::k_both_sides;
    submit(command);
}

void Kernel::set_disconnected(ParticipantId id, bool is_out) {
    SeatAccess& seat = this->seat(id);
    if (std::exchange(seat.is_out, is_out) == is_out) return;
    if (is_out) return withdraw(id);
    for (const ReportInFlight& report : std::exchange(seat.held_reports, {}))
        push(seat.arrival_of_report(), reports_.take(report), Due::Kind::report);
}

void Kernel::send(const Message& message, std::int64_t arrival_ns) {
    ++counts.messages;
    ++accounts[message.seat].messages;
    for (MarketWatcher* const watcher : watchers_)
        watcher->on_sent(message.command.participant, message.command, {now_ns_});
    push(arrival_ns, messages_.take(message), Due::Kind::arrival);
}

void Kernel::subscribe(const Subscription& subscription) {
    subscribers_[subscription.instrument.value - 1].push_back(
        static_cast<std::uint32_t>(subscriptions_.size()));
    subscriptions_.push_back(subscription);
}

// Through the queue of the gateway and the speed bump.
void Kernel::arrive(std::uint32_t index) {
    const ExchangeModel& exchange = setup.exchange;
    if (!has_delays_) return match(index);
    const Message& message = messages_[index];
    gateway_free_ns_ = std::max(gateway_free_ns_, now_ns_) + exchange.service_ns;
    const venue::Delay::Wait& wait = may_take(message.command, slots_[message.slot])
                                         ? exchange.delay.taking
                                         : exchange.delay.other;
    SeatAccess& seat = *seats_[message.seat];
    const std::int64_t bump_ns = wait.fixed_ns + seat.draw_bump(wait.random_ns);
    push(seat.in_turn(gateway_free_ns_ + bump_ns), index, Due::Kind::matching);
}

void Kernel::set_delays(std::int64_t service_ns, std::int64_t taker_bump_ns) {
    setup.exchange.service_ns = service_ns;
    setup.exchange.delay.taking.fixed_ns = taker_bump_ns;
    // For good: what waits already stays ahead of what comes without a delay.
    has_delays_ = has_delays_ || service_ns > 0 || taker_bump_ns > 0;
}

void Kernel::match(std::uint32_t index) {
    Message message = messages_.give_back(index);
    Command& command = message.command;
    const SeatAccess& seat = *seats_[message.seat];
    if (!seat.is_muted || command.kind == CommandKind::cancel_order) {
        if (command.kind != CommandKind::new_order) command.order_id = slots_[message.slot].id;
        current_slot_ = message.slot;
        submit(command,
               {.session = {seat.id().value}, .inbound_sequence = command.client_order_id.value});
        current_slot_ = 0;
    }
    --slots_[message.slot].in_flight;
    free_if_done(message.slot);
}

void Kernel::submit(const Command& command) {
    if (command.kind == CommandKind::new_order)
        enter(command);
    else
        submit(command, {});
}

// An order of a background seat.
void Kernel::enter(const Command& command) {
    SeatAccess& seat = this->seat(command.participant);
    if (slots_.full()) return fault(seat, "the market has no room for more orders");
    const std::uint32_t index = slots_.take();
    OrderSlot& slot = slots_[index];
    slot = {.seat = command.participant.value - 1,
            .generation = slot.generation + 1,
            .in_flight = 1};  // while it is being matched
    ++seat.open_orders;
    current_slot_ = index;
    submit(command, {});
    current_slot_ = 0;
    --slots_[index].in_flight;
    free_if_done(index);
}

bool Kernel::submit(const Command& command, const Origin& origin) {
    // Nobody hears of a command that the journal does not take.
    if (!sequencer_.ready()) [[unlikely]] {
        has_failed_ = true;
        return false;
    }
    ++counts.commands;
    const CommandStamp stamp{{journal_.appended_position() + 1}, {now_ns_}};
    for (MarketWatcher* const watcher : watchers_) {
        Command stamped = command;
        stamped.timestamp = stamp.timestamp;
        watcher->on_command(stamped, stamp);
    }
    if (!sequencer_.submit(command, origin, {now_ns_})) has_failed_ = true;
    return !has_failed_;
}

void Kernel::free_if_done(std::uint32_t index) {
    OrderSlot& slot = slots_[index];
    if (slot.in_flight > 0 || slot.is_filed) return;
    slot.known.state = OwnOrder::State::done;
    --seats_[slot.seat]->open_orders;
    slots_.give_back(index);
}

}  // namespace damrak::market_kernel::detail
