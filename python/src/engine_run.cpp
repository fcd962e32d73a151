// What the engine does, without Python.
#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <utility>

#include <fmt/format.h>

#include <damrak/base/did_you_mean.hpp>
#include <damrak/base/serialize.hpp>
#include <damrak/base/time_units.hpp>

#include "engine.hpp"
#include "engine_table.hpp"
#include "errors.hpp"

namespace damrak::python {

namespace {

std::atomic<std::uint64_t> engines{0};

std::string price_text(std::int64_t units, unsigned decimals) {
    double scale = 1;
    for (unsigned i = 0; i < decimals; ++i) scale *= 10;
    return fmt::format("{}", static_cast<double>(units) / scale);
}

/// Kinds whose events neither change the market nor need the rules of a venue.
bool is_of_orders(CommandKind kind) {
    return kind == CommandKind::new_order || kind == CommandKind::cancel_order ||
           kind == CommandKind::replace_order || kind == CommandKind::query_order;
}

std::uint64_t highest_id(const Command& command) {
    switch (command.kind) {
        case CommandKind::new_order:
            return command.order_id.value;
        case CommandKind::replace_order:
            return command.new_order_id.value;
        case CommandKind::quote:
            return std::max(command.order_id.value, command.new_order_id.value);
        default:
            return 0;
    }
}

LocalDays days_of(const std::string& zone) {
    auto days = LocalDays::make(zone);
    if (!days) throw OrderError{days.error()};
    return *std::move(days);
}

}  // namespace

EngineOfPython::EngineOfPython(const EngineOptions& options)
    : venue_(options.venue),
      zone_(options.venue ? options.venue->zone : "UTC"),
      days_(days_of(zone_)),
      serial_(engines.fetch_add(1) + 1),
      now_(options.now),
      run_(std::make_unique<venue::VenueRun>(
          options.config, options.venue, options.seed,
          [this](const Command& command, const Event& event) { note(command, event); })) {
    run_->begin({now_});
}

EngineOfPython::~EngineOfPython() = default;

std::pair<nanobind::object, Events*> EngineOfPython::next_events() {
    if (last_events_.is_valid() && Py_REFCNT(last_events_.ptr()) == 1) {
        in_last_events_->clear();
    } else {
        last_events_ = nanobind::cast(Events{});
        in_last_events_ = nanobind::inst_ptr<Events>(last_events_);
    }
    return {last_events_, in_last_events_};
}

EngineOfPython::Use::Use(EngineOfPython& engine) : engine_(&engine) {
    if (engine.in_use_)
        throw InUseError{
            "the engine is in use: another thread, or what called this, has not finished its call; "
            "use one engine in one thread at a time"};
    engine.in_use_ = true;
}

std::int64_t EngineOfPython::at(std::int64_t after_midnight_ns) const {
    return days_.at(days_.day_of(now_), after_midnight_ns);
}

const InstrumentDefinition* EngineOfPython::find_quietly(std::string_view symbol) const {
    const auto found = places_.find(symbol);
    return found == places_.end() ? nullptr : &(*market_)[found->second];
}

const InstrumentDefinition& EngineOfPython::find(std::string_view symbol) const {
    if (const InstrumentDefinition* const found = find_quietly(symbol)) return *found;
    std::vector<std::string> known;
    for (const InstrumentDefinition& one : *market_)
        if (one.id) known.emplace_back(one.symbol.view());
    throw OrderError{
        known.empty()
            ? fmt::format("there is no instrument '{}'; the engine has none", symbol)
            : fmt::format("there is no instrument '{}'; {}", symbol, did_you_mean(symbol, known))};
}

script::ScriptTerms EngineOfPython::terms() const {
    script::ScriptTerms terms{
        .zone = zone_, .day = days_.day_of(now_), .now = {}, .last_order_id = last_id_};
    if (!is_new_) terms.now = Timestamp{now_};
    for (const InstrumentDefinition& one : *market_)
        if (one.id) terms.instruments.push_back(one);
    terms.find_order = [this](OrderId id) -> std::optional<script::ScriptTerms::Entered> {
        const BookStore& store = engine().store();
        for (const InstrumentDefinition& one : *market_) {
            const OrderIndex index = one.id ? store.find(one.id, id) : 0;
            if (index == 0) continue;
            const Account& account = engine().accounts().account(store.order(index).account);
            return script::ScriptTerms::Entered{one.id, account.participant};
        }
        return {};
    };
    return terms;
}

Prepared EngineOfPython::prepare(const std::string& what, const std::string& line) const {
    const auto steps = script::parse_script(line, "", terms());
    if (!steps) {
        const std::string& mistake = steps.error();  // ":1: …"
        throw OrderError{what + ": " + mistake.substr(std::min<std::size_t>(4, mistake.size()))};
    }
    if (steps->size() != 1 || steps->front().shows_book)
        throw OrderError{what + ": this is not one command"};
    check_ticks(what, steps->front().command);
    return {.command = steps->front().command, .engine = serial_};
}

void EngineOfPython::check_ticks(const std::string& what, const Command& command) const {
    const bool is_quote = command.kind == CommandKind::quote;
    const bool is_order =
        command.kind == CommandKind::new_order || command.kind == CommandKind::replace_order;
    if ((!is_order && !is_quote) || command.instrument.value > market_->size()) return;
    const InstrumentDefinition& in = (*market_)[command.instrument.value - 1];
    const auto check = [&](std::string_view name, Price price) {
        if (price == Price{} || !in.in_range(price) || in.on_tick(price)) return;
        throw OrderError{
            fmt::format("{}: {} {} of {} is off the tick, which is {} there: take {} or {}", what,
                        name, price_text(price.value, in.price_decimals), in.symbol.view(),
                        price_text(in.tick_size_at(price).value, in.price_decimals),
                        price_text(in.next_price_below(price).value, in.price_decimals),
                        price_text(in.next_price_above(price).value, in.price_decimals))};
    };
    check(is_quote ? "bid" : "price", command.price);
    check(is_quote ? "ask" : "stop", is_quote ? command.quote.ask_price : command.order.stop_price);
}

std::optional<Price> EngineOfPython::units_of(double price, const InstrumentDefinition& in) {
    constexpr double k_most = 9e15;  // beyond, a double is not every whole number
    double scale = 1;
    for (unsigned i = 0; i < in.price_decimals; ++i) scale *= 10;
    const double exact = price * scale;
    if (!(std::abs(exact) < k_most)) return {};
    const Price units{std::llrint(exact)};
    if (std::abs(exact - static_cast<double>(units.value)) >
        1e-12 * std::max(scale, std::abs(exact)))
        return {};
    if (in.in_range(units) && !in.on_tick(units)) return {};
    return units;
}

void EngineOfPython::check_time(std::int64_t time) const {
    if (time > k_latest_time) throw OrderError{fmt::format("time {} is after the year 2255", time)};
    if (time < now_)
        throw OrderError{fmt::format(
            "time does not go back: {} is before {}, the engine's; whole numbers are nanoseconds "
            "since 1970-01-01 UTC, texts such as \"09:30\" times of the engine's day",
            time, now_)};
}

void EngineOfPython::go_on_until(std::int64_t time) {
    run_->go_on_until({time});
    now_ = time;
}

void EngineOfPython::apply(const Command& command) {
    own_ = &command;
    const auto applied = run_->apply(command);
    own_ = nullptr;
    if (command.kind == CommandKind::add_instrument || command.kind == CommandKind::add_tick_band)
        look_at_market();
    if (!applied) throw OrderError{applied.error()};
}

void EngineOfPython::look_at_market() {
    auto market = std::make_shared<Market>();
    for (std::uint32_t id = 1; id <= engine().config().maximum_instruments; ++id) {
        const InstrumentState* const in = engine().instrument({id});
        if (in == nullptr) continue;
        market->resize(id);
        market->back() = in->definition();
    }
    places_.clear();
    for (std::uint32_t place = 0; place < market->size(); ++place)
        if ((*market)[place].id) places_.emplace((*market)[place].symbol.view(), place);
    market_ = std::move(market);
    if (events_ != nullptr) events_->market = market_;
}

void EngineOfPython::note(const Command& command, const Event& event) {
    if (sink_ != nullptr)
        return sink_->add({&event, 1}, command.timestamp.value,
                          &command == own_ ? line_ : k_no_line);
    tell(command, event, &command == own_ ? line_ : k_no_line);
}

void EngineOfPython::tell_more(Told& told, const Command& command) {
    const Event& event = told.event;
    if (is_rule(event.kind)) {
        events_->rules.push_back(command);
        told.rule = static_cast<std::uint32_t>(events_->rules.size());
    }
    if (!is_stop(event.order_type) || !event.order_id) return;
    // That of a waiting stop is where it stands by now, as it may trail. One that was triggered at
    // once has that of its command.
    const OrderId id{event.kind == EventKind::replaced ? event.reference : event.order_id.value};
    const BookStore& store = engine().store();
    const InstrumentState* const in = engine().instrument(event.instrument);
    const OrderIndex index = in == nullptr ? 0 : store.find(in->id(), id);
    if (index != 0 && store.order(index).terms().waiting())
        told.stop = in->price_of(store.order(index).tick).value;
    else if (command.kind == CommandKind::new_order && command.order.stop_price != Price{})
        told.stop = command.order.stop_price.value;
}

void EngineOfPython::submit(const Prepared& prepared, std::int64_t time, Events& events) {
    if (prepared.engine != serial_) [[unlikely]]
        throw OrderError{"this order was prepared by another engine: prepare it with this one"};
    if (time != now_) {
        check_time(time);
        now_ = time;
    }
    is_new_ = false;
    const Telling telling{*this, events};
    line_ = 0;
    Command command = prepared.command;
    command.timestamp = {now_};
    if (prepared.has_next_id) command.order_id = {last_id_ + 1};
    if (prepared.has_next_ask_id)
        command.new_order_id = {std::max(last_id_, command.order_id.value) + 1};
    last_id_ = std::max(last_id_, highest_id(command));
    // The usual order, before which nothing happens.
    if (is_of_orders(command.kind) && command.time_in_force != TimeInForce::gtd &&
        !run_->is_led() && engine().next_expiry().value > now_)
        return run_->apply_order(command, [&](const Event& event) { tell(command, event, 0); });
    run_->go_on_until({now_});
    apply(command);
    run_->go_on_until({now_});
}

void EngineOfPython::advance(std::int64_t time, Events& events,
                             const std::function<void(std::uint64_t)>& look) {
    check_time(time);
    const Telling telling{*this, events};
    is_new_ = false;
    constexpr std::int64_t k_hour_ns = 3'600'000'000'000;
    while (run_->is_led() && time - now_ > k_hour_ns) {
        go_on_until(now_ + k_hour_ns);
        look(events.told.size());
    }
    go_on_until(time);
}

void EngineOfPython::run(std::string_view script, std::string_view where, Events& events,
                         const std::function<void(std::uint64_t)>& look) {
    script::ScriptTerms known = terms();
    known.on_line = [&look] { look(0); };
    const auto steps = script::parse_script(script, where, known);
    if (!steps) throw OrderError{steps.error()};
    if (steps->empty()) return;
    if (std::exchange(is_new_, false)) {
        now_ = steps->front().command.timestamp.value;
        run_->begin({now_});
    }
    const Telling telling{*this, events};
    std::uint64_t done = 0;
    for (const script::ScriptStep& step : *steps) {
        go_on_until(step.command.timestamp.value);
        if (step.shows_book) continue;
        line_ = step.line;
        last_id_ = std::max(last_id_, highest_id(step.command));
        apply(step.command);
        if (++done % 256 == 0) look(done);
    }
    go_on_until(now_);
}

}  // namespace damrak::python
