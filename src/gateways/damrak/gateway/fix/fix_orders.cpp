#include <damrak/gateway/fix/fix_orders.hpp>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>

#include <damrak/base/inline.hpp>
#include <damrak/base/wide_integer.hpp>
#include <damrak/gateway/fix/detail/fix_attachment.hpp>
#include <damrak/gateway/fix/settings.hpp>

namespace damrak::gateway::fix {

FixOrders::FixOrders(const EngineConfig& engine, std::uint32_t history)
    : orders_(engine.maximum_orders + history),
      terms_(orders_.entries()),
      fields_(orders_.entries()),
      // One for each order, and those that orders had before.
      names_(engine.maximum_orders + 2 * history),
      ended_(history),
      past_(history),
      named_(engine.maximum_orders + 2 * std::size_t{history} + 1),
      first_(engine.maximum_participants + std::size_t{1}),
      owners_(first_.size()) {}

std::uint32_t FixOrders::Ring::push(std::uint32_t index) {
    const bool full = count == indices.size();
    const std::uint32_t oldest = full ? indices[next] : 0;
    indices[next] = index;
    if (!full) ++count;
    next = next + 1 == indices.size() ? 0 : next + 1;
    return oldest;
}

FixOrders::Applied FixOrders::apply_own(const Event& event, const Origin& origin,
                                        const FixRequest& request) {
    if (event.kind == EventKind::accepted) return add(event, origin, request);
    const std::uint32_t index = event.order_id ? orders_.find(event.order_id) : 0;
    if (index == 0) {
        if (event.kind == EventKind::participant_released) release(event.participant);
        return {.attachment = request.attachment};
    }
    FixOrder& order = orders_[index];
    const FixNote note =
        gateway_of(origin.session) == k_fix_gateway ? FixNote::of(origin.tag) : FixNote{};
    bool renamed = false;
    const std::uint32_t name_before = order.name_index;
    switch (event.kind) {
        case EventKind::executed:
            execute(order, event);
            break;
        case EventKind::trade_busted:
        case EventKind::trade_corrected:
            change_trade(order, event);
            break;
        case EventKind::cancelled:
            // Not the order that it is linked to.
            renamed = note.request == 'F' && event.command == CommandKind::cancel_order &&
                      event.reason != Reason::linked_order;
            if (renamed) rename(order, note, request.attachment);
            if (event.remaining.value == 0) {
                end(order, FixOrderState::cancelled);
            } else {
                order.ordered -= event.quantity;
            }
            break;
        case EventKind::replaced:
            replace(order, event, order.is_of_fix() ? request.terms : FixTerms{});
            renamed = note.request == 'G';
            if (renamed) rename(order, note, request.attachment);
            break;
        case EventKind::expired:
            end(order, FixOrderState::expired);
            break;
        case EventKind::triggered:
            order.triggered = true;
            break;
        case EventKind::rested:  // perhaps at a price that it found or followed
            order.price = event.price;
            break;
        default:
            break;
    }
    return {.order = &order,
            .orders = this,
            .renamed = renamed,
            .previous = renamed ? names_.text(name_before) : std::string_view{},
            .attachment = request.attachment};
}

std::uint32_t FixOrders::highest_session() const {
    std::uint32_t highest = 0;
    for (std::uint32_t i = 1; i <= orders_.highest(); ++i)
        if (orders_[i].is_of_fix()) highest = std::max(highest, orders_[i].member);
    return highest;
}

FixOrders::Applied FixOrders::add(const Event& event, const Origin& origin,
                                  const FixRequest& request) {
    if (gateway_of(origin.session) != k_fix_gateway)
        return follows_all_ ? add_other(event) : Applied{};
    const FixNote note = FixNote::of(origin.tag);
    const bool quoted = note.request == 'i';
    if (note.request != 'D' && note.request != 'E' && !quoted) return {};
    const std::uint32_t index = orders_.take();
    FixOrder& order = orders_[index];
    std::uint32_t& first = first_[event.participant.value];
    // Field by field: put together elsewhere first, it would be read there in other widths than it
    // was written in, and the processor would wait until all that was stored before is in memory.
    order.id = event.order_id;
    order.price = event.price;
    order.ordered = event.quantity;
    order.executed = Quantity{0};
    order.stop = request.terms.stop;
    order.instrument = event.instrument;
    order.participant = event.participant;
    order.notional = 0;
    order.short_name = note.name;
    order.member = static_cast<std::uint32_t>(origin.session.value);
    order.next = first;
    order.previous_index = 0;
    order.side = event.side;
    order.type = event.order_type;
    order.time_in_force = event.time_in_force;
    order.state = FixOrderState::open;
    order.triggered = false;
    order.unusual = !request.terms.is_usual();
    if (order.unusual) [[unlikely]]
        terms_[index] = request.terms;
    order.has_fields = false;
    if (!request.attachment.empty()) [[unlikely]]
        keep_fields(order, request.attachment);
    order.side_sent = note.side_sent();
    order.type_sent = note.type_sent();
    order.limit = request.terms.limit;
    order.taken_back = Quantity{0};
    order.quoted = quoted;
    order.long_name = false;
    order.name_index = quoted ? 0 : add_name(order, note, request.attachment);
    if (first != 0) orders_[first].previous_index = index;
    first = index;
    orders_.file(index);
    return {.order = &order, .orders = this, .attachment = request.attachment};
}

/// Its number is all the name that it has. The price of a stop is reported by no event.
FixOrders::Applied FixOrders::add_other(const Event& event) {
    const std::uint32_t index = orders_.take();
    FixOrder& order = orders_[index];
    order = {};
    order.id = event.order_id;
    order.price = event.price;
    order.ordered = event.quantity;
    order.instrument = event.instrument;
    order.participant = event.participant;
    order.side = event.side;
    order.type = event.order_type;
    order.time_in_force = event.time_in_force;
    if (event.reference != 0) {
        auto& name = order.short_name.characters;
        std::to_chars(name.data(), name.data() + name.size(), event.reference);
    }
    orders_.file(index);
    return {.order = &order, .orders = this};
}

void FixOrders::follow_all(bool follows) {
    follows_all_ = follows;
    if (follows || orders_.used() == 0) return;
    for (std::uint32_t i = 1; i <= orders_.highest(); ++i) {
        const FixOrder& order = orders_[i];
        if (order.is_of_fix() || !order.id || orders_.find(order.id) != i) continue;
        orders_.unfile(i);
        orders_.give_back(i);
    }
}

void FixOrders::configure(const Settings& settings) {
    follow_all(settings.of<FixSettings>().has_drop_copies());
}

void FixOrders::execute(FixOrder& order, const Event& event) {
    order.executed += event.quantity;
    order.notional += Int128{event.price.value} * event.quantity.value;
    if (event.remaining.value == 0) end(order, FixOrderState::filled);
}

// The quantity does not come back to the order: an open one becomes smaller, a filled one is
// cancelled for the rest.
void FixOrders::change_trade(FixOrder& order, const Event& event) {
    const bool busts = event.kind == EventKind::trade_busted;
    const Quantity before = busts ? event.quantity : event.remaining;
    const Price price_before = busts ? event.price : Price{event.displayed.value};
    const Quantity now = busts ? Quantity{} : event.quantity;
    order.executed += now - before;
    order.taken_back += before - now;
    order.notional +=
        Int128{event.price.value} * now.value - Int128{price_before.value} * before.value;
    if (order.state == FixOrderState::open) order.ordered += now - before;
    const bool is_filled = order.executed == order.ordered;
    if (order.state == FixOrderState::filled && !is_filled) order.state = FixOrderState::cancelled;
}

void FixOrders::replace(FixOrder& order, const Event& event, const FixTerms& terms) {
    orders_.change_id(orders_.index_of(order), event.new_order_id());
    order.price = event.price;
    // One that was triggered has none to be changed, and is reported with the one that it had.
    if (terms.stop.value != 0) order.stop = terms.stop;
    if (order.type_sent == 'P') order.limit = terms.limit;
    order.ordered = order.executed + event.remaining;
}

void FixOrders::rename(FixOrder& order, const FixNote& note, std::string_view attachment) {
    if (order.name_index != 0) {
        names_.part(order.name_index);
        named_[order.name_index] = order.id;
        if (const std::uint32_t oldest = past_.push(order.name_index); oldest != 0)
            names_.forget(oldest);
    }
    order.short_name = note.name;
    order.name_index = add_name(order, note, attachment);
    if (!attachment.empty()) [[unlikely]]
        keep_fields(order, attachment);
}

/// An attachment with nothing but a name leaves them as they are.
void FixOrders::keep_fields(FixOrder& order, std::string_view attachment) {
    Attachment kept;
    for (const FixField& field : FixFields{attachment})
        if (field.tag != k_cl_ord_id_tag) kept.append(field.whole);
    if (kept.empty()) return;
    order.has_fields = true;
    fields_[orders_.index_of(order)] = kept;
}

// Those that are forgotten next are in no cache: they were used a history ago. Each step needs what
// the one before it fetched. Inlined by force: a function that only fetches is one without effect
// to GCC, which leaves out the call.
DAMRAK_HOT void FixOrders::fetch_ahead() const {
    constexpr std::uint32_t k_far = 12;
    constexpr std::uint32_t k_middle = 8;
    constexpr std::uint32_t k_near = 4;
    const std::uint32_t far = ended_.goes_after(k_far);
    const auto* const bytes = reinterpret_cast<const char*>(&orders_[far]);
    __builtin_prefetch(bytes, 1);
    __builtin_prefetch(bytes + sizeof(FixOrder) / 2, 1);
    orders_.prefetch_tag(far);
    const std::uint32_t middle = ended_.goes_after(k_middle);
    orders_.prefetch(middle);
    names_.prefetch_tag(orders_[middle].name_index);
    names_.prefetch_name(orders_[middle].name_index);
    names_.prefetch(orders_[ended_.goes_after(k_near)].name_index);
}

void FixOrders::end(FixOrder& order, FixOrderState state) {
    order.state = state;
    if (!order.is_of_fix()) [[unlikely]] {
        // Nobody can ask for it any more; it is good until the next event even so.
        orders_.unfile(orders_.index_of(order));
        orders_.give_back(orders_.index_of(order));
        return;
    }
    if (order.previous_index != 0) {
        orders_[order.previous_index].next = order.next;
    } else {
        first_[order.participant.value] = order.next;
    }
    if (order.next != 0) orders_[order.next].previous_index = order.previous_index;
    if (const std::uint32_t oldest = ended_.push(orders_.index_of(order)); oldest != 0) {
        fetch_ahead();
        forget(oldest);
    }
}

// The names and ended orders of a participant that was released are nobody's: the next client with
// its number finds none of them. Participants have smaller numbers.
void FixOrders::release(ParticipantId id) {
    constexpr std::uint32_t k_first = 1U << 31U;
    if (orders_.highest() != 0) owners_[id.value] = ParticipantId{k_first + released_++};
}

void FixOrders::forget(std::uint32_t index) {
    orders_.unfile(index);
    if (orders_[index].name_index != 0) names_.forget(orders_[index].name_index);
    orders_.give_back(index);
}

const FixOrder* FixOrders::find(ParticipantId participant, std::string_view name) const {
    const std::uint32_t order = names_.order_of(names_.find(owner(participant), name));
    return order == 0 ? nullptr : &orders_[order];
}

const FixOrder* FixOrders::find_ever(ParticipantId participant, std::string_view name) const {
    const std::uint32_t index = names_.find(owner(participant), name);
    if (index == 0) return nullptr;
    const std::uint32_t order = names_.order_of(index);
    return order == 0 ? find(named_[index]) : &orders_[order];
}

std::uint32_t FixOrders::add_name(FixOrder& order, const FixNote& note,
                                  std::string_view attachment) {
    const std::uint32_t index = orders_.index_of(order);
    order.long_name = false;
    if (note.form == FixNote::Form::whole) [[likely]]
        return names_.add(owner(order.participant), note.name, index);
    const ClOrdId name = note.full_name(attachment);
    order.short_name = ShortName::of(name.view());
    order.long_name = name.view().size() > ShortName::k_length;
    return names_.add(owner(order.participant), name.view(), index);
}

}  // namespace damrak::gateway::fix
