// All gateways of one exchange, as the listener of its sequencer. The top byte of a session id
// names its gateway. The end of a command goes to the gateway that sent it; an event goes to all
// gateways, because it may concern an order of another one. Polled by one thread: a turn serves
// each open gateway, then the exchange.
//
// The gateways are a list of types (gateway/gateway.hpp), over which it folds without virtual
// calls; an event costs one call per gateway. The standard list is in
// standard_exchange/gateway_list.hpp.
#pragma once

#include <algorithm>
#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>

#include <damrak/exchange/detail/held_reports.hpp>
#include <damrak/gateway/gateway.hpp>
#include <damrak/gateway/participants.hpp>
#include <damrak/gateway/turn.hpp>
#include <damrak/sequencer/restart.hpp>
#include <damrak/telemetry/probe.hpp>

namespace damrak::exchange {

namespace detail {

/// Base class that is constructed before the gateways, which share it.
class GatewaysShared {
  protected:
    explicit GatewaysShared(const EngineConfig& engine) : participants_(engine) {}
    gateway::Participants participants_;
    telemetry::Probe probe_;
};

template <class D>
struct GatewayPlace {
    GatewayPlace(std::optional<typename D::Setup> setup, const gateway::House& house)
        : open(setup && setup->open) {
        if (setup) gateway.emplace(*std::move(setup), house);
    }
    std::optional<D> gateway;
    bool open;
    bool sleeper = false;    ///< it waits for all gateways
    bool signalled = false;  ///< its wake source has fired
};

}  // namespace detail

template <class Exchange, class... Ds>
class Gateways : private detail::GatewaysShared, private detail::GatewayPlace<Ds>... {
  public:
    /// A gateway without a setup does not exist; a closed one still gets events.
    explicit Gateways(const EngineConfig& engine, std::optional<typename Ds::Setup>... setups)
        : GatewaysShared(engine),
          detail::GatewayPlace<Ds>(std::move(setups),
                                   gateway::House{engine, participants_, probe_})... {
        static_assert((gateway::Gateway<Ds, Exchange> && ...));
        static_assert(are_distinct(std::array{Ds::k_gateway...}),
                      "each gateway has its own number");
        bool any = false;
        each_open([&](auto& place) { place.sleeper = !std::exchange(any, true); });
    }
    /// The same, with `setup_for(std::type_identity<D>)` for each.
    template <class SetupFor>
    [[nodiscard]] static Gateways make(const EngineConfig& engine, const SetupFor& setup_for) {
        return Gateways(engine, setup_for(std::type_identity<Ds>{})...);
    }
    Gateways(const Gateways&) = delete;
    Gateways& operator=(const Gateways&) = delete;
    ~Gateways() = default;

    /// Null if it does not exist.
    template <GatewayNumber number>
    [[nodiscard]] auto* gateway() {
        auto& there = place<At<number>>().gateway;
        return there ? &*there : nullptr;
    }
    template <GatewayNumber number>
    [[nodiscard]] const auto* gateway() const {
        const auto& there = place<At<number>>().gateway;
        return there ? &*there : nullptr;
    }
    template <GatewayNumber number>
    [[nodiscard]] bool is_open() const {
        return place<At<number>>().open;
    }
    // For the optional calls of a gateway:

    /// Calls f for each existing gateway.
    template <class F>
    void each(const F& f) {
        ((place<Ds>().gateway ? f(*place<Ds>().gateway) : void()), ...);
    }
    template <class F>
    void each(const F& f) const {
        ((place<Ds>().gateway ? f(*place<Ds>().gateway) : void()), ...);
    }
    /// The same for each that takes clients.
    template <class F>
    void each_with_clients(const F& f) {
        each_open([&f](auto& place) { f(*place.gateway); });
    }
    template <class F>
    void each_with_clients(const F& f) const {
        each_open([&f](const auto& place) { f(*place.gateway); });
    }
    /// Calls f(type, gateway) for each on the list; null where it does not exist.
    template <class F>
    void each_listed(const F& f) const {
        (f(std::type_identity<Ds>{}, place<Ds>().gateway ? &*place<Ds>().gateway : nullptr), ...);
    }

    /// Ports of the open gateways.
    [[nodiscard]] std::map<std::string, std::uint16_t> ports() const {
        std::map<std::string, std::uint16_t> ports;
        each_open([&](const auto& place) {
            ports.emplace(place.gateway->k_name, place.gateway->port());
        });
        return ports;
    }

