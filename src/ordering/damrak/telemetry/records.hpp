// Telemetry records and their fields. fields() defines the header and rows of a record's CSV file.
// In memory a record is an entry of the ring between the polling thread, which writes it, and the
// collector, which reads it. Plain values of at most 80 bytes; the first byte is the kind.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <new>
#include <string>
#include <string_view>
#include <type_traits>

#include <damrak/base/inline.hpp>
#include <damrak/base/stage_timing.hpp>
#include <damrak/domain/event.hpp>
#include <damrak/domain/origin.hpp>
#include <damrak/telemetry/name_table.hpp>

namespace damrak::telemetry {

/// Kinds of client requests, whatever the protocol.
enum class RequestKind : std::uint8_t {
    hello,
    logout,
    heartbeat,
    new_order,
    cancel,
    modify,
    other
};
inline constexpr std::size_t k_request_kinds = 7;
[[nodiscard]] std::string_view name(RequestKind kind);

inline constexpr std::size_t k_event_kinds = 30;

/// The names of the enumerators, for logs; a value without a name is "unknown".
extern const NameTable<RequestKind> k_request_names;
extern const NameTable<EventKind> k_event_names;
extern const NameTable<CommandKind> k_command_names;
extern const NameTable<Side> k_side_names;
extern const NameTable<OrderType> k_order_type_names;
extern const NameTable<TimeInForce> k_time_in_force_names;
extern const NameTable<Reason> k_reason_names;

enum class RecordKind : std::uint8_t {
    none,
    timing,
    opened,
    closed,
    request,
    write,
    order,
    trade,
    refusal,
    good_till,
};

/// A timed message.
struct Timing {
    static constexpr RecordKind k_kind = RecordKind::timing;
    static constexpr std::string_view k_name = "timings";
    RecordKind kind = k_kind;
    RequestKind request{};
    std::uint8_t wire_type = 0;
    std::uint8_t written = 0;  ///< 0: its connection ended before its answer was written
    GatewayNumber gateway{};   ///< where it came in
    StageTimes times{};
};

/// Source address of a connection. All zero if unknown.
struct Peer {
    std::int32_t descriptor = 0;
    std::uint16_t port = 0;
    std::array<std::uint8_t, 4> address{};
};
/// "192.0.2.7:5000".
[[nodiscard]] std::string text(const Peer& peer);

struct Opened {
    static constexpr RecordKind k_kind = RecordKind::opened;
    static constexpr std::string_view k_name = "connections_opened";
    RecordKind kind = k_kind;
    Peer peer{};
    Timestamp time{};
    SessionId session{};

    constexpr void fields(auto&& see) const {
        constexpr std::array<std::string_view, 4> k_parts{"ip0", "ip1", "ip2", "ip3"};
        see("time_ns", time);
        see("session", session);
        see("descriptor", peer.descriptor);
        see("port", peer.port);
        for (std::size_t i = 0; i < k_parts.size(); ++i) see(k_parts[i], peer.address[i]);
    }
};

struct Closed {
    static constexpr RecordKind k_kind = RecordKind::closed;
    static constexpr std::string_view k_name = "connections_closed";
    static constexpr std::size_t k_reason_length = 23;
    RecordKind kind = k_kind;
    std::array<char, k_reason_length> reason_text{};  ///< zero padded
    Timestamp time{};
    SessionId session{};

    [[nodiscard]] constexpr std::string_view reason() const {
        const std::string_view all{reason_text.data(), reason_text.size()};
        return all.substr(0, all.find('\0'));
    }
    constexpr void fields(auto&& see) const {
        see("time_ns", time);
        see("session", session);
        see("reason", Name{reason()});
    }
};

/// A handled message of a client.
struct Request {
    static constexpr RecordKind k_kind = RecordKind::request;
    static constexpr std::string_view k_name = "requests";
    RecordKind kind = k_kind;
    RequestKind request{};
    std::uint8_t wire_type = 0;
    std::uint32_t sequence = 0;  ///< of the client
    Timestamp time{};
    SessionId session{};

    constexpr void fields(auto&& see) const {
        see("time_ns", time);
        see("session", session);
        see("request", k_request_names[request]);
        see("wire_type", wire_type);
        see("sequence", sequence);
    }
};

/// A request that its session rejected: it never reached the exchange and has no event.
struct Refusal {
    static constexpr RecordKind k_kind = RecordKind::refusal;
    static constexpr std::string_view k_name = "requests_refused";
    RecordKind kind = k_kind;
    RequestKind request{};
    std::uint8_t wire_type = 0;
    std::uint8_t wire_status = 0;  ///< as reported to the client
    std::uint32_t sequence = 0;    ///< of the client
    Timestamp time{};
    SessionId session{};
    OrderId order{};  ///< of the order to cancel or modify
    // As requested, in range or not.
    std::uint64_t quantity = 0;
    std::uint64_t price_e2 = 0;
    InstrumentId instrument{};
    std::uint32_t zero = 0;

    constexpr void fields(auto&& see) const {
        see("time_ns", time);
        see("session", session);
        see("sequence", sequence);
        see("request", k_request_names[request]);
        see("wire_type", wire_type);
        see("wire_status", wire_status);
        see("instrument", instrument);
        see("order", order);
        see("quantity", quantity);
        see("price_e2", price_e2);
    }
};

/// The date of a new order, enforced or not; precedes the order's own records. Absent if the order
/// has no date, or one that means never (all ones).
struct GoodTill {
    static constexpr RecordKind k_kind = RecordKind::good_till;
    static constexpr std::string_view k_name = "good_till";
    static constexpr std::uint64_t k_never = UINT64_MAX;
    RecordKind kind = k_kind;
    std::uint8_t zero[3]{};
    std::uint32_t sequence = 0;  ///< of the client
    Timestamp time{};
    SessionId session{};
    std::uint64_t date = 0;  ///< as the client sent it

