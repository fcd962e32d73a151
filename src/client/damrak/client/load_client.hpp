// One client of a load run, without I/O: maintains a window of outstanding requests, tracks its
// orders, and checks every answer. Speaks either version of the binary protocol.
//
// Called by the threads of `damrak load` and by tests; one thread per client. Nothing is allocated
// after construction. A request costs a few random numbers and its encoding; an answer costs a
// check against the oldest request and the client's live orders.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include <damrak/base/random.hpp>
#include <damrak/client/binary_client.hpp>
#include <damrak/client/detail/load_draws.hpp>
#include <damrak/client/load_settings.hpp>

namespace damrak::client {

class LoadClient {
  public:
    static constexpr std::size_t k_largest_request_bytes = BinaryClient::k_largest_request_bytes;
    static constexpr std::size_t k_largest_answer_bytes = wire::binary::k_max_frame_length;

    /// `number`, from 1, selects this client's own random stream. Both references are kept.
    LoadClient(const LoadSettings& settings, LoadTally& tally, std::uint64_t number);

    /// Writes the login; its answer arrives through receive().
    std::size_t hello(std::span<std::byte> to, std::int64_t /*now_ns*/ = 0) {
        const auto& keys = settings_->keys;
        return keys.empty() ? wire_.hello(to) : wire_.hello(to, keys[(number_ - 1) % keys.size()]);
    }
    [[nodiscard]] bool logged_in() const { return static_cast<bool>(wire_.client_id()); }

    /// Writes one request, timed from `from_ns`. Writes nothing and returns zero if the window is
    /// full, no order is available for a cancel, or the client has ended. The memory must hold
    /// BinaryClient::k_largest_request_bytes.
    std::size_t request(std::span<std::byte> to, std::int64_t from_ns);
    /// Zero in version 2, which has no heartbeats.
    std::size_t heartbeat(std::span<std::byte> to, std::int64_t now_ns = 0);

    /// Handles bytes of the exchange that were read at `now_ns`; returns how many were consumed.
    /// Bytes that are not a valid message are a violation and end the stream.
    Heard receive(std::span<const std::byte> bytes, std::int64_t now_ns);

    /// From now on requests only cancel live orders, and then log out.
    void end() { ending_ = true; }
    [[nodiscard]] bool ended() const { return logged_out_; }
    /// Whether invalid bytes arrived.
    [[nodiscard]] bool broken() const { return broken_; }
    /// Records missing answers when nothing more can arrive.
    void close();

    [[nodiscard]] std::uint32_t outstanding() const { return outstanding_; }
    [[nodiscard]] std::size_t live_orders() const { return live_.size(); }

    // Called by BinaryClient:
    void on_hello(const wire::binary::Header& header, const wire::binary::HelloAck& ack);
    void on_logout(const wire::binary::Header& header, const wire::binary::LogoutAck& ack);
    void on_order_ack(const wire::binary::Header& header, const wire::binary::OrderAck& ack);
    void on_cancel_ack(const wire::binary::Header& header, const wire::binary::CancelAck& ack);
    void on_modify_ack(const wire::binary::Header& header, const wire::binary::ModifyAck& ack);
    void on_trade(const wire::binary::Header& header, const wire::binary::Trade& trade);
    void on_error(const wire::binary::Header& header, const wire::binary::Error& error);
    void on_timeout(const wire::binary::Header& header, const wire::binary::SessionTimeout& time);

  private:
    /// A request that waits for its answer. Its client order id in version 2 is its sequence
    /// number.
    struct Asked {
        std::int64_t from_ns = 0;
        OrderId order_id{};
        std::uint32_t sequence = 0;
        std::uint32_t quantity = 0;
        std::uint32_t price_e2 = 0;  ///< zero: a market order
        RequestKind kind{};
        std::uint8_t side = 0;
    };
    struct LiveOrder {
        OrderId id{};
        std::uint32_t name = 0;  ///< its client order id
        std::uint32_t remaining = 0;
        std::uint32_t price_e2 = 0;
        std::uint8_t side = 0;
        bool asked = false;    ///< a cancel or modify of it is outstanding
        bool crosses = false;  ///< crosses an own order: it may trade like a new order when that
                               ///< one is gone
        std::optional<std::uint64_t> entered_us{};  ///< when it could trade at others' prices
    };