    /// Applies to later logins at every gateway.
    void set_identities(gateway::Identities identities) {
        participants_.set_identities(std::move(identities));
    }
    /// The anonymous participants' share of the capacity, in percent.
    void set_anonymous_share(std::uint32_t percent) {
        participants_.set_anonymous_share(percent);
        each([&](auto& gateway) {
            if constexpr (requires { gateway.set_anonymous_share(percent); })
                gateway.set_anonymous_share(percent);
            // Where nobody is named nobody's connections are kept for others.
            if constexpr (requires { gateway.set_strangers_share(percent); })
                gateway.set_strangers_share(participants_.any_named() ? percent : 100);
        });
    }

    // Recovery, before attach():

    /// The gateways' orders, from an ExchangeState.
    template <class State>
    void take_over(const State& state) {
        (take_over_one<Ds>(state), ...);
    }
    void note_accounts(const Accounts& accounts) { accounts_ = &accounts; }

    /// Sets the exchange, which takes the commands and reports their events. Call it after
    /// recovery.
    void attach(Exchange& exchange) {
        turn_.attach(exchange);
        each([&](auto& gateway) { gateway.attach(exchange); });
        participants_.note_given_out(exchange.last_participant());
        if (accounts_ != nullptr) participants_.note_accounts(*accounts_);
        participants_.settle([this](ParticipantId id) {
            std::uint32_t orders = 0;
            each([&](auto& gateway) {
                if constexpr (requires { gateway.open_orders(id); })
                    orders += gateway.open_orders(id);
            });
            return orders;
        });
    }
    [[nodiscard]] std::expected<void, std::string> listen() {
        std::expected<void, std::string> listens;
        each_open([&](auto& place) {
            if (listens) listens = place.gateway->listen();
        });
        if (listens && !wake_up_sleeper())
            return std::unexpected{std::string{"cannot watch several gateways at once"}};
        return listens;
    }

    /// One turn; waits at most that long if there is nothing to do. Returns the number of messages.
    std::size_t do_work(int wait_ms) {
        // Answers that are not durable yet delay the next turn: the answers of a turn are made
        // durable together.
        if (answers_wait_ && !flush_durable()) {
            constexpr std::chrono::microseconds k_pause{20};
            if (wait_ms != 0) std::this_thread::sleep_for(k_pause);
            return 0;
        }
        std::size_t messages = poll(wait_ms);
        turn_.note_stopped(stopped());
        turn_.work(time());
        if (!reports_.empty()) release_reports(time());
        if constexpr (requires { turn_.exchange().take_released(); })
            messages += turn_.exchange().take_released();
        each([this, &messages](auto& gateway) {
            if constexpr (requires { messages += gateway.on_turn_end(time(), turn_.exchange()); })
                messages += gateway.on_turn_end(time(), turn_.exchange());
            else if constexpr (requires { gateway.on_turn_end(time(), turn_.exchange()); })
                gateway.on_turn_end(time(), turn_.exchange());
        });
        answers_wait_ = !flush_durable();
        probe_.on_turn(messages > 0);
        return messages;
    }
    /// How long what the exchange does from now on waits before the gateways hear of it.
    void delay_reports(std::int64_t delay_ns) { reports_.set(delay_ns); }
    /// When the sleeping gateway last received its input.
    [[nodiscard]] Timestamp time() {
        Timestamp time{};
        each_open([&](auto& place) {
            if (place.sleeper) time = place.gateway->time();
        });
        return time;
    }
    /// Sends what it can and ends every session; the last gateway first.
    void close() {
        reports_.set(0);
        if (!reports_.empty()) release_reports({std::numeric_limits<std::int64_t>::max()});
        int from_last = 0;  // an assignment evaluates its right side first
        ((close_one<Ds>(), from_last) = ... = 0);
    }

    [[nodiscard]] const gateway::Participants& participants() const { return participants_; }
    /// Counts, times and logs the gateways' work. Start it before the first turn.
    [[nodiscard]] telemetry::Probe& probe() { return probe_; }
    [[nodiscard]] const telemetry::Probe& probe() const { return probe_; }
    /// The exchange accepts no more commands.
    [[nodiscard]] bool stopped() const {
        return turn_.stopped() || ((place<Ds>().gateway && place<Ds>().gateway->stopped()) || ...);
    }

    // Interface of a listener:
    void on_durable() { probe_.on_durable(); }
    void on_event(const Event& event, const Origin& origin, const CommandStamp& stamp) {
        if (!reports_.holds()) [[likely]]
            return report(event, origin, stamp);
        reports_.add(event, origin, stamp);
        note_held_reports();
    }
    void on_command_end(const Origin& origin) {
        if (reports_.empty() || !reports_.add_end(origin)) report_end(origin);
    }
    void on_replayed(const Event& event, const Origin& origin) {
        each([&](auto& gateway) {
            if constexpr (requires { gateway.on_replayed(event, origin); })
                gateway.on_replayed(event, origin);
        });
    }

