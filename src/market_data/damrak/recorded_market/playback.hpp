// A recorded day as the orders of one participant: the next due command, and the results of earlier
// ones.
//
// The order of a message is entered, cancelled or replaced; a trade becomes a recorded_trade (rule
// book, section 12). Each recorded reference maps to the engine's order id, which the answer to the
// entry gives; a command that needs an answer waits for it. Where an answer differs from the
// recording, it counts as drift. The commands depend only on the day and the answers, so a restart
// plays the same ones.
//
// One thread, that of the gateways; drift() from any. O(1) a message; the table of orders is as
// large as the engine's.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <damrak/archive/day.hpp>
#include <damrak/domain/command.hpp>
#include <damrak/domain/event.hpp>
#include <damrak/domain/origin.hpp>
#include <damrak/domain/reason.hpp>
#include <damrak/feed/itch/recording.hpp>
#include <damrak/recorded_market/detail/leftovers.hpp>
#include <damrak/recorded_market/drift.hpp>
#include <damrak/recorded_market/open_orders.hpp>
#include <damrak/recorded_market/recorded_messages.hpp>
#include <damrak/views/order_table.hpp>

namespace damrak::recorded_market {

inline constexpr GatewayNumber k_playback_gateway{4};

/// A command of the record, and when it is due.
struct Due {
    Command command{};
    std::uint64_t sequence = 0;  ///< of the message, see Recorded
    std::int64_t time_ns = 0;    ///< of the message
};

class Playback {
  public:
    /// The day must outlive it.
    Playback(RecordedMessages messages, ParticipantId participant, std::uint32_t maximum_orders,
             std::uint32_t maximum_instruments);

    /// The next command with a time up to this one. Nothing if none is due or an answer is pending.
    [[nodiscard]] std::optional<Due> next(std::int64_t until_ns);
    void on_event(const Event& event, const Origin& origin);
    void on_command_end(const Origin& origin);

    /// The instrument is halted by others than the recording: its messages wait for release().
    void hold(InstrumentId instrument);
    /// The messages that waited are played next, at the time of the caller.
    void release(InstrumentId instrument);
    /// By the recording.
    [[nodiscard]] bool is_halted(InstrumentId instrument) const;

    /// Time of the next message; nothing at the end.
    [[nodiscard]] std::optional<std::int64_t> next_time_ns();
    /// Every message was played and answered.
    [[nodiscard]] bool is_over();
    [[nodiscard]] const archive::Completeness& completeness() const {
        return messages_.completeness();
    }
    [[nodiscard]] ParticipantId participant() const { return participant_; }
    /// The recorded orders in the market. Any thread.
    [[nodiscard]] const OpenOrders& open_orders() const { return open_; }
    [[nodiscard]] Drift& drift() { return drift_; }
    [[nodiscard]] const Drift& drift() const { return drift_; }

    /// Origin of the commands of a playback.
    [[nodiscard]] static Origin origin_of(const Due& due) {
        return {.session = session_at(k_playback_gateway, 1), .inbound_sequence = due.sequence};
    }
    [[nodiscard]] static bool is_own(const Origin& origin) {
        return gateway_of(origin.session) == k_playback_gateway && origin.session;
    }

  private:
    enum class Standing : std::uint8_t { asked, open, gone };
    /// An order of the recording:
    struct Played {
        OrderId id{};  ///< the recorded reference
        OrderId engine_id{};
        std::uint32_t price_e4 = 0;
        std::uint32_t shares = 0;  ///< open in the recording
        Side side{};
        Standing standing{};
    };
    /// A command without its answer yet:
    struct Asked {
        Due due{};
        std::uint32_t order = 0;     ///< index in the table; zero: none
        bool ends_order = false;     ///< the recording ends the order
        std::uint32_t expected = 0;  ///< quantity to display, cancel or trade
        Quantity displayed{};        ///< of the order, after its entry
        Quantity done{};             ///< cancelled, or traded with the order
        Quantity left{};             ///< of the order, open after that
        Quantity taken{};            ///< traded with clients
        Reason refused = Reason::none;
    };

    struct Player;
    [[nodiscard]] const Recorded* front();
    void pop();
    /// Returns whether the message is done. False: its order awaits an answer, or another command
    /// comes first.
    bool play(const Recorded& recorded);
    bool add(const Recorded& recorded, std::uint64_t reference, Side side, std::uint32_t shares,
             std::uint32_t price_e4);
    bool execute(const Recorded& recorded, std::uint64_t reference, std::uint32_t shares,
                 std::optional<std::uint32_t> price_e4);
    bool reduce(const Recorded& recorded, std::uint64_t reference, std::uint32_t shares);
    bool replace(const Recorded& recorded, const wire::itch::OrderReplace& message);
    void trade_unseen(const Recorded& recorded, const wire::itch::Trade& message);
    bool set_state(const Recorded& recorded, char state);
    /// Withdraws a leftover that an order entered now would trade with. False: the order must wait
    /// for that.
    [[nodiscard]] bool has_way(const Recorded& recorded, Side side, std::uint32_t price_e4);
    [[nodiscard]] Asked asking(const Recorded& recorded, CommandKind kind) const;
    void ask(Asked asked);
    void settle(const Asked& asked);
    void settle_entry(const Asked& asked);
    void settle_cancel(const Asked& asked);
    void settle_trade(const Asked& asked);
    void forget(std::uint32_t order);
    void note_trade(const Event& event);
    void note_reveal(const Event& event, const Asked& asked);

    RecordedMessages messages_;
    ParticipantId participant_;
    views::OrderTable<Played> orders_;
    OpenOrders open_;
    Drift drift_;
    std::optional<Due> due_;
    std::deque<Asked> asked_;
    /// Messages of halted instruments, until these trade again.
    std::map<std::uint16_t, std::deque<Recorded>> halted_;
    std::map<std::uint16_t, std::deque<Recorded>> held_;  ///< until release()
    std::deque<Recorded> resumed_;
    bool front_is_resumed_ = false;
    Leftovers leftovers_;
    Event resting_{};  ///< of the trade that is being reported
};

}  // namespace damrak::recorded_market
