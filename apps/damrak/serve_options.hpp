// The command line of `damrak serve`. A flag is kept as what it does to the settings, and done
// after the configuration file was read, so that flags win, at each reload again.
#pragma once

#include <expected>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "serve_settings.hpp"

namespace CLI {
class App;
}

namespace damrak::app {

struct ServeOptions {
    using Override = std::function<void(ServeSettings&)>;
    std::vector<Override> overrides;
    std::vector<std::string> only;
    std::filesystem::path config;  ///< empty: none
    bool print_config = false;
    bool json = false;

    /// The defaults, the file over them, the flags over both.
    [[nodiscard]] std::expected<ServeSettings, std::string> settings() const;
};

/// `options` must outlive the parsing.
void add_serve_options(CLI::App& command, ServeOptions& options);

}  // namespace damrak::app
