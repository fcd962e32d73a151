// Where a request comes from, against pages that make a browser send requests for them: such a page
// can give this machine a name of its own, but cannot choose the Host and Origin that the browser
// tells.
#pragma once

#include <string>
#include <string_view>

#include <damrak/http/server.hpp>

namespace damrak::http {

/// Whether a Host is localhost or a loopback address, with any port.
[[nodiscard]] inline bool names_this_machine(std::string_view host) {
    for (const std::string_view name : {"localhost", "127.0.0.1", "[::1]"}) {
        if (!host.starts_with(name)) continue;
        const std::string_view rest = host.substr(name.size());
        if (rest.empty() || rest.front() == ':') return true;
    }
    return false;
}

/// A request over loopback must name this machine.
[[nodiscard]] inline bool has_sound_host(const Request& request) {
    return !request.is_local || names_this_machine(request.host);
}

/// Whether it comes from a page of this service, or from no page.
[[nodiscard]] inline bool is_of_own_page(const Request& request) {
    const std::string host{request.host};
    return request.origin.empty() || request.origin == "http://" + host ||
           request.origin == "https://" + host;
}

}  // namespace damrak::http
