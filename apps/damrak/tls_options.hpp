// The options of those who connect to a FIX gateway with TLS: `damrak term --fix`, `damrak load
// --gateway fix`.
#pragma once

#include <expected>
#include <string>

#include <damrak/net/tls.hpp>

namespace CLI {
class App;
}

namespace damrak::app {

struct TlsOptions {
    bool wanted = false;
    net::TlsFiles files{};
    std::string name{};  ///< in the certificate of the exchange; empty: the host's

    [[nodiscard]] bool given() const { return wanted || !name.empty() || files != net::TlsFiles{}; }
    /// Null: no TLS is asked for.
    [[nodiscard]] std::expected<net::TlsContext::Shared, std::string> context(
        const std::string& host) const;
};

/// `options` must outlive the parsing.
void add_tls_options(CLI::App& command, TlsOptions& options);

}  // namespace damrak::app