  private:
    void report(const Event& event, const Origin& origin, const CommandStamp& stamp) {
        probe_.on_event(event, origin, stamp);
        each([&](auto& gateway) { gateway.on_event(event, origin, stamp); });
        if (event.kind == EventKind::executed) participants_.note_traded(event.participant);
        if (event.kind == EventKind::day_ended && !event.instrument) participants_.end_day();
        if (event.command == CommandKind::release_participant) participants_.on_release(event);
        probe_.on_reported(origin);
    }
    void report_end(const Origin& origin) {
        const GatewayNumber asker = gateway_of(origin.session);
        each([&](auto& gateway) {
            if (gateway.k_gateway == asker) gateway.on_command_end(origin);
        });
    }
    void release_reports(Timestamp until) {
        reports_.release(
            until,
            [this](const Event& event, const Origin& origin, const CommandStamp& stamp) {
                report(event, origin, stamp);
            },
            [this](const Origin& origin) { report_end(origin); });
        note_held_reports();
    }
    void note_held_reports() {
        if constexpr (requires { turn_.exchange().note_held_reports(0, false); })
            turn_.exchange().note_held_reports(reports_.passed_position(), reports_.is_full());
    }

    template <GatewayNumber number, class D, class... Others>
    static auto at() {
        if constexpr (D::k_gateway == number)
            return std::type_identity<D>{};
        else
            return at<number, Others...>();
    }
    template <GatewayNumber number>
    using At = typename decltype(at<number, Ds...>())::type;

    static constexpr bool are_distinct(std::array<GatewayNumber, sizeof...(Ds)> numbers) {
        std::ranges::sort(numbers);
        return std::ranges::adjacent_find(numbers) == numbers.end();
    }
    template <class D>
    [[nodiscard]] detail::GatewayPlace<D>& place() {
        return *this;
    }
    template <class D>
    [[nodiscard]] const detail::GatewayPlace<D>& place() const {
        return *this;
    }
    /// Calls f for the place of each open gateway.
    template <class F>
    void each_open(const F& f) {
        ((place<Ds>().open ? f(place<Ds>()) : void()), ...);
    }
    template <class F>
    void each_open(const F& f) const {
        ((place<Ds>().open ? f(place<Ds>()) : void()), ...);
    }

    template <class D, class State>
    void take_over_one(const State& state) {
        if constexpr (requires { typename D::State; }) {
            const auto& known = state.template gateway<typename D::State>();
            if (auto& gateway = place<D>().gateway)
                sequencer::load_bytes(gateway->state(), sequencer::bytes_of(known));
            if constexpr (requires { D::each_participant(known, [](ParticipantId) {}); })
                D::each_participant(known,
                                    [this](ParticipantId id) { participants_.note_taken(id); });
        }
    }
    /// Polls the gateways. The first open one waits, and wakes up for the others.
    std::size_t poll(int wait_ms) {
        bool busy = turn_.exchange().awaits_answers() || !reports_.empty() ||
                    participants_.any_to_release();
        int patience = wait_ms;
        each_open([&](auto& place) { busy |= place.gateway->busy(); });
        each([&](auto& gateway) {
            if constexpr (requires { gateway.patience_ms(wait_ms); })
                patience = std::min(patience, gateway.patience_ms(wait_ms));
        });
        std::size_t messages = 0;
        each_open([&](auto& place) {
            if (place.sleeper) messages += place.gateway->poll(busy ? 0 : patience);
        });
        turn_.release(participants_, time());
        each_open([&](auto& place) {
            if (!place.sleeper &&
                (std::exchange(place.signalled, false) || place.gateway->is_due(time())))
                messages += place.gateway->poll(0);
        });
        return messages;
    }
    [[nodiscard]] bool wake_up_sleeper() {
        bool done = true;
        each_open([&](auto& first) {
            if (!first.sleeper) return;
            each_open([&](auto& other) {
                if (other.sleeper || !done) return;
                if constexpr (requires { first.gateway->wake_up_for(0, other.signalled); })
                    done =
                        first.gateway->wake_up_for(other.gateway->wake_source(), other.signalled);
                else
                    done = false;
            });
        });
        return done;
    }
    /// Sends the answers if they are durable. Returns false if some are not.
    [[nodiscard]] bool flush_durable() {
        return turn_.flush_durable(
            [this] { each_open([](auto& place) { place.gateway->flush(); }); });
    }
    template <class D>
    void close_one() {
        if (!place<D>().open) return;
        while (!flush_durable()) std::this_thread::yield();
        place<D>().gateway->close();
    }

    gateway::Turn<Exchange> turn_;
    HeldReports reports_;
    bool answers_wait_ = false;  ///< until they are durable
    const Accounts* accounts_ = nullptr;
};

}  // namespace damrak::exchange
