#include <damrak/fix_gateway/fix_orders.hpp>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>

#include <damrak/base/inline.hpp>
#include <damrak/base/wide_integer.hpp>
#include <damrak/fix_gateway/fix_attachment.hpp>

namespace damrak::gateway {

namespace {

std::uint32_t tag_of(OrderId id) { return views::tag_of_count(id.value); }

// Names that differ in their last character lie beside each other, as those of clients who count.
std::uint32_t tag_of(ParticipantId participant, const ShortName& name, std::uint64_t rest) {
    static_assert(ShortName::k_length == 20);
    std::uint64_t front = 0;
    std::uint64_t middle = 0;
    std::uint32_t end_of_name = 0;
    std::memcpy(&front, name.characters.data(), 8);
    std::memcpy(&middle, name.characters.data() + 8, 8);
    // In its own width: to read more than was stored, the processor waits until all is in memory.
    std::memcpy(&end_of_name, name.characters.data() + 16, 4);
    std::uint64_t back = end_of_name;
    // Zeros follow the last character, which is taken out.
    std::uint64_t& end = back != 0 ? back : middle != 0 ? middle : front;
    const unsigned shift = (63U - static_cast<unsigned>(std::countl_zero(end | 1U))) & ~7U;
    const std::uint64_t last = end >> shift;
    end ^= last << shift;
    const std::uint64_t one = mix(front ^ 0x9E3779B97F4A7C15U, participant.value | 1ULL << 40U);
    const std::uint64_t two = mix(middle ^ 0xC2B2AE3D27D4EB4FU, back ^ 0x165667B19E3779F9U);
    const std::uint64_t place = mix(one ^ 0xD6E8FEB86659FD93U, two ^ rest ^ 0xA0761D6478BD642FU);
    // Digits are told apart by their lower four bits.
    constexpr std::uint64_t k_row = 15;
    return static_cast<std::uint32_t>((place & ~k_row) | (last & k_row));
}

// What a long name has behind its first 20 characters.
std::uint64_t mixed(std::string_view rest) {
    std::uint64_t sum = 0;
    while (!rest.empty()) {
        std::uint64_t word = 0;
        const std::size_t bytes = std::min(rest.size(), sizeof word);
        std::memcpy(&word, rest.data(), bytes);
        sum = mix(sum ^ word ^ 0xE7037ED1A0B428DBU, 0x8EBC6AF09C88C6E3U);
        rest.remove_prefix(bytes);
    }
    return sum;
}
std::uint32_t tag_of(ParticipantId participant, std::string_view name) {
    const bool is_long = name.size() > ShortName::k_length;
    return tag_of(participant, ShortName::of(name),
                  is_long ? mixed(name.substr(ShortName::k_length)) : 0);
}

}  // namespace

FixOrders::FixOrders(const EngineConfig& engine, std::uint32_t history)
    : pool_(engine.maximum_orders + history),
      orders_(engine.maximum_orders + std::size_t{history} + 1),
      terms_(orders_.size()),
      fields_(orders_.size()),
      by_id_(engine.maximum_orders + history),
      // One for each order, and those that orders had before.
      name_pool_(engine.maximum_orders + 2 * history),
      names_(engine.maximum_orders + 2 * std::size_t{history} + 1),
      long_names_(names_.size()),
      by_name_(engine.maximum_orders + 2 * history),
      ended_(history),
      past_(history),
      first_(engine.maximum_participants + std::size_t{1}) {}

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
    const std::uint32_t index = event.order_id ? index_of(event.order_id) : 0;
    if (index == 0) return {.attachment = request.attachment};
    FixOrder& order = orders_[index];
    const FixNote note =
        door_of(origin.session) == k_fix_door ? FixNote::of(origin.tag) : FixNote{};
    bool renamed = false;
    const std::uint32_t name_before = order.name_index;
    switch (event.kind) {
        case EventKind::executed:
            execute(order, event);
            break;
        case EventKind::cancelled:
            renamed = note.request == 'F' && event.command == CommandKind::cancel_order;
            if (renamed) rename(order, note, request.attachment);
            if (event.remaining.value == 0) {
                end(order, FixOrderState::cancelled);
            } else {
                order.ordered -= event.quantity;
            }
            break;
        case EventKind::replaced:
            replace(order, event, order.is_of_fix() ? request.terms.stop : Price{});
            renamed = note.request == 'G';
            if (renamed) rename(order, note, request.attachment);
            break;
        case EventKind::expired:
            end(order, FixOrderState::expired);
            break;
        case EventKind::triggered:
            order.triggered = true;
            break;
        default:
            break;
    }
    return {.order = &order,
            .orders = this,
            .renamed = renamed,
            .previous = renamed ? text_of(name_before) : std::string_view{},
            .attachment = request.attachment};
}

FixOrders::Applied FixOrders::add(const Event& event, const Origin& origin,
                                  const FixRequest& request) {
    if (door_of(origin.session) != k_fix_door) return follows_all_ ? add_other(event) : Applied{};
    const FixNote note = FixNote::of(origin.tag);
    if (note.request != 'D') return {};
    const std::uint32_t index = pool_.take();
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
    order.name_index = add_name(order, note, request.attachment);
    if (first != 0) orders_[first].previous_index = index;
    first = index;
    by_id_.insert(tag_of(order.id), index);
    return {.order = &order, .orders = this, .attachment = request.attachment};
}