    [[nodiscard]] bool is_v2() const { return wire_.version() == wire::binary::Version::v2; }
    [[nodiscard]] LiveOrder* find(OrderId id);
    void remove(LiveOrder& order);
    std::size_t ask_drawn(std::span<std::byte> to, Asked& asked);
    std::size_t ask_new(std::span<std::byte> to, Asked& asked);
    std::size_t ask_cancel(std::span<std::byte> to, Asked& asked, OrderId id);
    std::size_t ask_modify(std::span<std::byte> to, Asked& asked, OrderId id, std::uint8_t side);
    std::size_t ask_ending(std::span<std::byte> to, Asked& asked);

    // In load_client_answers.cpp:
    /// The oldest request, if the answer matches its kind; counts and times it.
    [[nodiscard]] const Asked* answered(RequestKind kind);
    void check_outcome(const Asked& asked, const wire::binary::OrderAck& ack);
    void settle_trades();
    void check_trade(const wire::binary::Trade& trade, LiveOrder& order);
    void check_price(const wire::binary::Trade& trade, const LiveOrder& order, bool as_new);
    [[nodiscard]] bool trades_as_new(const wire::binary::Trade& trade, LiveOrder& order);
    [[nodiscard]] bool crosses_own(const LiveOrder& order) const;
    void check_time(std::uint64_t time_us);
    void check_clock(std::uint64_t time_us, std::int64_t asked_ns);
    void check_header(const wire::binary::Header& header, wire::binary::ClientId named);
    /// A rule for every answer, checked with --verify.
    void expect(bool holds, std::string_view rule);
    void violation(std::string_view rule);
    [[nodiscard]] std::string refusal(std::string_view request, unsigned status) const;
    /// An error, but where phases may refuse (LoadTally::refuse).
    void refused_by_phase(std::string_view request, unsigned status);

    const LoadSettings* settings_;
    LoadTally* tally_;
    std::uint64_t number_;
    BinaryClient wire_;
    LoadDraws draws_;
    RandomStream choice_;        ///< chooses orders to cancel and modify
    std::vector<Asked> window_;  ///< a ring
    std::uint32_t oldest_ = 0;
    std::uint32_t outstanding_ = 0;
    std::uint32_t outstanding_new_ = 0;
    std::vector<LiveOrder> live_;
    std::size_t live_limit_;
    /// Market orders, by id: the one that trades, or those that may wait for an auction.
    std::vector<LiveOrder> markets_;
    std::int64_t now_ns_ = 0;
    // For checks: the exchange's last numbers.
    std::uint32_t last_server_sequence_ = 0;
    std::uint32_t last_counted_sequence_ = 0;
    std::uint64_t last_trade_id_ = 0;
    OrderId last_order_id_{};
    std::array<OrderId, 2> highest_ids_{};  ///< of displayed orders, and of those with private ids
    std::uint64_t last_time_us_ = 0;
    OrderId fresh_{};               ///< the order answered last: its first trades may follow
    std::int64_t calendar_ns_ = 0;  ///< the system clock after the answers were read
    /// Lower bound of its lead over the load's clock: a pair of readings can be interrupted in
    /// between.
    std::int64_t calendar_ahead_ns_ = INT64_MAX;
    std::uint64_t owed_quantity_ =
        0;  ///< announced by an ORDER_ACK of version 2, trades not received yet
    OrderId owed_order_{};
    bool ending_ = false;
    bool logged_out_ = false;
    bool broken_ = false;
};

}  // namespace damrak::client
