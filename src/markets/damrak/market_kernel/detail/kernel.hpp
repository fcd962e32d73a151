// The simulation behind market.hpp: the event queue, what is in flight, and the exchange.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/market_kernel/detail/due.hpp>
#include <damrak/market_kernel/detail/event_queue.hpp>
#include <damrak/market_kernel/detail/growing_pool.hpp>
#include <damrak/market_kernel/detail/public_side.hpp>
#include <damrak/market_kernel/detail/seat_access.hpp>
#include <damrak/market_kernel/market.hpp>
#include <damrak/sequencer/sequencer.hpp>
#include <damrak/venue/phase_clock.hpp>
#include <damrak/venue/supervisor.hpp>
#include <damrak/views/order_table.hpp>

namespace damrak::market_kernel::detail {

class Kernel {
  public:
    Kernel(MarketSetup setup, std::vector<MarketWatcher*> watchers, OptionalJournal journal);

    bool run_until(Timestamp end);
    void submit(const Command& command);
    void set_disconnected(ParticipantId id, bool is_out);
    void scale_latency(ParticipantId id, double factor) {
        seat(id).scale_latency(factor);
        most_data_ns_ = std::max(most_data_ns_, seat(id).most_data_ns());
    }

    // For the seats:
    [[nodiscard]] std::int64_t now_ns() const { return now_ns_; }
    void push(std::int64_t time_ns, std::uint32_t index, Due::Kind kind) {
        queue_.push({time_ns, index, kind});
    }
    void add_timer(std::int64_t time_ns, const Timer& timer) {
        push(time_ns, timers_.take(timer), Due::Kind::timer);
    }
    void send(const Message& message, std::int64_t arrival_ns);
    void set_delays(std::int64_t service_ns, std::int64_t taker_bump_ns);
    void subscribe(const Subscription& subscription);
    [[nodiscard]] views::OrderTable<OrderSlot>& slots() { return slots_; }
    /// A place whose order is gone is free again.
    void free_if_done(std::uint32_t slot);
    void follow_depth(InstrumentId instrument, std::uint32_t seat) {
        depth_followers_[instrument.value - 1].push_back(seat);
    }

    // Of the sequencer:
    void on_event(const Event& event, const Origin& origin, const CommandStamp& stamp);
    void on_command_end(const Origin& origin);
    void on_replayed(const Event& /*event*/, const Origin& /*origin*/) {}  // nothing is

    [[nodiscard]] SeatAccess& seat(ParticipantId id) { return *seats_[id.value - 1]; }
    [[nodiscard]] const Engine& engine() const { return sequencer_.engine(); }
    [[nodiscard]] std::uint64_t hash() const;

    MarketSetup setup;  ///< without its seats
    MarketCounts counts;
    std::vector<MarketFault> faults;
    std::vector<Account> accounts;
    std::vector<std::int64_t> positions;  ///< by participant, then instrument
    Fundamentals fundamentals;
    PublicSide public_side;

    [[nodiscard]] std::int64_t& position(ParticipantId id, InstrumentId instrument) {
        return positions[(id.value - 1) * setup.instruments.size() + instrument.value - 1];
    }
    [[nodiscard]] std::size_t participants() const { return seats_.size(); }

  private:
    using Sequencer = sequencer::Sequencer<Kernel, OptionalJournal>;

    void open();
    void open_venue();
    void lead_phases();
    void wake_supervisor();
    void step(const Due& due);
    void arrive(std::uint32_t index);
    void match(std::uint32_t index);
    bool submit(const Command& command, const Origin& origin);
    void enter(const Command& command);
    template <class F>
    void call(SeatAccess& seat, F&& f);
    void fault(SeatAccess& seat, std::string_view what);
    void withdraw(ParticipantId id);

    void take(const Event& event, const CommandStamp& stamp);
    void take_new_order(const Event& event, const CommandStamp& stamp);
    /// Returns the fee.
    std::int64_t take_fill(const Event& event);
    void report(std::uint32_t slot, const Event& event, Report::Kind kind,
                const CommandStamp& stamp, std::int64_t fee = 0);
    void leave_exchange(std::uint32_t slot);
    void make_room(InstrumentId instrument);
    void tell_subscribers(InstrumentId instrument, MarketNews news);
    void fold(const Event& event, const CommandStamp& stamp);

    std::vector<MarketWatcher*> watchers_;
    OptionalJournal journal_;
    Sequencer sequencer_;
    std::int64_t now_ns_;
    EventQueue<Due> queue_;
    GrowingPool<Message> messages_;
    GrowingPool<ReportInFlight> reports_;
    GrowingPool<Timer> timers_;
    GrowingPool<News> news_;
    std::vector<Subscription> subscriptions_;
    std::vector<std::vector<std::uint32_t>> subscribers_;      ///< by instrument: subscriptions
    std::vector<std::vector<std::uint32_t>> depth_followers_;  ///< by instrument: seats
    views::OrderTable<OrderSlot> slots_;
    std::vector<std::unique_ptr<SeatAccess>> seats_;
    std::uint32_t current_slot_ = 0;  ///< of the message that is being matched
    std::int64_t gateway_free_ns_;
    bool has_delays_;  ///< of the gateway; or had
    std::int64_t most_data_ns_ = 0;
    std::uint64_t hash_;
    std::optional<venue::PhaseClock> phase_clock_;
    std::optional<venue::Supervisor> supervisor_;
    std::int64_t supervised_ns_ = 0;  ///< when the supervisor is asked next
    bool has_failed_ = false;
};

}  // namespace damrak::market_kernel::detail
