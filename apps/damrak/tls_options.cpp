#include "tls_options.hpp"

#include <CLI/CLI.hpp>

namespace damrak::app {

std::expected<net::TlsContext::Shared, std::string> TlsOptions::context(
    const std::string& host) const {
    if (!given()) return nullptr;
    return net::TlsContext::initiator(files, name.empty() ? host : name);
}

void add_tls_options(CLI::App& command, TlsOptions& options) {
    command.add_flag("--tls", options.wanted,
                     "TLS at the FIX door; each of the others asks for it");
    command
        .add_option("--tls-ca", options.files.authorities,
                    "File of the CA certificates that the exchange's must come from")
        ->default_str("those of the system");
    command.add_option("--tls-name", options.name, "That the exchange's certificate must have")
        ->default_str("the host");
    command.add_option("--tls-certificate", options.files.certificate,
                       "File of ours, where the exchange asks for one");
    command.add_option("--tls-key", options.files.key, "File of its key");
}

}  // namespace damrak::app
