// Commands of `damrak term`, typed or in a script: parses lines and offers completions. Pure
// functions; a line costs its length.
#pragma once

#include <cstdint>
#include <expected>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/client/detail/term_order.hpp>
#include <damrak/domain/identifiers.hpp>
#include <damrak/domain/order_terms.hpp>

namespace damrak::client {

/// Instruments by name, as reported by the exchange. Any other is "#7".
class Symbols {
  public:
    Symbols() = default;
    /// For instruments 1, 2, 3 and so on.
    explicit Symbols(const std::vector<std::string>& names);
    void add(InstrumentId id, std::string name) { names_[id] = std::move(name); }
    /// Returns the instrument of that name; a new name gets the next free number.
    InstrumentId add(std::string_view name);
    /// Ignores case.
    [[nodiscard]] std::optional<InstrumentId> find(std::string_view name) const;
    [[nodiscard]] std::string name(InstrumentId id) const;
    [[nodiscard]] const std::map<InstrumentId, std::string>& all() const { return names_; }

  private:
    std::map<InstrumentId, std::string> names_;
};

struct TermCommand {
    enum class Kind : std::uint8_t {
        nothing,  ///< an empty line, or a comment
        enter,
        quote,
        protect,
        cancel,
        cancel_all,
        modify,
        status,
        book,
        orders,
        positions,
        tape,
        replay,
        wait,
        help,
        quit,
    };
    Kind kind{};
    Side side{};
    std::uint64_t quantity = 0;
    std::int64_t price_e2 = 0;       ///< zero: at the market; for a stop order no limit
    std::uint64_t ask_quantity = 0;  ///< of a quote, whose bid is in the two above
    std::int64_t ask_e2 = 0;
    std::uint64_t window_us = 0;  ///< of a protection
    InstrumentId instrument{};    ///< for `book` zero: the current one
    std::uint32_t number = 0;     ///< of an order; for `tape` the number of trades
    std::uint32_t seconds = 0;
    std::string control{};  ///< for a replayed day, in the form of its HTTP path; empty: query only
    OrderExtras extras{};
    friend bool operator==(const TermCommand&, const TermCommand&) = default;
};

/// The command, or an error that says what is wrong and what was expected.
[[nodiscard]] std::expected<TermCommand, std::string> parse_command(std::string_view line,
                                                                    const Symbols& symbols);

/// Candidates that complete the last word of the line. `orders` are the numbers of open orders.
[[nodiscard]] std::vector<std::string> complete_command(std::string_view line,
                                                        const Symbols& symbols,
                                                        std::span<const std::uint32_t> orders);

/// One line per command.
[[nodiscard]] std::span<const std::string_view> command_help();

/// 10125 as "101.25".
[[nodiscard]] std::string price_text(std::int64_t price_e2);
/// "101.25", "101.2", "101" or "-0.35" in units of 0.01; nothing for zero.
[[nodiscard]] std::optional<std::int64_t> parse_price(std::string_view text);
/// The same, but above zero.
[[nodiscard]] std::optional<std::int64_t> parse_amount(std::string_view text);

}  // namespace damrak::client
