// Rows to LOBSTER text, exactly as the published files have it: LF line ends, times without
// trailing zeros. For converters; appends to a string that the caller writes out and clears.
#pragma once

#include <span>
#include <string>

#include <damrak/wire/lobster/descriptor.hpp>

namespace damrak::wire::lobster {

void append_row(std::string& out, const MessageRow& row);
void append_row(std::string& out, std::span<const BookLevel> levels);

}  // namespace damrak::wire::lobster
