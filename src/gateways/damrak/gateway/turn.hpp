// One turn of all gateways of an exchange: reports are sent only once they are durable, and
// participants without a client are released. Owned by exchange::Gateways, its thread alone. Checks
// the journal once a turn; costs nothing per message.
#pragma once

#include <cstddef>

#include <damrak/domain/command.hpp>
#include <damrak/domain/event.hpp>
#include <damrak/gateway/exchange_side.hpp>
#include <damrak/gateway/participants.hpp>
#include <damrak/journal/writer.hpp>

namespace damrak::gateway {

template <class Exchange>
class Turn {
  public:
    void attach(Exchange& exchange) {
        static_assert(ExchangeSide<Exchange>);
        exchange_ = &exchange;
    }
    [[nodiscard]] Exchange& exchange() { return *exchange_; }
    /// The exchange accepts no more commands.
    [[nodiscard]] bool stopped() const { return stopped_; }
    void note_stopped(bool stopped) { stopped_ |= stopped; }

    /// Asks the exchange to release participants without a client.
    void release(Participants& participants, Timestamp now) {
        for (std::size_t i = 0; i < k_releases && !stopped_ && exchange_->ready(); ++i) {
            Command command{};
            command.kind = CommandKind::release_participant;
            command.flags = CommandFlags::k_write_off;
            command.participant = participants.next_to_release();
            if (!command.participant) return;
            stopped_ |= !exchange_->submit(command, {}, now);
        }
    }
    /// Lets the exchange do its due work and report events.
    void work(Timestamp now) {
        if (!stopped_) stopped_ |= !exchange_->do_work(now);
    }
    /// Calls `flush` if all reports are durable, as nothing may be sent earlier. Returns false if
    /// some are not durable yet.
    template <class Flush>
    [[nodiscard]] bool flush_durable(Flush&& flush) {
        const journal::DurableState kept = exchange_->durable_state();
        stopped_ |= kept == journal::DurableState::refused;
        if (kept != journal::DurableState::all) return stopped_;
        flush();
        return true;
    }

  private:
    /// Per turn: each costs about as much as an order.
    static constexpr std::size_t k_releases = 16;

    Exchange* exchange_ = nullptr;
    bool stopped_ = false;
};

}  // namespace damrak::gateway
