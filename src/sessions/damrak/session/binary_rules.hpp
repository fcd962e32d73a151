// Numbers and settings of a binary session: the statuses of each answer, error codes, reasons to
// disconnect, the owner's choices, and the note that a request leaves for its answer. Plain values.
// docs/protocols/binary.md explains them.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string_view>

#include <damrak/domain/event.hpp>
#include <damrak/domain/origin.hpp>
#include <damrak/domain/reason.hpp>
#include <damrak/session/received.hpp>
#include <damrak/wire/binary/messages.hpp>

namespace damrak::session {

struct BinaryRules {
    bool cancel_on_disconnect = false;
    bool cancel_on_logout = false;
    std::uint32_t messages_per_second = 0;  ///< zero: no limit
    std::uint32_t burst_messages = 0;
};

/// Why a session requests to close its connection.
enum class Disconnect : std::uint8_t {
    none,
    wrong_version,
    message_too_long,
    slow_reader,
    timed_out,
};
[[nodiscard]] std::string_view text(Disconnect reason);
[[nodiscard]] std::string_view name(Disconnect reason);

namespace binary {

/// Codes of ERROR. The original protocol defines the message but never sends it, so these numbers
/// are Damrak's.
enum class ErrorCode : std::uint8_t {
    unknown_type = 1,
    payload_too_short = 2,
    payload_too_long = 3,
    wrong_version = 4,
    too_many_messages = 5,
    wrong_client_id = 6,
};

// Statuses. In version 1 their meaning depends on the message; version 2 has fewer.
enum class HelloStatus : std::uint8_t {
    accepted = 1,
    invalid_api_key = 3,
    out_of_order = 4,
    no_room = 5
};
enum class LogoutStatus : std::uint8_t { accepted = 1, out_of_order = 4 };
enum class OrderStatus : std::uint8_t { accepted = 1, invalid = 2, out_of_order = 3 };
enum class CancelStatus : std::uint8_t { accepted = 1, invalid = 2, not_found = 3 };
enum class ModifyStatus : std::uint8_t {
    accepted = 1,
    invalid = 2,
    not_found = 3,
    out_of_order = 5
};
inline constexpr std::uint8_t k_v2_accepted = 1;
inline constexpr std::uint8_t k_v2_rejected = 2;
enum class V2OrderStatus : std::uint8_t {
    placed = 1,
    rejected = 2,
    partially_filled = 3,
    filled = 4,
    cancelled = 5,
};

/// Of ORDER_CHANGED.
enum class Change : std::uint8_t {
    cancelled = 1,  ///< or part of it
    triggered = 2,
    pending = 3,  ///< triggered; now it waits for its stop price
};
/// Which events ORDER_CHANGED reports: what happens to linked orders, stops and quotes without a
/// request. Takes each event.
class Unasked {
  public:
    [[nodiscard]] bool operator()(const Event& event) {
        if (event.kind == EventKind::triggered) {
            triggered_ = event.order_id;
            return true;
        }
        if (event.kind != EventKind::cancelled) return false;
        return event.reason == Reason::linked_order || event.reason == Reason::quote_replaced ||
               event.reason == Reason::quote_protection ||
               (event.order_id == triggered_ && event.reason != Reason::requested);
    }

  private:
    OrderId triggered_{};
};

/// Status of a rejected cancel or modify, by the engine's reason.
[[nodiscard]] std::uint8_t cancel_status(wire::binary::Version version, Reason reason);
[[nodiscard]] std::uint8_t modify_status(wire::binary::Version version, Reason reason);

enum class Request : std::uint8_t {
    none,
    hello,
    logout,
    new_order,
    cancel,
    modify,
    quote,
    quote_protection
};

/// Data that the answer must repeat and no event contains.
struct Note {
    wire::binary::Version version{};
    Request request{};
    std::uint8_t long_answer = 0;  ///< capture profile: the cancel had the long form
    std::uint8_t zero = 0;
    InstrumentId instrument{};
    ClientOrderId client_order_id{};
    std::uint64_t echo = 0;  ///< quantity of a new order, price of a modify

    [[nodiscard]] Tag tag() const { return std::bit_cast<Tag>(*this); }
    [[nodiscard]] static Note of(const Tag& tag) { return std::bit_cast<Note>(tag); }
};
static_assert(sizeof(Note) == sizeof(Tag));

}  // namespace binary

}  // namespace damrak::session
