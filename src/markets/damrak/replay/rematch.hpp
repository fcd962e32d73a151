// Runs recorded orders through the matching engine: a consumer (recorded.hpp) that derives the
// participants' orders from the recording, submits them, and compares the engine's executions with
// the recorded ones. docs/reference/replay.md lists the command for each message, and what is left
// out.
//
// Besides the engine it has the recorded books, with statistics: an execution only has the id of
// its order, and where engine and recording differ, the recording is right. One thread; a few
// hundred ns a message.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include <damrak/domain/reason.hpp>
#include <damrak/engine/engine.hpp>
#include <damrak/order_flow/look_ahead.hpp>
#include <damrak/replay/detail/recorded_orders.hpp>
#include <damrak/replay/market_statistics.hpp>

namespace damrak::replay {

/// The first difference of each kind between engine and recording. Either may lack the execution.
struct Disagreement {
    std::int64_t time_ns{};
    std::string symbol;
    std::optional<Fill> recorded;
    std::optional<Fill> engine;
};

/// How the engine's trades compare with the recorded ones.
struct RematchReport {
    std::uint64_t commands{};
    std::array<std::uint64_t, 256> rejected{};  ///< commands, by Reason

    std::uint64_t aggressors{};        ///< incoming orders derived from executions
    std::uint64_t aggressors_equal{};  ///< whose executions all have the recorded prices and sizes
    std::uint64_t recorded{};          ///< compared executions
    std::uint64_t recorded_volume{};
    std::uint64_t matched{};  ///< executions of the engine against these aggressors
    std::uint64_t matched_volume{};
    std::uint64_t equal_price_and_size{};  ///< n-th execution against n-th of an aggressor
    std::uint64_t equal_order{};           ///< these, with the same resting order: priority agrees
    /// Executions at levels of anonymous quantity: the order that stood first is not known.
    std::uint64_t order_not_known{};
    std::uint64_t unrecorded{};  ///< executions that the recording lacks

    std::uint64_t left_out_at_other_price{};  ///< executions at a price other than the order's
    std::uint64_t left_out_hidden{};
    std::uint64_t left_out_crosses{};

    std::uint64_t diverged{};  ///< messages about an order that differs in the engine
    std::uint64_t repaired{};  ///< orders reduced to their recorded quantity
    std::optional<Disagreement> first_price_or_size;
    std::optional<Disagreement> first_order;

    [[nodiscard]] std::uint64_t all_rejected() const;
};

class Rematch {
  public:
    Rematch(const RematchCapacity& capacity, const StatisticsSettings& settings);

    InstrumentId declare(std::string_view symbol);
    bool on_add(const order_flow::At& at, OrderId id, Side side, Price price, Quantity quantity);
    bool on_execute(const order_flow::At& at, OrderId id, Quantity quantity);
    bool on_execute_at(const order_flow::At& at, OrderId id, Quantity quantity, Price price,
                       bool printable);
    bool on_reduce(const order_flow::At& at, OrderId id, Quantity quantity);
    bool on_remove(const order_flow::At& at, OrderId id);
    bool on_replace(const order_flow::At& at, OrderId id, OrderId fresh, Price price,
                    Quantity quantity);
    bool on_trade(const order_flow::At& at, order_flow::TradeKind kind, Price price,
                  Quantity quantity, std::optional<Side> aggressor);
    bool on_phase(const order_flow::At& at, order_flow::StateChange phase) {
        return books_.on_phase(at, phase);
    }
    void ahead(InstrumentId instrument, OrderId id) {
        books_.ahead(instrument, id);
        look_ahead_.tell(engine_.store(), instrument, id);
    }

    /// Matches what is pending. Call it at the end.
    void finish();

    /// The books as recorded.
    [[nodiscard]] const order_flow::BookBuilder<MarketStatistics>& books() const { return books_; }
    [[nodiscard]] order_flow::BookBuilder<MarketStatistics>& books() { return books_; }
    [[nodiscard]] const Order* find(InstrumentId instrument, OrderId id) const {
        return books_.find(instrument, id);
    }
    [[nodiscard]] Price price_of(const Order& order) const { return books_.price_of(order); }
    [[nodiscard]] Quantity displayed_at(InstrumentId instrument, Side side, Price price) const {
        return books_.displayed_at(instrument, side, price);
    }
    [[nodiscard]] order_flow::Anomalies& anomalies() { return books_.anomalies(); }

    [[nodiscard]] const RematchReport& report() const { return report_; }
    [[nodiscard]] std::uint64_t state_hash() const { return engine_.state_hash(); }

  private:
    // Result of the current command.
    struct Result {
        std::vector<Fill> fills;
        Reason rejected{};
        void on_event(const Event& event);
    };
    void submit(Command command, std::int64_t time_ns);
    void match_pending(InstrumentId instrument);
    void compare(const order_flow::At& at, const detail::Incoming& incoming);
    bool follow(const order_flow::At& at, OrderId id);
    [[nodiscard]] bool knows_priority_of(const Order& order) const;
    void note_divergence(InstrumentId instrument, OrderId id);
    [[nodiscard]] const Order* find_in_engine(InstrumentId instrument, OrderId id) const;

    order_flow::BookBuilder<MarketStatistics> books_;
    Result result_;
    Engine engine_;
    std::unordered_set<std::uint64_t> revealed_;  // orders that the view made, of limited days
    order_flow::LookAhead look_ahead_;            // on orders of the engine
    std::vector<detail::Incoming> pending_;       // by instrument
    std::int64_t last_ns_{0};
    std::uint64_t last_aggressor_{0};
    RematchReport report_;
};

}  // namespace damrak::replay
