// One FIX client of a load run, without sockets: maintains a window of outstanding requests, tracks
// its orders by their reports, and times every answer. It uses a complete Damrak session, so the
// latency is what a client of this library sees.
//
// Called by the threads of `damrak load` and by tests, as LoadClient is; one thread per client.
// Nothing is allocated after construction. A request costs its encoding; an answer costs its
// decoding and a search of the client's live orders.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/base/random.hpp>
#include <damrak/client/detail/load_draws.hpp>
#include <damrak/client/load_settings.hpp>
#include <damrak/fix_codec/encode_template.hpp>
#include <damrak/session/fix/memory_store.hpp>
#include <damrak/session/fix/session.hpp>

namespace damrak::client {

class FixLoadClient {
  public:
    using Session = session::fix::Session<FixLoadClient, session::fix::MemoryStore>;
    using Message = fix_codec::Message;

    static constexpr std::size_t k_largest_request_bytes = 768;
    /// Size of the largest answer to a logon.
    static constexpr std::size_t k_largest_answer_bytes = 1'024;

    /// As for LoadClient::receive(), without the fault.
    struct Heard {
        std::size_t consumed_bytes = 0;
        std::size_t messages = 0;
    };

    /// `number`, from 1, selects the comp id and this client's own random stream. Both references
    /// are kept.
    FixLoadClient(const LoadSettings& settings, LoadTally& tally, std::uint64_t number);
    FixLoadClient(const FixLoadClient&) = delete;
    FixLoadClient& operator=(const FixLoadClient&) = delete;

    /// Writes the Logon, at the load's clock; its answer arrives through receive().
    std::size_t hello(std::span<std::byte> to, std::int64_t now_ns);
    [[nodiscard]] bool logged_in() const { return session_.logged_on(); }

    /// Writes one request, timed from `from_ns`, after pending output of the session. Writes
    /// nothing and returns zero if the window is full, no order is available for a cancel, or the
    /// client has ended. The memory must hold k_largest_request_bytes.
    std::size_t request(std::span<std::byte> to, std::int64_t from_ns);
    /// Writes the session's pending output when nothing else was sent for a while; zero if there is
    /// none.
    std::size_t heartbeat(std::span<std::byte> to, std::int64_t now_ns);
    Heard receive(std::span<const std::byte> bytes, std::int64_t now_ns);

    /// From now on requests only cancel live orders, and then log out.
    void end() { ending_ = true; }
    [[nodiscard]] bool ended() const { return session_.ended() != session::fix::Ended::no; }
    /// The session ended unexpectedly: nothing more can be received.
    [[nodiscard]] bool broken() const { return ended() && !leaving_; }
    /// Records missing answers when nothing more can arrive.
    void close();

    [[nodiscard]] std::uint32_t outstanding() const { return outstanding_; }
    [[nodiscard]] std::size_t live_orders() const { return live_.size(); }

    // Called by the session.
    void on_logon(Session& /*session*/) {}
    void on_logout(Session& /*session*/, session::fix::Ended /*why*/, std::string_view /*text*/) {}
    session::fix::Reply on_message(Session& session, const Message& message);
    void on_admin(Session& session, const Message& message);

  private:
    /// A request that waits for its answer. It is in a ring by its number, which counts from 1; its
    /// ClOrdID is that number plus names_from_.
    struct Asked {
        std::int64_t from_ns = 0;
        std::uint64_t name = 0;  ///< zero: this entry is free
        std::uint64_t order = 0;
        std::uint64_t sequence = 0;
        std::uint32_t price_e2 = 0;  ///< zero: a market order
        RequestKind kind{};
        std::uint8_t side = 0;
    };
    struct LiveOrder {
        std::uint64_t name = 0;  ///< the last accepted ClOrdID
        std::int64_t filled = 0;
        std::int64_t price_e2 = 0;
        std::uint8_t side = 0;
        bool asked = false;  ///< a cancel or replace of it is outstanding
    };

    /// Prepared messages of the requests.
    struct Templates {
        Templates(const session::fix::SessionSettings& session, const std::string& symbol);

        fix_codec::MessageTemplate limit;
        fix_codec::MessageTemplate market;
        fix_codec::MessageTemplate cancel;
        fix_codec::MessageTemplate replace;
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
    void send(const fix_codec::MessageTemplate& request, Asked& asked, Fill&& fill);
    std::size_t take_output(std::span<std::byte> to);

    /// The number of the request that a message concerns; zero: not of this run.
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
    std::uint8_t last_side_ = LoadDraws::k_buy;  ///< of that order
    std::uint32_t outstanding_ = 0;
    std::uint32_t outstanding_new_ = 0;
    std::vector<LiveOrder> live_;
    std::size_t live_limit_;
    std::int64_t clock_offset_ns_;  ///< from calendar time to the load's clock
    /// Microseconds of calendar time, as the exchange may know the ids of earlier runs.
    std::uint64_t names_from_;
    std::int64_t now_ns_ = 0;
    Timestamp last_time_{};
    bool ending_ = false;
    bool leaving_ = false;
};

}  // namespace damrak::client
