// The open files of an exchange: what its clients may have, and what is kept for its own.
#pragma once

#include <expected>
#include <string>

#include "settings.hpp"

namespace damrak::app {

/// Raises the limit of open files to what the settings allow to clients and what the exchange keeps
/// for its files. If the system allows fewer, each gateway may have as many connections as any
/// other, or as it wants. An error if the system allows too few to serve anybody.
[[nodiscard]] std::expected<void, std::string> divide_descriptors(ServeSettings& settings);

/// On standard error, if the system allows fewer clients than the settings.
void tell_descriptors(const ServeSettings& settings);

}  // namespace damrak::app
