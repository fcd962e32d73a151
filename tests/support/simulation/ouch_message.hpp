// Messages of OUCH 4.2 and 5.0 byte by byte, as docs/protocols/ouch.md and the published layouts
// have them: what a client in a simulated world asks, and what it takes from what it is sent. It
// shares nothing with the codec of the library, which it is there to check. Plain memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <damrak/session/ouch/request.hpp>

namespace damrak::simulation {

using OuchVersion = session::ouch::Version;
using OuchBytes = std::vector<std::byte>;

/// What a client asks. `order` is a token of 4.2, or the digits of a reference of 5.0.
struct OuchRequest {
    char letter = ' ';
    std::string order{};  ///< its own, of `O`, `U` and `C`
    std::string about{};  ///< the order that it changes
    char side = 'B';
    std::uint32_t quantity = 0;
    std::string symbol{};
    std::uint32_t price_e4 = 0;
    bool rests = true;
    bool hidden = false;  ///< of a replace

    [[nodiscard]] OuchBytes bytes(OuchVersion version) const;
};

/// What a client takes from a message, as far as the message has it.
struct OuchMessage {
    char letter = ' ';
    std::uint64_t time_ns = 0;
    std::string order{};
    std::string previous{};  ///< of a replaced order
    char side = ' ';
    std::uint64_t quantity = 0;
    std::string symbol{};
    std::uint64_t price_e4 = 0;
    char code = ' ';           ///< why it was cancelled; of a system event
    std::uint64_t number = 0;  ///< the order's reference, the match number, the next reference
    OuchBytes bytes{};

    /// For the log, and to compare with what follows from the journal.
    [[nodiscard]] std::string text() const {
        return text_of(letter, letter == 'C' || letter == 'E' ? quantity : 0,
                       letter == 'Q' ? 0 : number, time_ns);
    }
    [[nodiscard]] bool ends_session() const { return letter == 'S' && code == 'E'; }
    [[nodiscard]] static std::string text_of(char letter, std::uint64_t quantity,
                                             std::uint64_t number, std::uint64_t time_ns);
};

/// Nothing: it is none of its version, or has another length.
[[nodiscard]] std::optional<OuchMessage> read_ouch(OuchVersion version,
                                                   std::span<const std::byte> bytes);
/// The bytes of the message that accepts the order of these bytes, as far as the request says.
[[nodiscard]] OuchBytes accepted_by(OuchVersion version, const OuchBytes& request,
                                    const OuchMessage& message);

}  // namespace damrak::simulation
