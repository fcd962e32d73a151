// Rows to LOBSTER text in exactly the published form: LF line ends, times without trailing zeros.
// For converters; appends to a string that the caller writes out and clears.
#pragma once

#include <span>
#include <string>

#include <damrak/lobster/descriptor.hpp>

namespace damrak::lobster {

void append_row(std::string& out, const MessageRow& row);
void append_row(std::string& out, std::span<const BookLevel> levels);

}  // namespace damrak::lobster
