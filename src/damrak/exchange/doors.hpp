// All doors of one exchange, as the one listener that its sequencer has. The door of a session is
// in the top byte of its id; an answer goes to the door that asked, what happens to an order also
// to the door it came in by. Polled by one thread: a turn serves each open door, and then the
// exchange.
//
// A class template over the network and the exchange, as BinaryGateway, over the store of FIX
// messages, and over the path of datagrams. Nothing is called through a pointer; where nobody
// trades by FIX or UDP, an event costs three comparisons more than with the binary door alone.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <functional>
#include <optional>
#include <string>
#include <thread>
#include <utility>

#include <damrak/binary_gateway/binary_gateway.hpp>
#include <damrak/fix_gateway/fix_gateway.hpp>
#include <damrak/gateway/participants.hpp>
#include <damrak/sequencer/restart.hpp>
#include <damrak/udp_gateway/udp_gateway.hpp>

namespace damrak::exchange {

struct DoorsConfig {
    gateway::BinaryGatewayConfig binary{};
    gateway::FixGatewayConfig fix{};
    gateway::FixApplicationConfig application{};
    gateway::UdpGatewayConfig udp{};
    bool binary_open = true;
    bool fix_open = true;
    bool udp_open = false;
};

/// The FIX door has a network of its own where it has TLS.
template <class Network, class Exchange, class Store, class Path, class FixNetwork = Network>
class Doors {
  public:
    using Binary = gateway::BinaryGateway<Network, Exchange>;
    using Fix = gateway::FixGateway<FixNetwork, Exchange, Store>;
    using Application = gateway::FixApplication<Exchange, Store>;
    using Udp = gateway::UdpGateway<Path, Network, Exchange>;
    using OpenPath = std::function<std::expected<Path, std::string>()>;

    Doors(DoorsConfig config, const EngineConfig& engine, typename Application::Storing storing,
          OpenPath open_path, Network binary_network = {}, FixNetwork fix_network = {})
        : binary_open_(config.binary_open),
          fix_open_(config.fix_open),
          participants_(engine),
          binary_(std::move(config.binary), engine, participants_, std::move(binary_network)),
          application_(std::move(config.application), engine, participants_, std::move(storing)),
          fix_(std::move(config.fix), application_, std::move(fix_network)),
          open_path_(std::move(open_path)) {
        application_.measure(binary_.probe());
        if (config.udp_open)
            udp_.emplace(std::move(config.udp), engine, participants_, binary_.probe(),
                         binary_.network());
    }

    /// For logins from now on, at every door.
    void set_identities(gateway::Identities identities) {
        participants_.set_identities(std::move(identities));
    }
    /// How many participants those without a name may be, in percent of the capacity.
    void set_anonymous_share(std::uint32_t percent) { participants_.set_anonymous_share(percent); }
    /// FIX clients of earlier days are known again, and what happens to their orders is kept for
    /// them, whether or not the door is open. Before anything else; not where there never were any.
    [[nodiscard]] std::expected<void, std::string> open_application(journal::FileSystem& files,
                                                                    Timestamp now) {
        has_application_ = true;
        return application_.open(files, now);
    }
    /// Who takes the commands and tells their events. Once its state was taken over.
    void attach(Exchange& exchange) {
        exchange_ = &exchange;
        binary_.attach(exchange);
        fix_.attach(exchange);
        if (has_application_) application_.attach(exchange);
        if (udp_) udp_->attach(exchange);
        if (accounts_ != nullptr) participants_.note_accounts(*accounts_);
        participants_.settle([this](ParticipantId id) { return binary_.names().open_orders(id); });
    }
    // Of what was taken over, before attach():

    /// What the doors know of their orders, from an ExchangeState.
    template <class State>
    void take_over(const State& state) {
        using sequencer::bytes_of;
        sequencer::load_bytes(binary_.names(),
                              bytes_of(state.template door<gateway::OrderNames>()));
        sequencer::load_bytes(application_.orders(),
                              bytes_of(state.template door<gateway::FixOrders>()));
        if (udp_)
            sequencer::load_bytes(udp_->clients(),
                                  bytes_of(state.template door<gateway::UdpClients>()));
    }

    /// This one is somebody's who may come back, also if it is by a door that is closed now.
    void note_taken(ParticipantId id) { participants_.note_taken(id); }
    void note_accounts(const Accounts& accounts) { accounts_ = &accounts; }
    [[nodiscard]] std::expected<void, std::string> listen() {
        if (binary_open_)
            if (auto listens = binary_.listen(); !listens) return listens;
        if (fix_open_)
            if (auto listens = fix_.listen(); !listens) return listens;
        if (udp_) {
            auto path = open_path_();
            if (!path) return std::unexpected{std::move(path.error())};
            udp_->open(*std::move(path));
        }
        if (!watch_each_other())
            return std::unexpected{std::string{"cannot watch several doors at once"}};
        return {};
    }

