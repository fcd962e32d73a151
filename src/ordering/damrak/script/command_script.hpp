// Commands as text, one a line, for worked examples and bug reports
// (docs/reference/command-script.md):
//
//   09:30:00 new buy quantity=100 price=10.02 tif=ioc
//
// Read as a whole before anything is applied, so a mistake changes nothing. At set-up only.
#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/domain/command.hpp>
#include <damrak/domain/identifiers.hpp>
#include <damrak/domain/instrument.hpp>
#include <damrak/domain/measures.hpp>

namespace damrak::script {

/// A line of a script: a command, or a request to show a book.
struct ScriptStep {
    std::uint32_t line = 0;
    bool shows_book = false;  ///< of command.instrument, instead of a command
    Command command{};        ///< stamped
};

/// The market in which a script begins; by default none.
struct ScriptTerms {
    /// An order that was there before the script.
    struct Entered {
        InstrumentId instrument{};
        ParticipantId participant{};
    };

    std::string zone = "UTC";   ///< of times of day
    std::int64_t day = 20'094;  ///< since 1970, until a line sets another: 2025-01-06, a Monday
    /// Of lines without a time, on its own day; none: they have that of the first line with one.
    std::optional<Timestamp> now{};
    std::uint64_t last_order_id = 0;                  ///< the next ones are above it
    std::vector<InstrumentDefinition> instruments{};  ///< that are there
    /// Whose order it is that no line entered, if it is known.
    std::function<std::optional<Entered>(OrderId)> find_order{};
    /// Called before each line, if it is there; what it throws ends the reading.
    std::function<void()> on_line{};
};

/// `where` names the text in messages. The error has the line, what is wrong and what is allowed.
[[nodiscard]] std::expected<std::vector<ScriptStep>, std::string> parse_script(
    std::string_view text, std::string_view where, const ScriptTerms& terms);

}  // namespace damrak::script
