// Reads any bytes as a modification file, up to the first zero byte, and modifies the ITCH messages
// after it: the file is sound or reported in one line, and each message that is read is passed on
// or counted with the reason.
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include <damrak/base/assert.hpp>
#include <damrak/modify/modifier.hpp>
#include <damrak/wire/itch/walk.hpp>

#include "support/fuzz_target.hpp"

namespace damrak::fuzz_modification {

namespace {

using namespace damrak::modify;

struct IntoModifier {
    Modifier& modifier;
    void on(const auto& message) { modifier.put(message); }
};

}  // namespace

DAMRAK_FUZZ_TARGET(modification)(const std::uint8_t* data, std::size_t size) {
    const std::string_view all{reinterpret_cast<const char*>(data), size};
    const std::string_view text = all.substr(0, all.find('\0'));
    const auto modification = parse_modification(text, "fuzz");
    if (!modification) {
        DAMRAK_ASSERT(modification.error().starts_with("fuzz:"));
        DAMRAK_ASSERT(modification.error().find('\n') == std::string::npos);
        return 0;
    }
    std::uint64_t passed = 0;
    Modifier modifier{*modification, 0, [&](const damrak::wire::itch::Message&) { ++passed; }};
    IntoModifier visitor{modifier};
    const auto bytes = std::as_bytes(std::span{data, size});
    static_cast<void>(
        damrak::wire::itch::walk(bytes.subspan(std::min(size, text.size() + 1)), visitor));
    modifier.finish();
    const Report& report = modifier.report();
    DAMRAK_ASSERT(report.of(Count::messages_out) == passed);
    DAMRAK_ASSERT(!modifier.error().empty() ||
                  report.of(Count::messages_in) + report.of(Count::window_carried) ==
                      passed + report.of(Count::window_outside) + report.of(Count::drop_messages) +
                          report.of(Count::gone_with_them) + report.of(Count::thin_trades) +
                          report.of(Count::scale_vanished));
    return 0;
}

}  // namespace damrak::fuzz_modification
