// The matchers of the pipeline: the product's engine, which allocates order ids as in a live
// exchange, or a rung of the ladder, which uses the clients' ids.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <damrak/engine/engine.hpp>
#include <damrak/lab/ladder/product_engine.hpp>
#include <damrak/lab/ladder/rungs.hpp>
#include <damrak/lab/pipeline/gateway_agent.hpp>
#include <damrak/lab/pipeline/market_update.hpp>
#include <damrak/lab/pipeline/workload.hpp>

namespace damrak::lab::pipeline {

/// Price units (0.0001) in a tick of the workload (0.01).
inline constexpr std::int64_t k_tick_units = 100;

/// More than any order of the workload causes. The tests compare the published updates with the
/// generator's own book.
inline constexpr std::uint32_t k_updates_of_order = 32;

namespace detail {

/// Which events are public, by their flags.
struct PublicRule {
    UpdateKind told = UpdateKind::nothing;
    EventFlags::Bits flags = 0;  ///< flags to check
    EventFlags::Bits set = 1;    ///< required values; other bits set: never public
};
inline constexpr auto k_public_rules = [] {
    std::array<PublicRule, static_cast<std::size_t>(EventKind::uncrossed) + 1> rules{};
    const auto rule_of = [&](EventKind kind) -> PublicRule& {
        return rules.at(static_cast<std::size_t>(kind));
    };
    rule_of(EventKind::accepted) = {UpdateKind::added, EventFlags::k_on_book,
                                    EventFlags::k_on_book};
    rule_of(EventKind::rested) = {UpdateKind::added, 0, 0};
    rule_of(EventKind::executed) = {UpdateKind::executed, EventFlags::k_aggressor, 0};
    rule_of(EventKind::cancelled) = {UpdateKind::deleted, 0, 0};
    return rules;
}();

}  // namespace detail

class EngineMatcher {
  public:
    /// No order of the workload causes more events; an execution has two.
    static constexpr std::uint32_t k_events_max = 2 * k_updates_of_order;
    static constexpr std::size_t k_updates_max = k_updates_of_order;

    /// The matcher of one shard.
    explicit EngineMatcher(const ladder::Setup& setup, std::size_t shard = 0,
                           std::size_t shards = 1)
        : engine_(config_of(setup)) {
        for (const Command& command : opening(setup))
            engine_.apply(command, [](const Event& event) {
                DAMRAK_ASSERT(event.kind != EventKind::rejected);
            });
        std::vector<bool> wanted(setup.symbols);
        for (std::uint32_t id = 1; id <= setup.symbols; ++id)
            wanted[id - 1] = shard_of(InstrumentId{id}, shards) == shard;
        if (shards > 1) engine_.keep_only(wanted);
    }

    /// The commands that open the market, which a journal needs as well.
    [[nodiscard]] static std::vector<Command> opening(const ladder::Setup& setup) {
        return ladder::opening_commands(setup, Workload::k_clients, k_tick_units);
    }
    [[nodiscard]] static EngineConfig config_of(const ladder::Setup& setup) {
        EngineConfig config = ladder::engine_config_of(setup);
        config.order_id_source = OrderIdSource::engine;
        config.maximum_participants = Workload::k_clients;
        config.maximum_accounts = Workload::k_clients * setup.symbols;
        config.maximum_events = k_events_max;
        return config;
    }

    void apply(std::span<const Command> commands, UpdateWriter& updates) {
        events_.updates = &updates;
        engine_.apply_queued(commands, [&](std::size_t i, const Slice& slice) {
            for (const Event& event : slice) events_.on_event(event);
            if (!slice.more) updates.end_order(commands[i].timestamp.value);
        });
    }

    [[nodiscard]] StateDigest digest() const { return engine_.digest(); }
    [[nodiscard]] std::uint64_t rejected() const { return events_.rejected; }

  private:
    /// Writes the public part of the events.
    struct PublicEvents {
        UpdateWriter* updates = nullptr;
        std::uint64_t rejected = 0;

        // Uses a table: the next kind is unpredictable, so a switch would mispredict.
        void on_event(const Event& event) {
            rejected += static_cast<std::uint64_t>(event.kind == EventKind::rejected);
            const detail::PublicRule& rule =
                detail::k_public_rules[static_cast<std::size_t>(event.kind)];
            const bool other_flags = (event.flags & rule.flags) != rule.set;
            const bool other_command =
                rule.told == UpdateKind::deleted && event.command != CommandKind::cancel_order;
            if (!other_flags && !other_command) write(event, rule.told);
        }
        void write(const Event& event, UpdateKind kind) const {
            const bool traded = kind == UpdateKind::executed;
            const Quantity quantity = traded ? event.quantity : event.remaining;
            updates->write({.kind = kind,
                            .side = event.side,
                            .last = false,
                            .instrument = event.instrument.value,
                            .quantity = static_cast<std::uint32_t>(quantity.value),
                            .price_e4 = static_cast<std::uint32_t>(event.price.value),
                            .order_ref = event.order_id.value,
                            .match_number = event.reference,
                            .taken_ns = 0});
        }
    };

    PublicEvents events_;
    Engine engine_;
};

/// A rung of the ladder as the matcher of a pipeline.
template <std::size_t k_rung>
class RungMatcher {
  public:
    static constexpr std::size_t k_updates_max = k_updates_of_order;

    explicit RungMatcher(const ladder::Setup& setup) : rung_(setup) {}

    void apply(std::span<const Command> commands, UpdateWriter& updates) {
        for (const Command& command : commands) {
            PublicTrades trades{&updates, command.instrument.value, 0};
            rung_.apply(request_of(command), trades);
            updates.end_order(command.timestamp.value);
            rejected_ += trades.refusals;
        }
    }
    [[nodiscard]] std::uint64_t rejected() const { return rejected_; }

  private:
    struct PublicTrades {
        UpdateWriter* updates;
        std::uint32_t instrument;
        std::uint64_t refusals;

        template <class Price>
        void trade(const ladder::Trade<Price>& trade) const {
            const auto ticks = static_cast<std::uint32_t>(ladder::ticks_of(trade.price));
            updates->write({.kind = UpdateKind::executed,
                            .side = {},
                            .last = false,
                            .instrument = instrument,
                            .quantity = trade.quantity,
                            .price_e4 = ticks * static_cast<std::uint32_t>(k_tick_units),
                            .order_ref = trade.maker,
                            .match_number = trade.taker,
                            .taken_ns = 0});
        }
        void refused(std::string_view /*reason*/) { ++refusals; }
    };

    static ladder::Request request_of(const Command& command) {
        ladder::Op op = ladder::Op::limit;
        if (command.kind == CommandKind::cancel_order) op = ladder::Op::cancel;
        if (command.order_type == OrderType::market) op = ladder::Op::market;
        return {.op = op,
                .side = command.side,
                .ioc = false,
                .symbol = command.instrument.value - 1,
                .quantity = static_cast<std::uint32_t>(command.quantity.value),
                .price_ticks = static_cast<std::int32_t>(command.price.value / k_tick_units),
                .id = command.client_order_id.value};
    }

    ladder::Rung<k_rung> rung_;
    std::uint64_t rejected_ = 0;
};

}  // namespace damrak::lab::pipeline
