// The command line of `damrak serve`. A flag is kept as what it does to the settings, and done
// after the configuration file was read, so that flags win, at each reload again.
#pragma once

#include <expected>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <damrak/exchange/check.hpp>

#include "serve/replay.hpp"
#include "serve/settings.hpp"

namespace CLI {
class App;
}

namespace damrak::app {

/// Why there are no settings: one line, and whether flags or a file are to blame.
struct SettingsError {
    std::string message;
    bool of_flags = false;
};

struct ServeOptions {
    using Override = std::function<void(ServeSettings&)>;
    std::vector<Override> overrides;
    std::vector<std::string> only;
    std::filesystem::path config;  ///< empty: none
    bool print_config = false;
    bool describe_config = false;
    bool print_memory = false;
    bool json = false;
    RecordedDayOptions replay;

    /// The defaults, the file over them, the flags over both.
    [[nodiscard]] std::expected<ServeSettings, SettingsError> settings() const;
};

/// The same misfit with the place in the file, or the flag, that it comes from.
[[nodiscard]] SettingsError told(const exchange::Misfit& misfit, const ServeSettings& settings);

/// `options` must outlive the parsing.
void add_serve_options(CLI::App& command, ServeOptions& options);

}  // namespace damrak::app
