// Participants of a market file at an exchange that runs: the same classes as in virtual time
// (market/market.hpp), each with a connection of its own to a gateway, and one view of the feed for
// all. Without I/O: the caller moves bytes and tells the time.
//
//   LiveMarket market{market_runs::make_setup(*file, seed), books};
//   for (…) market.connect(i, gateway);         a connection for each participant
//   loop: move bytes, market.step(now)       until withdraw() says that nothing is left
//
// The draws of a participant are those it has in virtual time with the same seed. One thread; a
// step costs a look at each connection, and what happened.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <damrak/live_participants/detail/live_seat.hpp>

namespace damrak::live_participants {

class LiveMarket {
  public:
    /// Latencies of the seats are those of the network; the setup's are not used. `books` must
    /// outlive the market.
    LiveMarket(market_kernel::MarketSetup setup, const client::FeedBooks& books);

    [[nodiscard]] std::size_t participants() const { return waiting_.size(); }
    [[nodiscard]] std::string name(std::size_t participant) const;
    /// Gives the participant its connection, which must outlive the market. All of them before the
    /// first step.
    void connect(std::size_t participant, client::TermGateway& gateway);

    /// A participant without connection sends nothing. All have one at first.
    void set_connected(std::size_t participant, bool is_connected) {
        seats_[participant]->is_connected = is_connected;
    }

    [[nodiscard]] const LiveView& view() const { return shared_.view; }
    /// Handles what came, and timers that are due; the first step whose view is complete starts
    /// the participants. Time never decreases.
    void step(Timestamp now);
    [[nodiscard]] bool has_started() const { return has_started_; }
    /// Empty: nobody waits for a time.
    [[nodiscard]] std::optional<Timestamp> next_timer() const;

    /// Nobody acts any more, and open orders are cancelled; true when none are left. In turns with
    /// step().
    [[nodiscard]] bool withdraw();

    /// What participants did wrong, in words; who did is isolated.
    [[nodiscard]] const std::vector<std::string>& faults() const { return faults_; }
    [[nodiscard]] std::uint64_t orders_sent() const;
    [[nodiscard]] std::uint64_t trades() const;

  private:
    template <class F>
    void guarded(LiveSeat& seat, F&& call);

    SharedMarket shared_;
    std::vector<market_kernel::Seat> waiting_;  ///< for their connection
    std::vector<std::unique_ptr<LiveSeat>> seats_;
    std::vector<client::TermGateway*> gateways_;
    std::vector<std::string> names_;
    std::vector<std::string> faults_;
    bool has_started_ = false;
    bool is_leaving_ = false;
};

}  // namespace damrak::live_participants
