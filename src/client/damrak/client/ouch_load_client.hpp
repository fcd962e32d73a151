// One OUCH 5.0 client of a load run, without sockets: maintains a window of outstanding requests,
// tracks its orders by the exchange's messages, and times every answer.
//
// Called by the threads of `damrak load` and by tests, as LoadClient is; one thread per client.
// Nothing is allocated after construction. A request costs its encoding; an answer its decoding and
// a search of the client's outstanding requests and live orders.
//
// OUCH does not answer a cancel or replace of an order that has ended. The execution or cancel that
// ended it counts as the answer: the request was too late.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <damrak/base/random.hpp>
#include <damrak/client/detail/load_draws.hpp>
#include <damrak/client/load_settings.hpp>
#include <damrak/wire/ouch/messages_v50.hpp>
#include <damrak/wire/ouch/text.hpp>
#include <damrak/wire/soupbin/packets.hpp>

namespace damrak::client {

class OuchLoadClient {
  public:
    static constexpr std::size_t k_largest_request_bytes = 128;
    /// Size of the largest answer to a login.
    static constexpr std::size_t k_largest_answer_bytes = 512;

    /// As for LoadClient::receive(), without the fault.
    struct Heard {
        std::size_t consumed_bytes = 0;
        std::size_t messages = 0;  ///< zero until the login is complete
    };

    /// `number`, from 1, selects the user (L00001) and this client's own random stream. Both
    /// references are kept.
    OuchLoadClient(const LoadSettings& settings, LoadTally& tally, std::uint64_t number);
    OuchLoadClient(const OuchLoadClient&) = delete;
    OuchLoadClient& operator=(const OuchLoadClient&) = delete;

    /// Writes the login and a query for the first free reference: earlier runs of the day used
    /// some.
    std::size_t hello(std::span<std::byte> to, std::int64_t now_ns);
    [[nodiscard]] bool logged_in() const { return next_reference_ != 0; }

    /// Writes one request, timed from `from_ns`. Writes nothing and returns zero if the window is
    /// full, no order is available for a cancel while answers are outstanding, or the client has
    /// ended. The memory must hold k_largest_request_bytes.
    std::size_t request(std::span<std::byte> to, std::int64_t from_ns);
    std::size_t heartbeat(std::span<std::byte> to, std::int64_t now_ns);
    Heard receive(std::span<const std::byte> bytes, std::int64_t now_ns);

    /// From now on requests only cancel live orders, and then log out.
    void end() { ending_ = true; }
    [[nodiscard]] bool ended() const { return ended_; }
    /// The login was rejected, or the stream cannot be read.
    [[nodiscard]] bool broken() const { return broken_; }
    /// Records missing answers when nothing more can arrive.
    void close();

    [[nodiscard]] std::uint32_t outstanding() const {
        return static_cast<std::uint32_t>(asked_.size());
    }
    [[nodiscard]] std::size_t live_orders() const { return live_.size(); }

  private:
    /// A request that waits for its answer.
    struct Asked {
        std::int64_t from_ns = 0;
        std::uint32_t reference = 0;  ///< of the order, as before the request
        std::uint32_t fresh = 0;      ///< new reference of a replace
        std::uint32_t price_e2 = 0;
        RequestKind kind{};
        std::uint8_t side = 0;
        bool rests = false;  ///< a new order that may rest
    };
    struct LiveOrder {
        std::uint32_t reference = 0;
        std::uint32_t remaining = 0;
        std::uint32_t price_e2 = 0;
        std::uint8_t side = 0;
        bool asked = false;  ///< a cancel or replace of it is outstanding
    };

    template <class M>
    std::size_t write(const M& message, std::span<std::byte> to) const;
    std::size_t ask_new(std::span<std::byte> to, std::int64_t from_ns);
    std::size_t ask_cancel(std::span<std::byte> to, std::int64_t from_ns, LiveOrder& order);
    std::size_t ask_replace(std::span<std::byte> to, std::int64_t from_ns, LiveOrder& order);

    /// Returns false if the packet cannot be decoded.
    [[nodiscard]] bool take(const wire::soupbin::Packet& packet);
    void on(const auto& /*other*/) {}
    void on(const wire::ouch::v50::Accepted& accepted);
    void on(const wire::ouch::v50::Replaced& replaced);
    void on(const wire::ouch::v50::Canceled& canceled);
    void on(const wire::ouch::v50::AiqCanceled& canceled);
    void on(const wire::ouch::v50::Executed& executed);
    void on(const wire::ouch::v50::Rejected& rejected);
    void on(const wire::ouch::v50::CancelReject& rejected);
    void on(const wire::ouch::v50::AccountAnswer& answer);

    [[nodiscard]] LiveOrder* find(std::uint32_t reference);
    /// Reduces the order by this quantity. If nothing is left it has ended, and its outstanding
    /// requests were too late, unless `asked_for`.
    void reduce(std::uint32_t reference, std::uint32_t quantity, bool asked_for);
    void remove(LiveOrder& order);
    /// Removes the request from those outstanding; all zero if it is unknown.
    Asked answered(std::uint32_t reference, bool is_new);
    void check_trade(const wire::ouch::v50::Executed& executed);
    void violation(std::string_view rule);

    const LoadSettings* settings_;
    LoadTally* tally_;
    std::uint64_t number_;
    wire::ouch::Symbol symbol_{};
    LoadDraws draws_;
    RandomStream choice_;
    std::vector<Asked> asked_;
    std::vector<LiveOrder> live_;
    std::size_t outstanding_new_ = 0;
    std::size_t live_limit_;
    std::uint32_t next_reference_ = 0;  ///< zero: not known yet
    std::uint64_t last_time_ns_ = 0;
    std::int64_t now_ns_ = 0;
    bool ending_ = false;
    bool ended_ = false;
    bool broken_ = false;
};

}  // namespace damrak::client
