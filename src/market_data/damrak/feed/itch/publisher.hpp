// The public market data of the exchange as ITCH 5.0 messages. docs/protocols/itch.md lists the
// messages of each engine event. A book built from them equals the public book of the engine after
// each command, order by order. They reveal neither hidden quantities nor owners, except
// participants that asked for attribution. The indicative values of a call count hidden quantities.
//
// Pure: events in, messages out. The same events give the same bytes. Runs behind the exchange on
// one thread. An event costs a look-up of its order, in a call indicative_calls.hpp; memory is
// proportional to the engine's capacity for orders.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <damrak/base/time_zone.hpp>
#include <damrak/domain/event.hpp>
#include <damrak/domain/origin.hpp>
#include <damrak/engine/engine.hpp>
#include <damrak/feed/itch/indicative_calls.hpp>
#include <damrak/feed/itch/recording.hpp>
#include <damrak/feed/message_block.hpp>
#include <damrak/venue/market_hours.hpp>
#include <damrak/views/order_table.hpp>
#include <damrak/wire/itch/messages.hpp>

namespace damrak::feed {

/// What the messages show beyond the events.
struct ItchSettings {
    TimeZone::Shared zone;  ///< timestamps count from midnight of this zone; null: UTC
    /// The participants that attribute their displayed orders, with the name to show. A gateway may
    /// know better of an order, see ask_about_orders().
    std::map<ParticipantId, wire::itch::Mpid> attributed;
    std::optional<Recording> recording{};  ///< of a market that replays a day
    /// For the system events Q and M; null: the market is open during the whole session.
    std::shared_ptr<const venue::MarketHours> hours{};
    /// The indicative values of calls are published at each tick, instead of after each change.
    bool indicatives_on_clock = false;
};

/// Whether the instrument may be published and ITCH can carry its prices, quantities and symbol.
[[nodiscard]] bool is_published(const InstrumentDefinition& definition);

/// Makes the messages of the order-by-order feed from events.
class ItchPublisher {
  public:
    ItchPublisher(const EngineConfig& config, ItchSettings settings);

    /// Those that are anonymous although the settings name their participant.
    void ask_about_orders(std::function<bool(OrderId)> is_anonymous) {
        is_anonymous_ = std::move(is_anonymous);
    }
    /// Starts from the current state of the engine, within a session or outside of one. Publishes
    /// nothing.
    void load(const Engine& engine, bool in_session, char last_event = 'Q');
    /// Begins a session: system events, the directory, and all open orders.
    void begin_session(Timestamp time, MessageBlock& out);
    /// Before each command of a session: tells whether market hours have begun or ended.
    void on_time(const CommandStamp& stamp, MessageBlock& out);
    /// Ends the session of the day. Nothing is published until the next session.
    void end_session(Timestamp time, MessageBlock& out);
    /// Drops the session without an end message.
    void forget_session() {
        in_session_ = false;
        last_event_ = 'C';
    }
    /// Takes each command of the engine, before its events.
    void on_command(const Command& command) {
        loses_priority_ = has_flag(command, CommandFlags::k_lose_priority);
        is_tick_ = command.kind == CommandKind::tick;
        if (command.kind == CommandKind::set_phase) phase_ = command.phase;
        if (command.kind == CommandKind::set_price_band) band_ = band_of(command);
        is_recorded_ = is_recorded(command.participant);
        is_by_view_ = is_recorded_ && command.new_order_id == Recording::k_made_by_view;
    }
    /// At which the market-wide breaker halts.
    void set_levels(const BreakerLevels& levels, const CommandStamp& stamp, MessageBlock& out);
    /// Takes each event of the engine in order. The engine of `load()` has applied the whole slice,
    /// and perhaps later commands.
    void on_event(const Event& event, const CommandStamp& stamp, MessageBlock& out);
    /// After the last event of a command, and before snapshot(): publishes what its orders changed
    /// in calls.
    void end_command(MessageBlock& out);

    /// Messages for a client that joins now: the state of the system, the directory with trading
    /// states, each displayed order by priority, and the indicative values of calls. Changes no
    /// state.
    void snapshot(Timestamp time, MessageBlock& out) const;

  private:
    /// An order as published.
    struct Shown {
        OrderId id{};  ///< in the engine
        std::uint64_t reference = 0;
        Price price{};
        Quantity quantity{};
        Quantity open{};  ///< includes the hidden quantity
        InstrumentId instrument{};
        Side side{};
        bool named = false;  ///< it shows the name of its participant
        // Neighbours among the orders of the instrument, in no order; 0: none.
        std::uint32_t next = 0;
        std::uint32_t previous = 0;
    };
    struct Band {
        PriceBandDetails prices{};
        std::uint8_t collar = 0;  ///< as in InstrumentState
        bool daily = false;
    };
    struct Listed {
        wire::itch::Stock stock{};
        std::uint32_t scale = 0;  ///< 1/10,000 per price unit; zero: not published
        std::uint32_t first = 0;  ///< of its orders
        // The engine may be ahead of the event, so these are kept.
        TradingState state{};
        PhaseDetails phase{};
        Band band{};
        std::optional<Price> last_trade{};
        bool traded_today = false;  ///< since a day ended
        // As published last in this call.
        std::optional<auction::Equilibrium> indicative{};
        std::optional<Price> far_price{};