    /// One turn; waits for at most that long if there is nothing to do. Returns the messages.
    std::size_t do_work(int wait_ms) {
        if (!has_application_ && !udp_) return binary_.do_work(wait_ms);
        if (answers_wait_ && !flush_durable()) {
            constexpr std::chrono::microseconds k_pause{20};
            if (wait_ms != 0) std::this_thread::sleep_for(k_pause);
            return 0;
        }
        const std::size_t messages = poll(wait_ms);
        stopped_ |= application_.stopped() || binary_.stopped() || (udp_ && udp_->stopped());
        if (!stopped_ && !exchange_->do_work(time())) stopped_ = true;
        if (has_application_) {
            application_.tell_market(time());
            application_.note_reported(exchange_->reported_position());
        }
        answers_wait_ = !flush_durable();
        return binary_.end_turn(messages);
    }
    /// Sends what can be sent and ends every session.
    void close() {
        while (!flush_durable()) std::this_thread::yield();
        if (fix_open_) fix_.close();
        if (binary_open_) binary_.close();
        if (udp_) udp_->close();
    }

    [[nodiscard]] const gateway::Participants& participants() const { return participants_; }
    [[nodiscard]] bool stopped() const { return stopped_ || binary_.stopped(); }
    [[nodiscard]] Binary& binary() { return binary_; }
    [[nodiscard]] const Binary& binary() const { return binary_; }
    [[nodiscard]] Fix& fix() { return fix_; }
    [[nodiscard]] const Fix& fix() const { return fix_; }
    [[nodiscard]] Application& application() { return application_; }
    [[nodiscard]] const Application& application() const { return application_; }
    /// Null while the door is closed.
    [[nodiscard]] Udp* udp() { return udp_ ? &*udp_ : nullptr; }
    [[nodiscard]] const Udp* udp() const { return udp_ ? &*udp_ : nullptr; }
    [[nodiscard]] bool fix_open() const { return fix_open_; }
    [[nodiscard]] bool has_application() const { return has_application_; }

    // Of a listener.
    void on_durable() { binary_.on_durable(); }
    void on_event(const Event& event, const Origin& origin, const CommandStamp& stamp) {
        binary_.on_event(event, origin, stamp);
        if (has_application_) application_.on_event(event, origin, stamp);
        if (udp_) udp_->on_event(event, origin, stamp);
        if (has_application_ || udp_) binary_.probe().on_reported(origin);
    }
    void on_command_end(const Origin& origin) {
        switch (door_of(origin.session)) {
            case Door::binary:
                return binary_.on_command_end(origin);
            case Door::fix:
                return application_.on_command_end(origin);
            case Door::udp:
                if (udp_) udp_->on_command_end(origin);
        }
    }
    void on_replayed(const Event& event, const Origin& origin) {
        binary_.on_replayed(event, origin);
    }

  private:
    /// Takes what came at any door. The first that is open waits, and wakes up for the others.
    std::size_t poll(int wait_ms) {
        const bool busy = fix_.busy() || (udp_ && udp_->busy()) || exchange_->awaits_answers();
        // Who waits for the disk waits no longer than for that.
        const int most_ms = application_.sessions().awaits_disk() ? 1 : wait_ms;
        const int patience = busy ? 0 : std::min(wait_ms, most_ms);
        std::size_t messages = 0;
        if (binary_open_) {
            messages += binary_.poll(patience);
        } else if (fix_open_) {
            messages += fix_.poll(patience);
        } else if (udp_) {
            messages += udp_->poll(patience);
        }
        if (!binary_open_) {
            binary_.release_participants(time());
            if (!fix_open_) return messages;
        }
        if (binary_open_ && fix_open_ &&
            (std::exchange(fix_signalled_, false) || fix_.is_due(binary_.time())))
            messages += fix_.poll(0);
        if (udp_ && (std::exchange(udp_signalled_, false) || udp_->is_due(time())))
            messages += udp_->poll(0);
        return messages;
    }
    /// When the one that waits was done.
    [[nodiscard]] Timestamp time() const {
        if (binary_open_) return binary_.time();
        return fix_open_ ? fix_.time() : udp_->time();
    }
    [[nodiscard]] bool watch_each_other() {
        if (binary_open_ && fix_open_ && !binary_.wake_up_for(fix_.network(), fix_signalled_))
            return false;
        if (!udp_) return true;
        if (binary_open_) return binary_.wake_up_for(udp_->path().descriptor(), udp_signalled_);
        return !fix_open_ || fix_.wake_up_for(udp_->path().descriptor(), udp_signalled_);
    }
    /// Nothing is told before it is kept. False: some of it is not, yet.
    [[nodiscard]] bool flush_durable() {
        if (!binary_.flush_durable()) return false;
        if (exchange_->durable_state() == journal::DurableState::all) {
            if (fix_open_) fix_.flush();
            if (udp_) udp_->flush();
        }
        stopped_ |= binary_.stopped();
        return true;
    }

    bool binary_open_;
    bool fix_open_;
    bool has_application_ = false;
    bool fix_signalled_ = false;
    bool udp_signalled_ = false;
    bool answers_wait_ = false;  ///< for the disk
    bool stopped_ = false;
    Exchange* exchange_ = nullptr;
    const Accounts* accounts_ = nullptr;
    gateway::Participants participants_;
    Binary binary_;
    Application application_;
    Fix fix_;
    OpenPath open_path_;
    std::optional<Udp> udp_;
};

}  // namespace damrak::exchange
