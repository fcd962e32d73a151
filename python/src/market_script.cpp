#include "market_script.hpp"

#include <atomic>
#include <cmath>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include <damrak/base/duration_text.hpp>

#include "errors.hpp"

namespace nb = nanobind;

namespace damrak::python {

using market_kernel::MarketAccess;
using market_kernel::MarketNews;
using market_kernel::OrderHandle;
using market_kernel::OwnOrder;
using market_kernel::Report;

namespace {

std::atomic<std::uint64_t> scripts{0};

std::uint64_t key_of(OrderHandle order) {
    return std::uint64_t{order.generation} << 32U | order.slot;
}

nb::object taken(const nb::dict& callbacks, const char* name) {
    return callbacks.contains(name) ? nb::object{callbacks[name]} : nb::object{};
}

bool has_other_top(const views::PublicChange& a, const views::PublicChange& b) {
    return a.bid_quantity != b.bid_quantity || a.ask_quantity != b.ask_quantity ||
           (a.has_bid() && a.bid != b.bid) || (a.has_ask() && a.ask != b.ask);
}

}  // namespace

Script::Script(std::string name, nb::dict callbacks)
    : name_(std::move(name)),
      serial_(scripts.fetch_add(1) + 1),
      callbacks_{.start = taken(callbacks, "on_start"),
                 .timer = taken(callbacks, "on_timer"),
                 .fill = taken(callbacks, "on_fill"),
                 .ack = taken(callbacks, "on_ack"),
                 .reject = taken(callbacks, "on_reject"),
                 .cancel = taken(callbacks, "on_cancel"),
                 .replace = taken(callbacks, "on_replace"),
                 .bbo = taken(callbacks, "on_bbo"),
                 .book = taken(callbacks, "on_book"),
                 .trade = taken(callbacks, "on_trade"),
                 .state = taken(callbacks, "on_state")} {}

void Script::begin(ScriptedRun& run, std::vector<InstrumentId> instruments,
                   const std::vector<InstrumentDefinition>& all) {
    run_ = &run;
    instruments_ = std::move(instruments);
    for (std::size_t i = 0; i < instruments_.size(); ++i) {
        const InstrumentDefinition& one = all[instruments_[i].value - 1];
        definitions_.push_back(one);
        scales_.push_back(std::pow(10.0, one.price_decimals));
        handles_.push_back(nb::cast(AccessOfScript{shared_from_this(), i}));
    }
    seen_.resize(instruments_.size());
}

// The handles hold the script, which holds them.
void Script::end() {
    run_ = nullptr;
    access_ = nullptr;
    callbacks_ = {};
    handles_.clear();
    orders_.clear();
    open_.clear();
    random_ = nb::dict{};
}

template <class F>
void Script::call(MarketAccess& access, const char* what, F&& f) {
    const nb::gil_scoped_acquire lock;
    if (run_->error) return;  // of another participant
    access_ = &access;
    try {
        run_->watch->look(static_cast<std::uint64_t>((access.now() - run_->begin).value));
        f();
        access_ = nullptr;
    } catch (nb::python_error& error) {
        access_ = nullptr;
        note(error, what, access.now());
        run_->error = std::current_exception();
        throw std::runtime_error{"raised an exception"};
    } catch (...) {
        access_ = nullptr;
        throw;
    }
}

void Script::note(nb::python_error& error, const char* what, Timestamp time) const {
    const std::string text =
        fmt::format("raised in {} of the participant \"{}\", {} after the market began", what,
                    name_, duration_text((time - run_->begin).value));
    error.value().attr("add_note")(text.c_str());
}

void Script::start(MarketAccess& access) {
    call(access, "on_start", [&] {
        subscribe(access);
        if (callbacks_.start) callbacks_.start(handles_[0]);
    });
}

void Script::subscribe(MarketAccess& access) {
    std::uint8_t wanted = 0;
    const auto add = [&](const nb::object& callback, MarketNews news) {
        if (callback) wanted |= static_cast<std::uint8_t>(news);
    };
    add(callbacks_.bbo, MarketNews::top_of_book);
    add(callbacks_.book, MarketNews::any_level);
    add(callbacks_.trade, MarketNews::trade);
    add(callbacks_.state, MarketNews::trading_state);
    for (const InstrumentId instrument : instruments_) {
        if (wanted != 0) access.subscribe(instrument, static_cast<MarketNews>(wanted));
        if (callbacks_.book) static_cast<void>(access.depth(instrument));
    }
}

void Script::hear_of_market(MarketAccess& access, InstrumentId instrument) {
    std::size_t index = 0;
    while (instruments_[index] != instrument) ++index;
    const views::PublicChange now = access.view(instrument);
    const views::PublicChange before = std::exchange(seen_[index], now);
    const bool has_traded = callbacks_.trade && now.trades != before.trades;
    const bool has_top = callbacks_.bbo && has_other_top(now, before);
    const bool has_state = callbacks_.state && now.trading_state != before.trading_state;
    if (!callbacks_.book && !has_traded && !has_top && !has_state) return;
    const nb::object& handle = handles_[index];
    if (has_state) call(access, "on_state", [&] { callbacks_.state(handle); });
    if (has_traded)
        call(access, "on_trade", [&] {
            callbacks_.trade(
                handle,
                TradesOfScript{.price = static_cast<double>(now.last_price.value) / scales_[index],
                               .side = now.last_side,
                               .quantity = now.volume - before.volume,
                               .trades = now.trades - before.trades});
        });
    if (has_top) call(access, "on_bbo", [&] { callbacks_.bbo(handle); });
    if (callbacks_.book) call(access, "on_book", [&] { callbacks_.book(handle); });
}

void Script::hear(MarketAccess& access, const Report& report) {
    call(access, "a report", [&] {
        const auto found = orders_.find(key_of(report.order.handle));
        if (found == orders_.end()) return;
        const nb::object order = found->second;
        OrderOfScript& of = *nb::inst_ptr<OrderOfScript>(order);
        of.known = report.order;
        if (report.kind == Report::Kind::filled) {
            of.filled += report.quantity.value;
            const std::int64_t sign = report.order.side == Side::buy ? 1 : -1;
            without_fees_ -= sign * report.price.value * report.quantity.value;
        }
        if (report.order.state == OwnOrder::State::done) {
            open_.erase(of.number);
            orders_.erase(found);
        }
        tell(report, order, of.scale);
    });
}

void Script::tell(const Report& report, const nb::object& order, double scale) {
    std::size_t index = 0;
    while (instruments_[index] != report.order.instrument) ++index;
    const nb::object& handle = handles_[index];
    switch (report.kind) {
        case Report::Kind::accepted:
            if (callbacks_.ack) callbacks_.ack(handle, order);
            return;
        case Report::Kind::rejected:
        case Report::Kind::change_rejected:
            if (callbacks_.reject) {
                const std::string_view reason = damrak::name(report.reason);
                callbacks_.reject(handle, order, nb::str(reason.data(), reason.size()));
            }
            return;
        case Report::Kind::filled:
            if (callbacks_.fill)
                callbacks_.fill(
                    handle, FillOfScript{.order = order,
                                         .price = static_cast<double>(report.price.value) / scale,
                                         .quantity = report.quantity.value,
                                         .time = report.exchange_time,
                                         .is_maker = report.is_maker});
            return;
        case Report::Kind::reduced:
        case Report::Kind::cancelled:
            if (callbacks_.cancel) callbacks_.cancel(handle, order);
            return;
        case Report::Kind::replaced:
            if (callbacks_.replace) callbacks_.replace(handle, order);
            return;
        case Report::Kind::triggered:
            return;
    }
}

void Script::wake(MarketAccess& access, std::uint64_t timer) {
    const Alarm alarm = alarms_[timer];
    if (alarm.interval_ns > 0)
        access.wake_at({access.now().value + alarm.interval_ns}, timer);
    else
        free_alarms_.push_back(static_cast<std::uint32_t>(timer));
    timer_key_ = alarm.key;
    call(access, "on_timer", [&] {
        if (callbacks_.timer) callbacks_.timer(handles_[0]);
    });
}

MarketAccess& Script::access() const {
    if (access_ == nullptr)
        throw std::runtime_error{
            "the market can be seen and traded only in the callbacks of a participant that runs"};
    return *access_;
}

void Script::set_timer(Timestamp first, std::int64_t interval_ns, std::int64_t key) {
    std::uint32_t index = 0;
    if (free_alarms_.empty()) {
        index = static_cast<std::uint32_t>(alarms_.size());
        alarms_.emplace_back();
    } else {
        index = free_alarms_.back();
        free_alarms_.pop_back();
    }
    alarms_[index] = {interval_ns, key};
    access().wake_at(first, index);
}

nb::object Script::enter(std::size_t index, market_kernel::NewOrder order) {
    MarketAccess& access = this->access();
    order.instrument = instruments_[index];
    const OrderHandle handle = access.enter(order);
    if (!handle) return nb::none();
    nb::object made = nb::cast(OrderOfScript{.script = serial_,
                                             .number = ++sent_,
                                             .symbol = definitions_[index].symbol,
                                             .scale = scales_[index],
                                             .known = *access.order(handle)});
    open_.emplace(sent_, nb::inst_ptr<OrderOfScript>(made));
    orders_.emplace(key_of(handle), made);
    return made;
}

OrderOfScript& Script::own(const nb::handle& order) const {
    if (!nb::isinstance<OrderOfScript>(order))
        throw nb::type_error(
            fmt::format("order={}: an order that limit(), market(), quote() or submit() returned",
                        nb::repr(order).c_str())
                .c_str());
    OrderOfScript& of = *nb::inst_ptr<OrderOfScript>(order);
    if (of.script != serial_) throw nb::value_error("this is an order of another participant");
    return of;
}

bool Script::cancel(const nb::handle& order, std::int64_t quantity) {
    MarketAccess& access = this->access();
    OrderOfScript& of = own(order);
    const bool is_sent = access.cancel(of.known.handle, Quantity{quantity});
    if (is_sent && quantity == 0) of.known.cancelling = true;
    return is_sent;
}

bool Script::replace(const nb::handle& order, std::optional<double> price,
                     std::optional<std::int64_t> quantity) {
    MarketAccess& access = this->access();
    const OrderOfScript& of = own(order);
    std::size_t index = 0;
    while (instruments_[index] != of.known.instrument) ++index;
    return access.replace(of.known.handle, price ? this->price(index, *price) : of.known.price,
                          quantity ? Quantity{*quantity} : of.known.open);
}

std::int64_t Script::cancel_all(std::size_t index) {
    MarketAccess& access = this->access();
    std::int64_t count = 0;
    for (const auto& [number, order] : open_) {
        if (order->known.cancelling || order->known.instrument != instruments_[index]) continue;
        if (!access.cancel(order->known.handle)) continue;
        order->known.cancelling = true;
        ++count;
    }
    return count;
}

nb::list Script::open_orders(std::size_t index) const {
    nb::list orders;
    for (const auto& [number, order] : open_)
        if (order->known.instrument == instruments_[index])
            orders.append(orders_.at(key_of(order->known.handle)));
    return orders;
}

nb::object Script::random(const std::string& purpose) {
    if (!random_.contains(purpose.c_str())) {
        market_kernel::Draws draws = access().draws("python " + purpose);
        nb::list key;
        for (int i = 0; i < 4; ++i) key.append(draws.next());
        random_[purpose.c_str()] =
            nb::module_::import_("numpy").attr("random").attr("default_rng")(key);
    }
    return random_[purpose.c_str()];
}

double Script::fees() const {
    return static_cast<double>(without_fees_ - access().cash()) / scales_[0];
}

std::size_t Script::find(std::string_view symbol) const {
    for (std::size_t i = 0; i < definitions_.size(); ++i)
        if (definitions_[i].symbol.view() == symbol) return i;
    throw Error{fmt::format("the participant does not trade '{}'", symbol)};
}

Price Script::price(std::size_t index, double price) const {
    constexpr double k_most = 1e12;
    const InstrumentDefinition& of = definitions_[index];
    const double units = price * scales_[index];
    if (!(std::abs(units) < k_most)) throw OrderError{fmt::format("{} is no price", price)};
    const Price near{std::llround(units)};
    if (std::abs(units - static_cast<double>(near.value)) > 1e-3 || !of.on_tick(near))
        throw OrderError{
            fmt::format("{} is not on a tick of {}, which are {} apart", price, of.symbol.view(),
                        static_cast<double>(of.tick_size_at(near).value) / scales_[index])};
    return near;
}

}  // namespace damrak::python
