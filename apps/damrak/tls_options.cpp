#include "tls_options.hpp"

#include <CLI/CLI.hpp>

namespace damrak::app {

std::expected<net::TlsContext::Shared, std::string> TlsOptions::context(
    const std::string& host) const {
    if (!given()) return nullptr;
    return net::TlsContext::initiator(files, name.empty() ? host : name);
}

void add_tls_options(CLI::App& command, TlsOptions& options) {
    command.add_flag("--tls", options.wanted, "Use TLS for FIX; implied by the other TLS options");
    command
        .add_option("--tls-ca", options.files.authorities,
                    "File of the CA certificates that verify the exchange's certificate")
        ->default_str("those of the system");
    command
        .add_option("--tls-name", options.name, "Name that the exchange's certificate must have")
        ->default_str("the host");
    command.add_option("--tls-certificate", options.files.certificate,
                       "File of the client certificate, if the exchange requires one");
    command.add_option("--tls-key", options.files.key, "File of the key of the client certificate");
}

}  // namespace damrak::app
