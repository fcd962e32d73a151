#include <damrak/market_kernel/detail/seat_access.hpp>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include <damrak/market_kernel/detail/kernel.hpp>

namespace damrak::market_kernel::detail {
namespace {

constexpr std::uint64_t k_most_sent_in_callback = 100'000;

Draws wire_draws(std::uint64_t seed, const Seat& seat, std::string_view purpose) {
    return Draws{key_of(seed, seat.group, seat.member, purpose)};
}

}  // namespace

SeatAccess::SeatAccess(Kernel& kernel, std::uint32_t index, Seat seat, std::uint64_t seed)
    : kernel_(&kernel),
      index_(index),
      seat_(std::move(seat)),
      seed_(seed),
      bump_draws_(wire_draws(seed, seat_, "speed bump")),
      orders_{seat_.connection.orders, wire_draws(seed, seat_, "order latency")},
      reports_{seat_.connection.reports, wire_draws(seed, seat_, "report latency")},
      data_{seat_.connection.data, wire_draws(seed, seat_, "data latency")},
      positions_(kernel.setup.instruments.size()) {}

Timestamp SeatAccess::now() const { return {kernel_->now_ns() + seat_.connection.clock_offset_ns}; }

void SeatAccess::wake_at(Timestamp at, std::uint64_t key) {
    const std::int64_t true_ns = at.value - seat_.connection.clock_offset_ns;
    kernel_->add_timer(std::max(true_ns, kernel_->now_ns()), {index_, key});
}

std::int64_t SeatAccess::delay_of(Wire& wire) {
    const std::int64_t delay =
        wire.latency.draw(wire.draws) + seat_.connection.place.delay_at(kernel_->now_ns());
    return factor_ == 1 ? delay : static_cast<std::int64_t>(static_cast<double>(delay) * factor_);
}

std::int64_t SeatAccess::most_data_ns() const {
    const std::int64_t most = data_.latency.most_ns() + seat_.connection.place.most_ns();
    return kernel_->setup.exchange.delay.market_data_ns +
           static_cast<std::int64_t>(static_cast<double>(most) * std::max(factor_, 1.0));
}

std::int64_t SeatAccess::arrival_of_message() {
    std::int64_t departure = kernel_->now_ns();
    if (seat_.connection.think_ns > 0) {
        departure = std::max(departure, busy_until_ns_) + seat_.connection.think_ns;
        busy_until_ns_ = departure;
    }
    return orders_.last_ns = std::max(orders_.last_ns, departure + delay_of(orders_));
}

std::int64_t SeatAccess::arrival_of_report() {
    const std::int64_t departure = kernel_->now_ns() + kernel_->setup.exchange.delay.reports_ns;
    return reports_.last_ns = std::max(reports_.last_ns, departure + delay_of(reports_));
}

std::int64_t SeatAccess::arrival_of_data() {
    return data_.last_ns = std::max(data_.last_ns, kernel_->now_ns() + delay_of_data());
}

std::int64_t SeatAccess::delay_of_data() {
    return kernel_->setup.exchange.delay.market_data_ns + delay_of(data_);
}

OrderHandle SeatAccess::enter(const NewOrder& order) {
    auto& slots = kernel_->slots();
    if (is_muted || is_out || open_orders >= seat_.maximum_orders || slots.full()) return {};
    const std::uint32_t index = slots.take();
    OrderSlot& slot = slots[index];
    const std::uint32_t generation = slot.generation + 1;
    slot = {};
    slot.seat = index_;
    slot.generation = generation;
    slot.is_post_only = order.post_only;
    slot.known = {.handle = {index, generation},
                  .instrument = order.instrument,
                  .state = OwnOrder::State::sent,
                  .side = order.side,
                  .type = order.type,
                  .price = order.price,
                  .quantity = order.quantity,
                  .open = order.quantity};
    ++open_orders;

    Command command{};
    command.kind = CommandKind::new_order;
    command.side = order.side;
    command.order_type = order.type;
    command.time_in_force = order.time_in_force;
    command.self_trade_prevention = order.self_trade_prevention;
    if (order.hidden) command.flags |= CommandFlags::k_hidden;
    if (order.peg != PegReference::none) command.flags |= CommandFlags::k_pegged;
    // Where orders collect, none is post-only: the phases of a venue are public.
    const InstrumentState* const in = kernel_->engine().instrument(order.instrument);
    if (order.post_only && !(in != nullptr && in->collects()))
        command.flags |= CommandFlags::k_post_only;
    command.instrument = order.instrument;
    command.price = order.price;
    command.quantity = order.quantity;
    command.client_order_id = {++client_order_ids_};
    command.order = {.stop_price = order.stop_price,
                     .display_quantity = order.display_quantity,
                     .minimum_quantity = order.minimum_quantity,
                     .offset = order.peg_offset,
                     .peg = order.peg};
    send(command, index);
    return slot.known.handle;
}

bool SeatAccess::cancel(OrderHandle order, Quantity quantity) {
    OrderSlot* const slot = find(order);
    if (slot == nullptr || is_muted || is_out) return false;
    Command command{};
    command.kind = CommandKind::cancel_order;
    command.instrument = slot->known.instrument;
    command.quantity = quantity;
    if (quantity.value == 0) slot->known.cancelling = true;
    send(command, order.slot);
    return true;
}

bool SeatAccess::replace(OrderHandle order, Price price, Quantity quantity) {
    OrderSlot* const slot = find(order);
    if (slot == nullptr || is_muted || is_out) return false;
    Command command{};
    command.kind = CommandKind::replace_order;
    command.instrument = slot->known.instrument;
    command.price = price;
    command.quantity = quantity;
    send(command, order.slot);
    return true;
}

void SeatAccess::send(Command& command, std::uint32_t slot) {
    if (++sent_in_callback > k_most_sent_in_callback)
        throw std::runtime_error("sent more than 100,000 requests in one callback");
    command.participant = id();
    ++kernel_->slots()[slot].in_flight;
    kernel_->send({command, index_, slot}, arrival_of_message());
}

OrderSlot* SeatAccess::find(OrderHandle handle) const {
    auto& slots = kernel_->slots();
    if (handle.slot == 0 || handle.slot > slots.highest()) return nullptr;
    OrderSlot& slot = slots[handle.slot];
    const bool is_this = slot.generation == handle.generation && slot.seat == index_ &&
                         slot.known.handle == handle && slot.known.state != OwnOrder::State::done;
    return is_this ? &slot : nullptr;
}

const OwnOrder* SeatAccess::order(OrderHandle order) const {
    const OrderSlot* const slot = find(order);
    return slot == nullptr ? nullptr : &slot->known;
}

SeatAccess::View& SeatAccess::look(InstrumentId instrument) {
    if (views_.empty()) views_.resize(positions_.size());
    View& view = views_[instrument.value - 1];
    if (has_outage) return view;
    const PublicLog& log = kernel_->public_side.log(instrument);
    if (view.looked_ns != kernel_->now_ns()) {
        view.looked_ns = kernel_->now_ns();
        view.visible_ns = std::max(view.visible_ns, kernel_->now_ns() - delay_of_data());
    }
    view.number = log.visible_at({view.visible_ns}, view.number);
    view.seen = log[view.number];
    return view;
}

void SeatAccess::note_seen(InstrumentId instrument, Timestamp change) {
    if (views_.empty()) views_.resize(positions_.size());
    View& view = views_[instrument.value - 1];
    view.visible_ns = std::max(view.visible_ns, change.value);
    view.looked_ns = kernel_->now_ns();
}

const views::PublicChange& SeatAccess::view(InstrumentId instrument) {
    return look(instrument).seen;
}

const views::VisibleDepth& SeatAccess::depth(InstrumentId instrument) {
    View& view = look(instrument);
    if (!view.depth) {
        if (kernel_->public_side.log(instrument).begin() != 0)
            throw std::logic_error("a participant that uses depth() has to call it in on_start()");
        view.depth = std::make_unique<views::VisibleDepth>();
        kernel_->follow_depth(instrument, index_);
    }
    static_cast<void>(catch_up(instrument, {view.visible_ns}));
    return *view.depth;
}

std::uint64_t SeatAccess::catch_up(InstrumentId instrument, Timestamp time) {
    View& view = views_[instrument.value - 1];
    if (!has_outage) view.visible_ns = std::max(view.visible_ns, time.value);
    const PublicLog& log = kernel_->public_side.log(instrument);
    while (view.depth_end < log.end() && log[view.depth_end].time.value <= view.visible_ns)
        view.depth->apply(log[view.depth_end++]);
    return view.depth_end;
}

void SeatAccess::subscribe(InstrumentId instrument, MarketNews news) {
    kernel_->subscribe({.instrument = instrument, .seat = index_, .news = news});
}

std::uint32_t SeatAccess::instruments() const {
    return static_cast<std::uint32_t>(kernel_->setup.instruments.size());
}

const InstrumentDefinition& SeatAccess::definition(InstrumentId id) const {
    return kernel_->setup.instruments[id.value - 1];
}

double SeatAccess::fundamental(InstrumentId id, Timestamp at) {
    const std::int64_t true_ns = at.value - seat_.connection.clock_offset_ns;
    // Nobody knows what is yet to come.
    const std::int64_t known_ns = std::min(true_ns, kernel_->now_ns());
    return kernel_->fundamentals.value(id, {known_ns - seat_.connection.value_ns});
}

Quantity SeatAccess::position(InstrumentId id) const { return {positions_[id.value - 1]}; }

Draws SeatAccess::draws(std::string_view purpose) const {
    return Draws{key_of(seed_, seat_.group, seat_.member, purpose)};
}

void SeatAccess::hear(const ReportInFlight& news) {
    OrderSlot& slot = kernel_->slots()[news.slot];
    OwnOrder& known = slot.known;
    switch (news.kind) {
        case Report::Kind::accepted:
            known.state = OwnOrder::State::open;
            known.price = news.price;
            break;
        case Report::Kind::filled: {
            const std::int64_t sign = known.side == Side::buy ? 1 : -1;
            positions_[known.instrument.value - 1] += sign * news.quantity.value;
            cash_ -= sign * news.price.value * news.quantity.value + news.fee;
            break;
        }
        case Report::Kind::reduced:
        case Report::Kind::cancelled:
            known.quantity -= news.quantity;
            break;
        case Report::Kind::replaced:
            known.quantity += news.remaining - known.open;
            known.price = news.price;
            break;
        case Report::Kind::change_rejected:
            known.cancelling = false;
            break;
        case Report::Kind::rejected:
        case Report::Kind::triggered:
            break;
    }
    if (news.kind != Report::Kind::change_rejected) known.open = news.remaining;
    if (news.ends_order) known.state = OwnOrder::State::done;
    const Report report{.kind = news.kind,
                        .reason = news.reason,
                        .is_maker = news.is_maker,
                        .order = known,
                        .price = news.price,
                        .quantity = news.quantity,
                        .exchange_time = news.exchange_time};
    participant().on_report(*this, report);
}

}  // namespace damrak::market_kernel::detail