        /// Of its next auction, see damrak::auction_reference().
        [[nodiscard]] std::optional<Price> auction_reference() const {
            const bool of_day = band.daily && !traded_today && band.prices.reference != Price{};
            return of_day ? std::optional{band.prices.reference} : last_trade;
        }
        /// Whether this exchange alone halted it, and no rule.
        [[nodiscard]] bool is_halted_here() const {
            return state == TradingState::halted && phase.cause != HaltCause::market_wide_3;
        }
    };
    /// The common first fields of each message.
    struct Header {
        std::uint16_t locate;
        std::uint16_t tracking;
        std::int64_t time_ns;
    };

    [[nodiscard]] Header header(const Event& event, const CommandStamp& stamp) const;
    [[nodiscard]] bool is_recorded(ParticipantId participant) const {
        return settings_.recording && settings_.recording->participant == participant;
    }
    [[nodiscard]] bool has_view() const {
        return settings_.recording && settings_.recording->has_view;
    }
    [[nodiscard]] static Band band_of(const Command& command);
    [[nodiscard]] std::int64_t since_midnight(Timestamp time) const;
    [[nodiscard]] const Listed& listed(InstrumentId id) const;
    [[nodiscard]] std::uint32_t price_e4(const Shown& order, Price price) const;
    void list(InstrumentId id);
    void load(InstrumentId id);
    void put_system_event(char code, Timestamp time, MessageBlock& out) const;
    void put_directory(InstrumentId id, const Header& header, MessageBlock& out) const;
    void put_state(InstrumentId id, const Header& header, MessageBlock& out) const;
    void put_halt_here(InstrumentId id, const Header& header, MessageBlock& out) const;
    void put_collar(InstrumentId id, const Header& header, MessageBlock& out) const;
    void put_levels(const Header& header, MessageBlock& out) const;
    void put_breach(HaltCause cause, const Header& header, MessageBlock& out) const;
    void put_indicative(InstrumentId id, const Header& header, MessageBlock& out) const;
    /// The name that an order shows; null: none.
    [[nodiscard]] const wire::itch::Mpid* name_of(OrderId id, ParticipantId owner) const;
    void put_order(const Shown& order, ParticipantId owner, const Header& header,
                   MessageBlock& out) const;
    void put_listings(Timestamp time, MessageBlock& out) const;
    void put_orders(Timestamp time, MessageBlock& out) const;
    void put_cross(MessageBlock& out);
    void tell_hours(Timestamp time, MessageBlock& out);
    template <class F>
    void for_each_listed(Timestamp time, const F& put) const;
    template <class F>
    void for_each_displayed(InstrumentId id, const F& f) const;

    void add(const Event& event, OrderId id, std::uint64_t reference, const Header& header,
             MessageBlock& out);
    void change_state(const Event& event, const Header& header, MessageBlock& out);
    void set_phase(Listed& of, const Event& event);
    void end_day(InstrumentId id);
    void set_band(InstrumentId id, const Header& header, MessageBlock& out);
    [[nodiscard]] bool has_any(HaltCause cause) const;
    void begin_or_end_call(InstrumentId id);
    void begin_cross(const Event& event, const Header& header);
    void bust(const Event& event, const Header& header, MessageBlock& out) const;
    void execute(const Event& event, const Header& header, MessageBlock& out);
    void reduce(std::uint32_t index, Quantity displayed, const Header& header, MessageBlock& out);
    void replace(const Event& event, const Header& header, MessageBlock& out);
    void insert(const Shown& order);
    void forget(std::uint32_t index);

    ItchSettings settings_;
    std::function<bool(OrderId)> is_anonymous_;  ///< may be empty
    const Engine* engine_ = nullptr;
    std::uint32_t maximum_instruments_;
    std::vector<Listed> listed_;  ///< by instrument
    views::OrderTable<Shown> orders_;
    IndicativeCalls calls_;
    Header last_{};  ///< of the last event or command
    bool in_session_ = false;
    char last_event_ = 'C';                          ///< code of the last system event
    Timestamp next_look_{};                          ///< whether the market is open
    std::optional<wire::itch::CrossTrade> cross_{};  ///< the one that trades, so far
    PhaseDetails phase_{};                           ///< of the last set_phase
    Band band_{};                                    ///< of the last set_price_band
    BreakerLevels levels_{};                         ///< zeros: not known
    bool loses_priority_ = false;  ///< the command says that the order it replaces loses priority
    bool is_tick_ = false;
    bool is_recorded_ = false;  ///< the command is of the recording that is replayed
    bool is_by_view_ = false;   ///< the view made it, and not a participant
    // The last midnight that was looked up, and the next one.
    mutable Timestamp midnight_{};
    mutable Timestamp next_midnight_{};
};

}  // namespace damrak::feed
