// The values of a FIX request for orders, each exact or refused with a text that says what would be
// right. Called for each request by what makes a command of it (requests.hpp, change_order.hpp).
// Pure; no allocation.
#pragma once

#include <cstdint>
#include <expected>
#include <string_view>
#include <utility>

#include <damrak/domain/command.hpp>
#include <damrak/domain/instrument.hpp>
#include <damrak/fix_codec/message.hpp>
#include <damrak/gateway/fix/detail/text.hpp>

namespace damrak::gateway::fix::detail {

/// Codes are those of FIX.5.0SP2: OrdRejReason for a new order, CxlRejReason for a change.
struct Refusal {
    int code = 99;
    FixText text;
};
template <class T>
using Asked = std::expected<T, Refusal>;

struct OrderRefusal {
    static constexpr int k_unsupported = 11;
    static constexpr int k_incorrect_quantity = 13;
    static constexpr int k_price_increment = 18;  ///< of changes, too
    static constexpr int k_other = 99;
};

template <class... Arguments>
[[nodiscard]] std::unexpected<Refusal> refuse_value(int code,
                                                    fmt::format_string<Arguments...> format,
                                                    Arguments&&... arguments) {
    return std::unexpected{
        Refusal{.code = code, .text = FixText{format, std::forward<Arguments>(arguments)...}}};
}

/// The one letter of a value; zero if it has fewer or more.
[[nodiscard]] constexpr char letter_of(std::string_view text) {
    return text.size() == 1 ? text.front() : '\0';
}

/// Side 5 and 6 (sell short, short exempt) are sells.
[[nodiscard]] Asked<Side> read_side(const fix_codec::Message& message);
/// OrdType, and its letter where that says more: K (market, a rest keeps the price that it found)
/// and P (pegged).
struct TypeAsked {
    OrderType type{};
    char sent = '\0';
};
[[nodiscard]] Asked<TypeAsked> read_type(const fix_codec::Message& message);
[[nodiscard]] Asked<TimeInForce> read_time_in_force(const fix_codec::Message& message);
/// A whole number of shares, however it is written; zero if the field is absent.
[[nodiscard]] Asked<Quantity> read_quantity(const fix_codec::Message& message, fix_codec::Tag tag,
                                            std::string_view name);
[[nodiscard]] Asked<Quantity> parse_quantity(std::string_view text, std::string_view name);
/// Sets the limit and the stop price that the type of the command has.
enum class StopPrice : std::uint8_t { none, optional, wanted };
[[nodiscard]] Asked<void> read_prices(const fix_codec::Message& message,
                                      const InstrumentDefinition& instrument, Command& command,
                                      StopPrice stop_price);
/// ExpireTime, or the end of ExpireDate; zero without either.
[[nodiscard]] Asked<Timestamp> read_expiry(const fix_codec::Message& message);

/// What the market sees of an order: MaxFloor of the older versions, DisplayQty of the newer ones.
struct Display {
    fix_codec::Tag tag{};  ///< zero: the request has neither
    Quantity shown{};      ///< zero: nothing is shown
    [[nodiscard]] std::string_view name() const;
};
[[nodiscard]] Asked<Display> read_display(const fix_codec::Message& message);
/// ExecInst has letters and digits with spaces between them. Some tell a broker how to work the
/// order; an exchange ignores these.
struct ExecInst {
    bool post_only = false;
    bool trailing = false;
    PegReference peg{};
};
[[nodiscard]] Asked<ExecInst> read_exec_inst(const fix_codec::Message& message);
/// What an order follows, by ExecInst or PegPriceType, and the offset from it.
[[nodiscard]] Asked<void> read_peg(const fix_codec::Message& message, const ExecInst& exec_inst,
                                   const InstrumentDefinition& instrument, const TypeAsked& type,
                                   Command& command);
/// Prices are of one share, quantities in shares.
[[nodiscard]] Asked<void> check_units(const fix_codec::Message& message);

}  // namespace damrak::gateway::fix::detail