    constexpr void fields(auto&& see) const {
        see("time_ns", time);
        see("session", session);
        see("sequence", sequence);
        see("date", date);
    }
};

/// Answers written together.
struct Write {
    static constexpr RecordKind k_kind = RecordKind::write;
    static constexpr std::string_view k_name = "writes";
    RecordKind kind = k_kind;
    std::uint8_t wire_type = 0;  ///< of the first message in it; 0: it continues a partly written
                                 ///< one
    std::uint32_t sequence = 0;  ///< the client's number that the first message repeats
    Timestamp time{};
    SessionId session{};
    std::uint64_t bytes = 0;

    constexpr void fields(auto&& see) const {
        see("time_ns", time);
        see("session", session);
        see("wire_type", wire_type);
        see("sequence", sequence);
        see("bytes", bytes);
    }
};

/// The fate of an order, except for trades.
struct OrderFate {
    static constexpr RecordKind k_kind = RecordKind::order;
    static constexpr std::string_view k_name = "orders";
    RecordKind kind = k_kind;
    std::uint32_t sequence = 0;  ///< of the request that caused it
    Timestamp time{};
    SessionId session{};  ///< the session that caused it; zero: the exchange
    // Same fields and order as in Event, so that several are copied at once.
    EventKind event{};
    CommandKind command{};
    Side side{};
    OrderType type{};
    TimeInForce time_in_force{};
    Reason reason{};
    EventFlags::Bits flags = 0;
    InstrumentId instrument{};
    ParticipantId participant{};
    OrderId order{};
    std::uint64_t reference = 0;
    Price price{};
    Quantity quantity{};
    Quantity remaining{};

    constexpr void fields(auto&& see) const {
        see("time_ns", time);
        see("event", k_event_names[event]);
        see("command", k_command_names[command]);
        see("session", session);
        see("sequence", sequence);
        see("participant", participant);
        see("instrument", instrument);
        see("order", order);
        see("reference", reference);
        see("side", k_side_names[side]);
        see("type", k_order_type_names[type]);
        see("time_in_force", k_time_in_force_names[time_in_force]);
        see("price_units", price);
        see("quantity", quantity);
        see("remaining", remaining);
        see("reason", k_reason_names[reason]);
        see("flags", flags);
    }
};

struct Trade {
    static constexpr RecordKind k_kind = RecordKind::trade;
    static constexpr std::string_view k_name = "trades";
    RecordKind kind = k_kind;
    Side aggressor{};
    std::uint8_t buyer_done = 0;  ///< 1: the order is complete
    std::uint8_t seller_done = 0;
    InstrumentId instrument{};
    Timestamp time{};
    SessionId session{};  ///< of the command; zero: the exchange
    TradeId trade{};
    OrderId buyer_order{};
    OrderId seller_order{};
    Price price{};
    Quantity quantity{};
    ParticipantId buyer{};
    ParticipantId seller{};

    constexpr void fields(auto&& see) const {
        see("time_ns", time);
        see("session", session);
        see("instrument", instrument);
        see("trade", trade);
        see("buyer_order", buyer_order);
        see("seller_order", seller_order);
        see("buyer", buyer);
        see("seller", seller);
        see("price_units", price);
        see("quantity", quantity);
        see("aggressor", k_side_names[aggressor]);
        see("buyer_done", buyer_done);
        see("seller_done", seller_done);
    }
};

template <class... R>
struct RecordList {};
/// Frequent ones first.
using AllRecords =
    RecordList<OrderFate, Request, Trade, Write, Timing, Opened, Closed, Refusal, GoodTill>;

/// An entry of the ring.
class alignas(16) Slot {
  public:
    /// Constructs a record in place. (Copying a record just written in parts would stall on all of
    /// its stores.)
    template <class Make>
    DAMRAK_HOT void put(const Make& make) {
        using R = std::invoke_result_t<Make>;
        static_assert(std::is_trivially_copyable_v<R> && std::is_standard_layout_v<R> &&
                      sizeof(R) <= k_bytes && alignof(R) <= alignof(Slot) &&
                      offsetof(R, kind) == 0);
        ::new (static_cast<void*>(bytes_.data())) R(make());
    }
    /// Counter value when it was made; zero unless requested.
    void stamp(std::uint64_t ticks) { ticks_ = ticks; }
    [[nodiscard]] std::uint64_t ticks() const { return ticks_; }
    /// Calls `take` with the record; does nothing if there is none.
    void visit(auto&& take) const { visit(take, AllRecords{}); }

  private:
    static constexpr std::size_t k_bytes = 80;

    template <class... R>
    void visit(auto&& take, RecordList<R...>) const {
        static_cast<void>((take_as<R>(take) || ...));
    }
    template <class R>
    [[nodiscard]] bool take_as(auto&& take) const {
        if (static_cast<RecordKind>(bytes_[0]) != R::k_kind) return false;
        take(*std::launder(reinterpret_cast<const R*>(bytes_.data())));
        return true;
    }

    std::array<std::byte, k_bytes> bytes_{};
    std::uint64_t ticks_ = 0;
};

}  // namespace damrak::telemetry
