// A request of an OUCH client in one form for both versions: the fields of the message, checked
// against what the exchange supports, with common names. A pure function of the bytes, so that a
// replay of the journal gives the same result. Plain values; no allocation.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <span>
#include <string_view>

#include <damrak/domain/order_terms.hpp>
#include <damrak/domain/reason.hpp>
#include <damrak/wire/ouch/decode.hpp>

namespace damrak::session::ouch {

using wire::ouch::Firm;
using wire::ouch::Symbol;
using wire::ouch::Token;

enum class Version : std::uint8_t { none = 0, v42 = 42, v50 = 50 };
/// "4.2" or "5.0".
[[nodiscard]] std::string_view name(Version version);

/// Why a request is rejected, independent of the version's codes. Values are in journals: append
/// only.
enum class Refusal : std::uint8_t {
    none = 0,
    symbol = 1,
    side = 2,
    quantity = 3,
    price = 4,
    display = 5,
    time_in_force = 6,
    capacity = 7,
    iso = 8,
    cross = 9,
    minimum_quantity = 10,
    displayed_quantity = 11,
    pegging = 12,
    routing = 13,
    handling = 14,
    firm = 15,
    halted = 16,
    crossed = 17,
    order_size = 18,
    order_value = 19,
    exposure = 20,
    other = 21,
    closed = 22,      ///< the phase of the instrument does not take it
    fat_finger = 23,  ///< its limit is too far through the last trade
    quote = 24,       ///< the price that it would follow does not exist
};
[[nodiscard]] Refusal refusal_of(Reason reason);
[[nodiscard]] char code_v42(Refusal refusal);
[[nodiscard]] std::uint16_t code_v50(Refusal refusal);
/// Why an order, or a part of it, left the book.
[[nodiscard]] char cancel_code(Reason reason);

enum class RequestKind : char {
    enter = 'O',
    replace = 'U',
    cancel = 'X',
    modify = 'M',
    mass_cancel = 'C',
    disable = 'D',
    enable = 'E',
    query = 'Q',
    trade_now = 'N',
    // Of the gateway itself, when the day of a session is over:
    end_order = 'x',    ///< cancels an order that the day did not end
    withdraw = 'w',     ///< cancels an order that a replace enters again with other terms
    enter_anew = 'u',   ///< enters it again; its client order id is the order that was withdrawn
    end_session = 'Z',  ///< comes behind all else
};

/// How long an order is valid.
enum class Life : std::uint8_t { day, immediate, seconds };

struct Request {
    RequestKind kind{};
    Version version{};
    Refusal refusal{};  ///< what the exchange cannot do
    bool market = false;
    bool hidden = false;
    bool post_only = false;
    bool imbalance_only = false;
    PegReference peg{};
    char side = ' ';  ///< B, S, T, E; in a mass cancel blank for both
    char display = ' ';
    char capacity = ' ';
    char iso = 'N';
    char cross_type = 'N';  ///< N; O, C and H: for the opening, the closing, any auction
    char customer_type = ' ';
    Life life{};
    std::uint32_t seconds = 0;        ///< if its lifetime is in seconds
    std::uint32_t time_in_force = 0;  ///< as received
    std::uint32_t quantity = 0;       ///< intended total
    std::uint32_t minimum_quantity = 0;
    std::uint32_t displayed_quantity = 0;  ///< of a reserve order
    std::uint32_t user_ref = 0;            ///< version 5.0
    std::uint16_t group = 0;
    bool has_group = false;
    std::uint64_t price_e4 = 0;
    std::int32_t peg_offset_e4 = 0;  ///< added to the price that it follows
    Token token{};                   ///< of the order; in 5.0 the digits of its reference
    Token replaces{};                ///< of the order that a replace ends
    Token cl_ord_id{};               ///< version 5.0
    Symbol symbol{};
    Firm firm{};

    /// Whether its displayed part names the participant, if that has a name.
    [[nodiscard]] bool attributes() const { return display == 'A' || display == 'L'; }
};

/// The terms after a replace: some cannot be stated in one.
[[nodiscard]] Request replaced_terms(const Request& before, const Request& replace);
/// Whether a modify may change the side like this, from S, T or E: to one with more restrictions,
/// in 4.2 also back.
[[nodiscard]] bool may_become(char before, char after, Version version);

/// The digits of a 5.0 reference, in the form of a token.
[[nodiscard]] Token token_of(std::uint32_t user_ref);
/// The reverse; zero if the token has other characters.
[[nodiscard]] std::uint32_t ref_of(const Token& token);

/// Removes the optional fields of a message if they exceed what a journal stores of it; its other
/// fields are unchanged. Returns the length. `message` must be large enough.
std::size_t shorten(std::span<std::byte> message);

/// An error if the bytes are not a message. Options that this exchange does not know, or that are
/// malformed, refuse the request; what cancels an order is not refused for them.
[[nodiscard]] std::expected<Request, wire::ouch::DecodeError> read_request(
    Version version, std::span<const std::byte> bytes);

}  // namespace damrak::session::ouch
