#include <damrak/exchange/earlier_snapshot.hpp>

#include <array>
#include <bit>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include <damrak/binary_gateway/order_names.hpp>
#include <damrak/engine/engine.hpp>
#include <damrak/exchange/detail/rules_1.hpp>
#include <damrak/exchange/detail/rules_1_reader.hpp>
#include <damrak/fix_gateway/fix_orders.hpp>
#include <damrak/journal/progress.hpp>
#include <damrak/journal/record.hpp>
#include <damrak/ouch_gateway/ouch_orders.hpp>
#include <damrak/udp_gateway/udp_clients.hpp>

namespace damrak::exchange {

namespace {

using journal::Progress;
using journal::Record;
using rules_1::Pool;
using rules_1::Reader;

InstrumentState instrument_of(const rules_1::InstrumentState& earlier) {
    struct Book {
        alignas(64) std::uint64_t arrivals = 0;
        std::array<PriceLadder, 2> ladders{};
        std::array<OrderIndex, 2> aside{};
    };
    static_assert(sizeof(Book) == sizeof(OrderBook));
    InstrumentState in;
    in.define(earlier.definition.today());
    in.orders_hash = earlier.orders_hash;
    in.recent_accounts = earlier.recent_accounts;
    in.order_number = earlier.order_number;
    in.trade_number = earlier.trade_number;
    in.last_trade = earlier.last_trade;
    in.state = earlier.state;
    in.ever_used = earlier.ever_used;
    in.aside_orders = earlier.held_orders;
    in.stops = earlier.stops;
    in.book = std::bit_cast<OrderBook>(
        Book{.arrivals = earlier.book.arrivals, .ladders = earlier.book.ladders});
    return in;
}

template <class Archive>
void convert_books(Reader& from, const EngineConfig& config, Archive& to) {
    const Pool orders = from.pool(config.maximum_orders);
    const Pool extensions = from.pool(config.maximum_extensions);
    const Pool levels = from.pool(config.maximum_levels);
    const Pool nodes = from.pool(config.maximum_ladder_nodes);
    const auto save = [&to](const auto& items) { to.values(items.data(), items.size()); };
    for (const Pool* pool : {&orders, &extensions, &levels, &nodes}) pool->save(to);
    save(from.places<LadderNodes::Head>(nodes));
    save(from.places<LadderNodes::Children>(nodes));
    from.skip_table(config.maximum_orders);
    save(from.places<Order>(orders));
    save(from.places<OrderExtension>(extensions));
    save(from.places<Level>(levels));
    orders.for_each_used([&to](std::uint32_t index) { to.value(index); });
    to.value(std::uint32_t{0});
}

template <class Archive>
void convert_accounts(Reader& from, const EngineConfig& config, Archive& to) {
    const Pool pool = from.pool(config.maximum_accounts);
    from.skip_table(config.maximum_accounts);
    const auto accounts = from.places<Account>(pool);
    auto participants = from.values<Participant>(config.maximum_participants + std::size_t{1});
    for (Participant& participant : participants) {
        participant.configured = participant.limits != LimitDetails{};
        participant.exceeds = false;
        participant.generation = 0;
        participant.accounts = 0;
    }
    pool.save(to);
    to.values(accounts.data(), accounts.size());
    pool.for_each_used([&](std::uint32_t index) {
        to.value(index);
        const std::uint32_t owner = accounts[index].participant.value;
        if (owner < participants.size()) ++participants[owner].accounts;
    });
    to.value(std::uint32_t{0});
    to.value(std::uint64_t{participants.size()});
    to.values(participants.data(), participants.size());
    for (std::size_t i = 0; i < participants.size(); ++i) to.value(Int128{0});  // none exceeds
    to.value(from.value<std::uint64_t>());  // hash of the positions
    to.value(from.value<std::uint64_t>());  // hash of limits and states
}

std::vector<std::byte> convert_engine(Reader& from, const EngineConfig& config) {
    constexpr std::uint32_t k_whole_share = 100;
    return saved_bytes([&](auto& to) {
        to.value(config.capacities(k_whole_share));
        convert_books(from, config, to);
        convert_accounts(from, config, to);
        const auto expiries = from.values<OrderIndex>(from.count(config.maximum_extensions));
        to.value(static_cast<std::uint32_t>(expiries.size()));
        to.values(expiries.data(), expiries.size());
        to.value(std::uint64_t{0});  // changed trades
        to.value(std::uint64_t{0});  // quote protections
        to.sparse(ReservedArray<Combination>{});
        to.value(std::uint64_t{config.maximum_instruments});
        for (std::uint32_t i = 0; i < config.maximum_instruments; ++i) {
            const auto exists = from.value<std::uint8_t>();
            to.value(exists);
            if (exists == 0) continue;
            const auto earlier = from.value<rules_1::InstrumentState>();
            to.value(earlier.definition.today().common_tick().value > 0 ? instrument_of(earlier)
                                                                        : InstrumentState{});
        }
    });
}

using Names = std::unordered_map<std::uint64_t, ClientOrderId>;

Names read_names(Reader& from, const EngineConfig& config) {
    Names names;
    const Pool pool = from.pool(config.maximum_orders);
    const auto entries = from.places<rules_1::OrderName>(pool);
    static_cast<void>(from.growing_table(config.maximum_orders));
    pool.for_each_used([&](std::uint32_t i) { names[entries[i].id.value] = entries[i].name; });
    return names;
}

// Terms of an order, as far as the engine still has them.
gateway::FixTerms terms_of(const rules_1::FixOrder& order, const Engine& engine) {
    gateway::FixTerms terms{.stop = order.stop};
    const OrderIndex index = order.state == gateway::FixOrderState::open
                                 ? engine.store().find(order.instrument, order.id)
                                 : 0;
    if (index == 0) return terms;
    const Order& resting = engine.store().order(index);
    const OrderExtension& extension = engine.store().extension(resting.extension);
    terms.hidden = resting.terms().has(OrderAttributes::k_hidden);
    terms.post_only = resting.terms().has(OrderAttributes::k_post_only);
    if (resting.extension == 0) return terms;
    terms.display = extension.display_quantity;
    terms.minimum = extension.minimum;
    terms.expiry = extension.expire_time;
    return terms;
}

// Ids of orders of other doors than the binary one.
using Others = std::unordered_set<std::uint64_t>;

// See gateway::FixOrders::transfer().
template <class Archive>
void convert_fix_order(const rules_1::FixOrder& earlier, const gateway::FixTerms& terms,
                       Archive& to) {
    to.value(gateway::FixOrder{.id = earlier.id,
                               .price = earlier.price,
                               .ordered = earlier.ordered,
                               .executed = earlier.executed,
                               .stop = earlier.stop,
                               .instrument = earlier.instrument,
                               .participant = earlier.participant,
                               .notional = earlier.notional,
                               .short_name = earlier.name,
                               .member = earlier.member,
                               .name_index = earlier.name_index,
                               .next = earlier.next,
                               .previous_index = earlier.previous_index,
                               .side = earlier.side,
                               .type = earlier.type,
                               .time_in_force = earlier.time_in_force,
                               .state = earlier.state,
                               .triggered = earlier.triggered,
                               .unusual = !terms.is_usual()});
}

struct FixName {
    gateway::ShortName begin;
    ParticipantId participant{};
    std::uint32_t order = 0;
    std::uint32_t length = 0;
};

template <class Archive>
void convert_ring(Reader& from, std::uint32_t capacity, Archive& to) {
    const std::uint32_t count = from.count(capacity);
    const std::uint32_t next = from.count(capacity);
    const auto indices = from.values<std::uint32_t>(count);
    to.value(count);
    to.value(next);
    to.values(indices.data(), indices.size());
}

template <class Archive>
void convert_fix(Reader& from, const Engine& engine, Others& others, Archive& to) {
    constexpr std::uint32_t k_history = gateway::FixOrders::k_history;
    const EngineConfig& config = engine.config();
    const auto used = from.value<std::uint8_t>();
    to.value(used);
    if (used == 0) return;
    const Pool pool = from.pool(config.maximum_orders + k_history);
    const auto orders = from.places<rules_1::FixOrder>(pool);
    const rules_1::GrowingTable by_id = from.growing_table(config.maximum_orders + k_history);
    pool.save(to);
    std::vector<gateway::FixTerms> terms(orders.size());
    for (std::size_t i = 0; i < orders.size(); ++i) {
        terms[i] = terms_of(orders[i], engine);
        convert_fix_order(orders[i], terms[i], to);
    }
    for (std::size_t i = 1; i < orders.size(); ++i)
        if (!terms[i].is_usual()) to.value(terms[i]);
    by_id.save(to);
    pool.for_each_used([&](std::uint32_t i) { others.insert(orders[i].id.value); });

    const Pool name_pool = from.pool(config.maximum_orders + 2 * k_history);
    name_pool.save(to);
    for (const rules_1::FixName& name : from.places<rules_1::FixName>(name_pool))
        to.value(FixName{.begin = name.text, .participant = name.participant, .order = name.order});
    from.growing_table(config.maximum_orders + 2 * k_history).save(to);
    for (int ring = 0; ring < 2; ++ring) convert_ring(from, k_history, to);
    rules_1::save(from.sparse<std::uint32_t>(config.maximum_participants + std::uint64_t{1}), to);
}

// See gateway::UdpClients::transfer().
template <class Archive>
void convert_udp(Reader& from, const EngineConfig& config, Others& others, Archive& to) {
    const Pool source_pool = from.pool(gateway::UdpClients::k_maximum_sources);
    source_pool.save(to);
    for (const rules_1::UdpSource& source : from.places<rules_1::UdpSource>(source_pool))
        to.value(gateway::UdpSource{.session = source.session,
                                    .participant = source.participant,
                                    .open_orders = source.open_orders,
                                    .link = source.link,
                                    .has_ordered = source.has_ordered,
                                    .begins = source.begins,
                                    .begun = source.begun,
                                    .window = source.window,
                                    .address6 = {}});
    const Pool order_pool =
        from.pool(config.maximum_orders + gateway::UdpClients::k_maximum_reserved);
    const auto orders = from.places<gateway::UdpOrder>(order_pool);
    order_pool.save(to);
    to.values(orders.data(), orders.size());
    order_pool.for_each_used([&](std::uint32_t i) { others.insert(orders[i].id.value); });
    rules_1::save(from.sparse<std::uint32_t>(config.maximum_participants + std::uint64_t{1}), to);
}

// Names of the orders of the binary door, as if a session that has ended had entered them.
gateway::OrderNames names_of(const Engine& engine, const Names& names, const Others& others,
                             SessionId session) {
    gateway::OrderNames converted{engine.config()};
    const auto note = [&](OrderIndex index) {
        const Order& order = engine.store().order(index);
        if (others.contains(order.id.value)) return true;
        const auto name = names.find(order.id.value);
        converted.on_event({.kind = EventKind::accepted,
                            .participant = engine.accounts().account(order.account).participant,
                            .order_id = order.id,
                            .reference = name == names.end() ? 0 : name->second.value},
                           {.session = session});
        return true;
    };
    for (std::uint32_t i = 1; i <= engine.config().maximum_instruments; ++i) {
        const InstrumentState* const in = engine.instrument(InstrumentId{i});
        if (in == nullptr) continue;
        for (const Side side : {Side::buy, Side::sell})
            in->book.for_each_order(engine.store(), side, note);
        in->stops.for_each(engine.store(), note);
    }
    return converted;
}

}  // namespace

std::optional<journal::ConvertedState> convert_rules_1(std::span<const std::byte> state,
                                                       const EngineConfig& config,
                                                       std::uint64_t state_hash) {
    Reader from{state};
    Engine engine{config};
    {
        const auto bytes = convert_engine(from, config);
        LoadArchive loaded{bytes};
        Engine::transfer(engine, loaded);
        if (!loaded.complete() || engine.state_hash() != state_hash) return std::nullopt;
    }
    engine.adopt_rules_1();
    Progress progress;
    from.load(progress);
    const Names names = read_names(from, config);
    Others others;
    const auto doors = saved_bytes([&](auto& to) {
        convert_fix(from, engine, others, to);
        convert_udp(from, config, others, to);
    });
    if (!from.complete()) return std::nullopt;
    const SessionId over = progress.last_session() ? progress.last_session() : SessionId{1};
    const gateway::OrderNames binary = names_of(engine, names, others, over);
    const gateway::OuchOrders ouch{config};
    return journal::ConvertedState{.bytes = saved_bytes([&](auto& to) {
                                       Engine::transfer(std::as_const(engine), to);
                                       Progress::transfer(std::as_const(progress), to);
                                       gateway::OrderNames::transfer(binary, to);
                                       to.values(doors.data(), doors.size());
                                       gateway::OuchOrders::transfer(ouch, to);
                                       to.value(Record{});
                                       to.value(TradingDay{});
                                   }),
                                   .state_hash = engine.state_hash()};
}

}  // namespace damrak::exchange
