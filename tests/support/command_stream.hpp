// A seeded random stream of commands over all of the rule book. It learns from the events which
// orders are open, so that most commands find their order; some percent are invalid on purpose.
// Used by the differential test, its long run and its shrinking. The same profile, seed and events
// give the same commands. A command costs at most a walk over the open orders.
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <damrak/base/random.hpp>
#include <damrak/domain/command.hpp>
#include <damrak/domain/event.hpp>
#include <damrak/domain/identifiers.hpp>
#include <damrak/domain/instrument.hpp>
#include <damrak/domain/measures.hpp>
#include <damrak/domain/order_terms.hpp>

#include "support/reference/reference_engine.hpp"

namespace damrak {

/// Profiles with combinations: instruments before it are legs.
inline constexpr std::uint32_t k_first_combination = 4;
inline constexpr std::int64_t k_largest_number = std::numeric_limits<std::int64_t>::max();

/// Relative frequency of each kind of command.
struct CommandWeights {
    std::uint32_t new_order = 600;
    std::uint32_t cancel_order = 140;
    std::uint32_t replace_order = 180;
    std::uint32_t mass_cancel = 0;
    std::uint32_t query_order = 10;
    std::uint32_t add_instrument = 0;
    std::uint32_t add_tick_band = 0;
    std::uint32_t set_trading_state = 0;
    std::uint32_t set_limits = 0;
    std::uint32_t set_participant_state = 0;
    std::uint32_t tick = 0;
    std::uint32_t end_day = 0;
    std::uint32_t recorded_trade = 0;
    std::uint32_t set_phase = 0;
    std::uint32_t uncross = 0;
    std::uint32_t set_price_limits = 0;
    std::uint32_t set_price_band = 0;
    std::uint32_t set_allocation = 0;
    std::uint32_t set_lead_maker = 0;
    std::uint32_t bust_trade = 0;
    std::uint32_t correct_trade = 0;
    std::uint32_t quote = 0;
    std::uint32_t set_quote_protection = 0;
    std::uint32_t set_combination = 0;
};

/// Attributes of new orders, in percent.
struct OrderMix {
    std::uint32_t market = 5;
    std::uint32_t stop = 0;  ///< half of them stop-limit
    std::uint32_t ioc = 5;
    std::uint32_t fok = 3;
    std::uint32_t gtd = 0;
    std::uint32_t gtc = 10;
    std::uint32_t iceberg = 0;
    std::uint32_t hidden = 0;
    std::uint32_t post_only = 0;
    std::uint32_t minimum = 0;
    std::uint32_t self_trade_prevention = 0;  ///< any rule but none
    std::uint32_t pegged = 0;
    std::uint32_t to_limit = 0;        ///< of market orders
    std::uint32_t trailing = 0;        ///< of stop orders
    std::uint32_t auction = 0;         ///< for auctions only; phases then have restrictions, too
    std::uint32_t imbalance_only = 0;  ///< of those with a limit
    std::uint32_t linked = 0;          ///< of those that may have a link
    std::uint32_t large = 5;           ///< with a quantity that sweeps levels
};

struct StreamProfile {
    std::string_view name;
    reference::Settings settings{};
    CommandWeights weights{};
    OrderMix mix{};
    std::uint32_t instruments = 2;   ///< at the start
    std::uint32_t participants = 6;  ///< active ones
    std::uint32_t price_steps = 6;   ///< prices are within this many ticks of the middle
    std::uint32_t swing = 0;         ///< per mille of commands after which the middle moves away
    std::uint32_t lots = 10;         ///< usual largest quantity
    std::uint32_t open_target = 60;  ///< number of open orders that the stream approaches
    std::uint32_t wrong = 3;         ///< percent of invalid commands
    std::uint32_t sealed = 0;        ///< percent of calls in which orders come in batches
    std::int64_t combined_lot = 0;   ///< of three instruments and combinations of them; zero: none
    bool tight_limits = false;
    bool below_zero = false;  ///< prices are around zero
    bool skip_own = false;    ///< nearly everybody's self-trade rule
    bool extreme = false;     ///< includes prices and quantities near the ends of their range
};

/// All profiles; each stresses another part of the rule book.
[[nodiscard]] std::span<const StreamProfile> stream_profiles();

class CommandStream {
  public:
    CommandStream(const StreamProfile& profile, std::uint64_t seed);

