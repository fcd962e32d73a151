// One FIX client of a load run, without sockets: keeps a window of requests outstanding, follows
// its own orders by their reports, and times every answer. A whole session of ours is below it, so
// that what is measured is what a client with this library sees.
//
// Called by the threads of `damrak load` and by tests, as LoadClient is; one thread a client.
// Nothing is allocated after construction. A request costs its encoding, an answer its decoding and
// a look at the client's live orders.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/base/random.hpp>
#include <damrak/client/load_draws.hpp>
#include <damrak/client/load_settings.hpp>
#include <damrak/session/fix/memory_store.hpp>
#include <damrak/session/fix/session.hpp>
#include <damrak/wire/fix/encode_template.hpp>

namespace damrak::client {

class FixLoadClient {
  public:
    using Session = session::fix::Session<FixLoadClient, session::fix::MemoryStore>;
    using Message = wire::fix::Message;

    static constexpr std::size_t k_largest_request_bytes = 768;
    /// That are heard in the answer to a logon.
    static constexpr std::size_t k_largest_answer_bytes = 1'024;

    /// As LoadClient::receive() does, but for the fault.
    struct Heard {
        std::size_t consumed_bytes = 0;
        std::size_t messages = 0;
    };

    /// `number`, from 1, chooses the comp id and this client's own stream of the seed. Both
    /// references are kept.
    FixLoadClient(const LoadSettings& settings, LoadTally& tally, std::uint64_t number);
    FixLoadClient(const FixLoadClient&) = delete;
    FixLoadClient& operator=(const FixLoadClient&) = delete;

    /// The Logon, at the load's own clock; its answer is heard like any other.
    std::size_t hello(std::span<std::byte> to, std::int64_t now_ns);
    [[nodiscard]] bool logged_in() const { return session_.logged_on(); }

    /// Writes one request, timed from `from_ns`, behind what the session had to say itself; nothing
    /// and zero if the window is full, no order is known yet that a cancel could name, or the
    /// client has ended. The memory must take k_largest_request_bytes.
    std::size_t request(std::span<std::byte> to, std::int64_t from_ns);
    /// What the session has to say, now that nothing else was for a while; zero for nothing.
    std::size_t heartbeat(std::span<std::byte> to, std::int64_t now_ns);
    Heard receive(std::span<const std::byte> bytes, std::int64_t now_ns);

    /// From now on requests only cancel what is live, and then log out.
    void end() { ending_ = true; }
    [[nodiscard]] bool ended() const { return session_.ended() != session::fix::Ended::no; }
    /// The session ended in another way than was asked for: nothing can be heard any more.
    [[nodiscard]] bool broken() const { return ended() && !leaving_; }
    /// Tells what is missing when nothing more can come.
    void close();

    [[nodiscard]] std::uint32_t outstanding() const { return outstanding_; }
    [[nodiscard]] std::size_t live_orders() const { return live_.size(); }

    // What the session calls.
    void on_logon(Session& /*session*/) {}
    void on_logout(Session& /*session*/, session::fix::Ended /*why*/, std::string_view /*text*/) {}
    session::fix::Reply on_message(Session& session, const Message& message);
    void on_admin(Session& session, const Message& message);

  private:
    /// A request that waits for its answer; in a ring by its name, which counts from 1 and is added
    /// to names_from_ for its ClOrdID.
    struct Asked {
        std::int64_t from_ns = 0;
        std::uint64_t name = 0;  ///< zero: this place is free
        std::uint64_t order = 0;
        std::uint64_t sequence = 0;
        std::uint32_t price_e2 = 0;  ///< zero: a market order
        RequestKind kind{};
        std::uint8_t side = 0;
    };
    struct LiveOrder {
        std::uint64_t name = 0;  ///< the last ClOrdID that was accepted
        std::int64_t filled = 0;
        std::int64_t price_e2 = 0;
        std::uint8_t side = 0;
        bool asked = false;  ///< a cancel or replace of it is on its way
    };

    /// Of the requests.
    struct Templates {
        Templates(const session::fix::SessionSettings& session, const std::string& symbol);

        wire::fix::MessageTemplate limit;
        wire::fix::MessageTemplate market;
        wire::fix::MessageTemplate cancel;
        wire::fix::MessageTemplate replace;
    };

    [[nodiscard]] Timestamp time_of(std::int64_t load_ns) const {
        return Timestamp{load_ns + clock_offset_ns_};
    }
    [[nodiscard]] LiveOrder* find(std::uint64_t name);
    void remove(LiveOrder& order);
    [[nodiscard]] bool ask(std::int64_t from_ns);
    [[nodiscard]] bool ask_drawn(Asked& asked);
    void ask_new(Asked& asked);
    void ask_cancel(Asked& asked, const LiveOrder* order);
    void ask_replace(Asked& asked, const LiveOrder* order);
    template <class Fill>
    void send(const wire::fix::MessageTemplate& request, Asked& asked, Fill&& fill);
    std::size_t take_output(std::span<std::byte> to);

    /// Of the request that a message is about; zero: none of this run.
    [[nodiscard]] std::uint64_t name_in(const Message& message) const;
    [[nodiscard]] Asked* asked_as(std::uint64_t name);
    [[nodiscard]] Asked answered(Asked& asked);
    void on_report(const Message& report);
    /// Under --verify.
    void check_report(const Message& report, std::uint64_t name, bool trade);
    void violation(std::string_view rule);
    void on_cancel_reject(const Message& reject);
    void follow(const Message& report, std::uint64_t name, const Asked* asked);
    void refused(std::uint64_t sequence, const Message& message, std::string_view what);

    const LoadSettings* settings_;
    LoadTally* tally_;
    std::uint64_t number_;
    session::fix::SessionTools tools_{256, std::size_t{1} << 13U};
    session::fix::SessionSettings session_settings_;
    Templates templates_;
    session::fix::MemoryStore store_;
    std::vector<std::byte> memory_;
    session::OutputBuffer out_;
    Session session_;
    LoadDraws draws_;
    RandomStream choice_;
    std::vector<Asked> window_;
    std::uint64_t last_name_ = 0;
    std::uint64_t last_accepted_ = 0;
    std::uint8_t last_side_ = LoadDraws::k_buy;  ///< of that one
    std::uint32_t outstanding_ = 0;
    std::uint32_t outstanding_new_ = 0;
    std::vector<LiveOrder> live_;
    std::size_t live_limit_;
    std::int64_t clock_offset_ns_;  ///< of the calendar to the load's clock
    /// The microseconds of the calendar: the exchange may know the names of earlier runs.
    std::uint64_t names_from_;
    std::int64_t now_ns_ = 0;
    Timestamp last_time_{};
    bool ending_ = false;
    bool leaving_ = false;
};

}  // namespace damrak::client
