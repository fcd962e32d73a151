// What the public sees of the exchange as messages of ITCH 5.0: each event of the engine becomes
// the messages that docs/protocols/itch.md names. A book that is built from them equals the public
// book of the engine after each command, order by order; they reveal neither owners (but those who
// want it) nor what is hidden.
//
// Pure: events in, messages out. The same events give the same bytes. Follows behind the exchange
// on one thread. An event costs a look-up of its order; memory is what the engine's capacity for
// orders needs.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include <damrak/base/time_zone.hpp>
#include <damrak/domain/event.hpp>
#include <damrak/domain/origin.hpp>
#include <damrak/engine/engine.hpp>
#include <damrak/feed/message_block.hpp>
#include <damrak/views/order_table.hpp>
#include <damrak/wire/itch/messages.hpp>

namespace damrak::feed {

struct ItchSettings {
    TimeZone::Shared zone;  ///< whose midnight the timestamps count from; null: UTC
    /// Participants whose displayed orders name them, by what name.
    std::map<ParticipantId, wire::itch::Mpid> attributed;
};

/// Whether ITCH can carry the prices, quantities and the symbol of this instrument, and may.
[[nodiscard]] bool is_published(const InstrumentDefinition& definition);

class ItchPublisher {
  public:
    ItchPublisher(const EngineConfig& config, ItchSettings settings);

    /// Goes on with the engine as it is, which is followed from here on, in a session that is under
    /// way or where there is none. Publishes nothing.
    void load(const Engine& engine, bool in_session);
    /// A session begins: system events, the directory, and all orders that are open.
    void begin_session(Timestamp time, MessageBlock& out);
    /// The day is over. Whatever happens until the next session is not published.
    void end_session(Timestamp time, MessageBlock& out);
    /// The session is gone without an end.
    void forget_session() { in_session_ = false; }
    /// Each command of the engine, before its events.
    void on_command(const Command& command) {
        loses_priority_ = has_flag(command, CommandFlags::k_lose_priority);
    }
    /// Each event of the engine, in order; of `load()`, which has the slice of events in it.
    void on_event(const Event& event, const CommandStamp& stamp, MessageBlock& out);

    /// What a client needs that comes now: the state of the system, the directory with trading
    /// states, and each displayed order in its priority. Nothing follows from it.
    void snapshot(Timestamp time, MessageBlock& out) const;

  private:
    /// An order as the public sees it.
    struct Shown {
        OrderId id{};  ///< of the engine
        std::uint64_t reference = 0;
        Price price{};
        Quantity quantity{};
        Quantity open{};  ///< with what is not displayed
        InstrumentId instrument{};
        Side side{};
    };
    struct Listed {
        wire::itch::Stock stock{};
        std::uint32_t scale = 0;  ///< of a price unit in 1/10,000; zero: it is not published
    };
    /// Begins each message.
    struct Header {
        std::uint16_t locate;
        std::uint16_t tracking;
        std::int64_t time_ns;
    };

    [[nodiscard]] Header header(InstrumentId instrument, const CommandStamp& stamp);
    [[nodiscard]] std::int64_t since_midnight(Timestamp time) const;
    [[nodiscard]] const Listed& listed(InstrumentId id) const;
    [[nodiscard]] std::uint32_t price_e4(const Shown& order, Price price) const;
    void list(InstrumentId id);
    void put_system_event(char code, Timestamp time, MessageBlock& out) const;
    void put_directory(InstrumentId id, const Header& header, MessageBlock& out) const;
    void put_state(InstrumentId id, const Header& header, MessageBlock& out) const;
    void put_order(const Shown& order, ParticipantId owner, const Header& header,
                   MessageBlock& out) const;
    void put_market(Timestamp time, MessageBlock& out) const;
    template <class F>
    void for_each_displayed(InstrumentId id, const F& f) const;

    void add(const Event& event, OrderId id, std::uint64_t reference, const Header& header,
             MessageBlock& out);
    void execute(const Event& event, const Header& header, MessageBlock& out);
    void reduce(std::uint32_t index, Quantity displayed, const Header& header, MessageBlock& out);
    void replace(const Event& event, const Header& header, MessageBlock& out);
    void insert(const Shown& order);
    void forget(std::uint32_t index);

    ItchSettings settings_;
    const Engine* engine_ = nullptr;
    std::uint32_t maximum_instruments_;
    std::vector<Listed> listed_;  ///< by instrument
    views::OrderTable<Shown> orders_;
    bool in_session_ = false;
    bool loses_priority_ = false;  ///< the command says so of an order that it replaces
    // The last midnight that was asked for, until the next:
    mutable Timestamp midnight_{};
    mutable Timestamp next_midnight_{};
};

}  // namespace damrak::feed
