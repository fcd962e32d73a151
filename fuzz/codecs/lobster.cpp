// Reads any bytes as a LOBSTER message file and as an order book file. Rows that were read must
// survive writing and reading again; errors must be reported.
#include <cstdint>

#include <damrak/base/assert.hpp>
#include <damrak/lobster/reader.hpp>
#include <damrak/lobster/writer.hpp>

#include "support/fuzz_target.hpp"

namespace damrak::fuzz_lobster {

namespace {

using namespace damrak;

std::string_view without_line_end(const std::string& text) {
    return std::string_view{text}.substr(0, text.size() - 1);
}

void as_messages(std::span<const std::byte> bytes) {
    lobster::MessageReader reader{damrak::files::ByteSource::over(bytes, "input")};
    std::string text;
    for (;;) {
        const auto row = reader.next();
        if (!row) DAMRAK_ASSERT(!row.error().text.empty());
        if (!row || !*row) break;
        text.clear();
        lobster::append_row(text, **row);
        const auto again = lobster::parse_message_row(without_line_end(text));
        DAMRAK_ASSERT(again.has_value() && again->row == **row);
    }
    (void)reader.notes();
}

void as_book(std::span<const std::byte> bytes) {
    lobster::BookReader reader{damrak::files::ByteSource::over(bytes, "input")};
    std::string text;
    for (;;) {
        const auto row = reader.next();
        if (!row) DAMRAK_ASSERT(!row.error().text.empty());
        if (!row || !*row) break;
        text.clear();
        lobster::append_row(text, **row);
        std::vector<lobster::BookLevel> again(reader.levels());
        DAMRAK_ASSERT(lobster::parse_book_row(without_line_end(text), again).has_value());
        DAMRAK_ASSERT(std::ranges::equal(again, **row));
    }
}

}  // namespace

DAMRAK_FUZZ_TARGET(lobster)(const std::uint8_t* data, std::size_t size) {
    const auto bytes = std::as_bytes(std::span{data, size});
    as_messages(bytes);
    as_book(bytes);
    return 0;
}

}  // namespace damrak::fuzz_lobster