    [[nodiscard]] const reference::Settings& settings() const { return settings_; }
    [[nodiscard]] Command next();
    /// Reports the result of the last command from next().
    void observe(const Command& command, const std::vector<Event>& events);

  private:
    struct OpenOrder {
        InstrumentId instrument{};
        OrderId id{};
        ParticipantId participant{};
        Side side{};
        OrderType type{};
        Price price{};
        Price stop_price{};
        Quantity remaining{};
    };
    struct Trade {
        TradeId id{};
        Price price{};
        Quantity quantity{};
        ParticipantId buyer{};
        ParticipantId seller{};
        OrderId buy{};
        OrderId sell{};
    };
    struct Market {
        InstrumentDefinition definition{};
        std::deque<Trade> trades;  ///< the latest ones
        CombinationDetails combination{};
        Price middle{};
        std::int64_t drift = 0;
        std::uint32_t drift_left = 0;
    };

    [[nodiscard]] std::uint32_t below(std::uint32_t bound) { return random_.below(bound); }
    [[nodiscard]] bool percent(std::uint32_t chance) { return below(100) < chance; }
    [[nodiscard]] std::int64_t between(std::int64_t low, std::int64_t high);

    [[nodiscard]] Command make(CommandKind kind);
    [[nodiscard]] CommandKind choose_kind();
    [[nodiscard]] Command make_new_order();
    void shape_order(Command& command, const Market& market);
    void add_attributes(Command& command, const Market& market);
    void link_order(Command& command, const Market& market);
    [[nodiscard]] Command make_cancel();
    [[nodiscard]] Command make_replace();
    void move_order(Command& command, const OpenOrder& order);
    [[nodiscard]] Command make_mass_cancel();
    [[nodiscard]] Command make_query();
    [[nodiscard]] Command make_recorded_trade();
    [[nodiscard]] Command make_add_instrument(InstrumentId id);
    [[nodiscard]] Command make_add_tick_band();
    [[nodiscard]] Command make_set_limits();
    [[nodiscard]] Command make_set_phase();
    [[nodiscard]] Command make_uncross();
    [[nodiscard]] Command make_set_price_limits();
    [[nodiscard]] Command make_set_price_band();
    [[nodiscard]] Command make_set_allocation();
    [[nodiscard]] Command make_set_lead_maker();
    [[nodiscard]] Command make_bust_trade();
    [[nodiscard]] Command make_correct_trade();
    [[nodiscard]] Command make_quote();
    [[nodiscard]] Command make_set_quote_protection();
    void define_combined(InstrumentId id, InstrumentDetails& definition);
    void follow_legs();
    [[nodiscard]] Command make_set_combination();
    void remember_trade(const Event& event);
    void note_correction(const Event& event);
    void spoil(Command& command);
    void spoil_number(std::int64_t& number);

    [[nodiscard]] InstrumentId any_instrument();
    [[nodiscard]] Price price_near(const Market& market, std::int64_t steps) const;
    [[nodiscard]] Quantity any_quantity(const Market& market);
    [[nodiscard]] OrderId fresh_id();
    [[nodiscard]] const OpenOrder* any_order();
    void drift_markets();
    void learn(const Command& command, const Event& event);
    [[nodiscard]] OpenOrder* open_order(InstrumentId instrument, OrderId id);
    void forget(InstrumentId instrument, OrderId id);

    const StreamProfile& profile_;
    reference::Settings settings_;
    RandomStream random_;
    std::deque<Command> queued_;
    std::deque<Command> resumptions_;  ///< ends of halts and blocks, due some time later
    std::map<InstrumentId, Market> markets_;
    std::vector<OpenOrder> open_;
    std::vector<OrderId> gone_;
    std::int64_t now_ = 1'000'000'000;
    std::uint64_t client_ids_ = 0;
};

}  // namespace damrak
