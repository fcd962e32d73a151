// The open files of an exchange: what its clients may have, and what is kept for its own.
#pragma once

#include <expected>
#include <string>

#include "settings.hpp"

namespace damrak::app {

/// Descriptors that clients can take with these settings.
[[nodiscard]] int client_descriptors_of(const ServeSettings& settings);

/// Raises the limit of open files to what the settings allow to clients and what the exchange keeps
/// for its files. An error if the system allows too few to serve anybody; a line for the operator,
/// which may be empty, if it allows fewer.
[[nodiscard]] std::expected<std::string, std::string> divide_descriptors(
    const ServeSettings& settings);

}  // namespace damrak::app