/// Its number is all the name that it has. The price of a stop is told by no event.
FixOrders::Applied FixOrders::add_other(const Event& event) {
    const std::uint32_t index = pool_.take();
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
    by_id_.insert(tag_of(order.id), index);
    return {.order = &order, .orders = this};
}

void FixOrders::follow_all(bool follows) {
    follows_all_ = follows;
    if (follows || pool_.used() == 0) return;
    for (std::uint32_t i = 1; i <= pool_.highest(); ++i) {
        const FixOrder& order = orders_[i];
        if (order.is_of_fix() || !order.id || index_of(order.id) != i) continue;
        by_id_.erase(i);
        pool_.give_back(i);
    }
}

void FixOrders::execute(FixOrder& order, const Event& event) {
    order.executed += event.quantity;
    order.notional += Int128{event.price.value} * event.quantity.value;
    if (event.remaining.value == 0) end(order, FixOrderState::filled);
}

void FixOrders::replace(FixOrder& order, const Event& event, Price stop) {
    if (event.new_order_id() != order.id) {
        by_id_.erase(index_of(order));
        order.id = event.new_order_id();
        by_id_.insert(tag_of(order.id), index_of(order));
    }
    order.price = event.price;
    // One that was triggered has none to be changed, and is told with the one that it had.
    if (stop.value != 0) order.stop = stop;
    order.ordered = order.executed + event.remaining;
}

void FixOrders::rename(FixOrder& order, const FixNote& note, std::string_view attachment) {
    names_[order.name_index].order = 0;
    if (const std::uint32_t oldest = past_.push(order.name_index); oldest != 0) forget_name(oldest);
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
    fields_[index_of(order)] = kept;
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
    by_id_.prefetch_tag(far);
    const std::uint32_t middle = ended_.goes_after(k_middle);
    by_id_.prefetch(middle);
    by_name_.prefetch_tag(orders_[middle].name_index);
    __builtin_prefetch(&names_[orders_[middle].name_index], 1);
    by_name_.prefetch(orders_[ended_.goes_after(k_near)].name_index);
}

void FixOrders::end(FixOrder& order, FixOrderState state) {
    order.state = state;
    if (!order.is_of_fix()) [[unlikely]] {
        // Nobody can ask for it any more; it is good until the next event even so.
        by_id_.erase(index_of(order));
        pool_.give_back(index_of(order));
        return;
    }
    if (order.previous_index != 0) {
        orders_[order.previous_index].next = order.next;
    } else {
        first_[order.participant.value] = order.next;
    }
    if (order.next != 0) orders_[order.next].previous_index = order.previous_index;
    if (const std::uint32_t oldest = ended_.push(index_of(order)); oldest != 0) {
        fetch_ahead();
        forget(oldest);
    }
}

void FixOrders::forget(std::uint32_t index) {
    FixOrder& order = orders_[index];
    by_id_.erase(index);
    forget_name(order.name_index);
    pool_.give_back(index);
}

std::uint32_t FixOrders::index_of(OrderId id) const {
    if (pool_.used() == 0) return 0;
    return by_id_.find(tag_of(id), [&](std::uint32_t i) { return orders_[i].id == id; });
}

const FixOrder* FixOrders::find(ParticipantId participant, std::string_view name) const {
    const std::uint32_t order = names_[name_index(participant, name)].order;
    return order == 0 ? nullptr : &orders_[order];
}

std::uint32_t FixOrders::name_index(ParticipantId participant, std::string_view name) const {
    if (name_pool_.used() == 0) return 0;
    const ShortName begin = ShortName::of(name);
    return by_name_.find(tag_of(participant, name), [&](std::uint32_t i) {
        return names_[i].participant == participant && names_[i].begin == begin &&
               text_of(i) == name;
    });
}

std::uint32_t FixOrders::add_name(FixOrder& order, const FixNote& note,
                                  std::string_view attachment) {
    const std::uint32_t index = name_pool_.take();
    order.long_name = false;
    if (note.form == FixNote::Form::whole) [[likely]] {
        names_[index] = {
            .begin = note.name, .participant = order.participant, .order = index_of(order)};
        by_name_.insert(tag_of(order.participant, note.name, 0), index);
        return index;
    }
    const ClOrdId name = note.full_name(attachment);
    order.short_name = ShortName::of(name.view());
    const bool is_long = name.view().size() > ShortName::k_length;
    order.long_name = is_long;
    names_[index] = {.begin = order.short_name,
                     .participant = order.participant,
                     .order = index_of(order),
                     .length = is_long ? static_cast<std::uint32_t>(name.view().size()) : 0U};
    std::ranges::copy(name.view(), long_names_[index].begin());
    by_name_.insert(tag_of(order.participant, name.view()), index);
    return index;
}

void FixOrders::forget_name(std::uint32_t index) {
    by_name_.erase(index);
    name_pool_.give_back(index);
}

}  // namespace damrak::gateway
