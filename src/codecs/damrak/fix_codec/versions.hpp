// The protocol versions of FIX: the values of BeginString (8), and the version of the application
// messages under FIXT.1.1 (ApplVerID 1128, DefaultApplVerID 1137). Used by decoder, encoder,
// sessions and dictionaries. Comparisons of short texts.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace damrak::fix_codec {

enum class BeginString : std::uint8_t { fix40, fix41, fix42, fix43, fix44, fixt11, unknown };
enum class ApplVersion : std::uint8_t {
    fix40,
    fix41,
    fix42,
    fix43,
    fix44,
    fix50,
    fix50sp1,
    fix50sp2
};

/// "FIX.4.2"; empty for `unknown`.
[[nodiscard]] std::string_view text(BeginString version);
/// `unknown` for any other text.
[[nodiscard]] BeginString parse_begin_string(std::string_view text);

/// The value of ApplVerID: "2" for FIX.4.0 to "9" for FIX.5.0SP2.
[[nodiscard]] std::string_view text(ApplVersion version);
[[nodiscard]] std::optional<ApplVersion> parse_appl_version(std::string_view text);
/// A readable name: "FIX.5.0SP2".
[[nodiscard]] std::string_view name(ApplVersion version);
/// The version of the application messages under this BeginString. Empty under FIXT.1.1, where the
/// message or the logon states it.
[[nodiscard]] std::optional<ApplVersion> appl_version(BeginString version);

}  // namespace damrak::fix_codec
