// OUCH messages of both versions as text, for the log and for comparing received messages with
// those that follow from the journal: the letter, its subject, and the time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <variant>

#include <fmt/format.h>

#include <damrak/session/ouch/request.hpp>
#include <damrak/wire/ouch/decode.hpp>

namespace damrak::simulation {

/// The fields that a client uses.
struct OuchMessage {
    char letter = ' ';
    std::uint64_t time_ns = 0;
    std::string order{};     ///< token, or digits of the reference
    std::string previous{};  ///< of a replaced order
    char side = ' ';
    std::uint64_t quantity = 0;
    std::uint64_t number = 0;  ///< the order's reference, or the match number

    friend bool operator==(const OuchMessage&, const OuchMessage&) = default;
    [[nodiscard]] std::string text() const {
        return text_of(letter, letter == 'C' || letter == 'E' ? quantity : 0, number, time_ns);
    }
    [[nodiscard]] static std::string text_of(char letter, std::uint64_t quantity,
                                             std::uint64_t number, std::uint64_t time_ns) {
        return fmt::format("{} {} of {} at {}", letter, quantity, number, time_ns);
    }
};

/// Empty if it cannot be decoded.
[[nodiscard]] inline std::optional<OuchMessage> read_ouch(session::ouch::Version version,
                                                          std::span<const std::byte> bytes) {
    const auto take = [&](const auto& from) {
        OuchMessage message{.letter = static_cast<char>(bytes[0]), .time_ns = from.timestamp_ns};
        if constexpr (requires { from.order_token; }) message.order = from.order_token.text();
        if constexpr (requires { from.user_ref; }) message.order = fmt::to_string(from.user_ref);
        if constexpr (requires { from.replacement_token; }) {
            message.order = from.replacement_token.text();
            message.previous = from.previous_token.text();
        }
        if constexpr (requires { from.orig_user_ref; })
            message.previous = fmt::to_string(from.orig_user_ref);
        if constexpr (requires { from.quantity; }) message.quantity = from.quantity;
        if constexpr (requires { from.shares; }) message.quantity = from.shares;
        if constexpr (requires { from.executed_shares; }) message.quantity = from.executed_shares;
        if constexpr (requires { from.decrement_shares; }) message.quantity = from.decrement_shares;
        if constexpr (requires { from.side; }) message.side = from.side;
        if constexpr (requires { from.order_reference; }) message.number = from.order_reference;
        if constexpr (requires { from.match_number; }) message.number = from.match_number;
        return message;
    };
    const auto read =
        [&]<class Messages>(std::type_identity<Messages>) -> std::optional<OuchMessage> {
        const auto message = wire::ouch::decode<Messages>(bytes);
        if (!message) return std::nullopt;
        return std::visit(
            [&](const auto& one) -> std::optional<OuchMessage> {
                if constexpr (requires { one.timestamp_ns; }) return take(one);
                return std::nullopt;
            },
            *message);
    };
    return version == session::ouch::Version::v42
               ? read(std::type_identity<wire::ouch::v42::Outbound>{})
               : read(std::type_identity<wire::ouch::v50::Outbound>{});
}

}  // namespace damrak::simulation
