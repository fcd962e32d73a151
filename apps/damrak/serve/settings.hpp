// What `damrak serve` runs with: the defaults, a configuration file over them, and flags over both.
// Plain values; made once at start and again for each reload.
#pragma once

#include <map>
#include <string>
#include <string_view>

#include <damrak/exchange/settings.hpp>
#include <damrak/net/tls.hpp>

namespace damrak::app {

struct ServeSettings : exchange::Settings {
    /// Where each key that is not as usual was set: a place in the file and the key, or the flag.
    std::map<std::string, std::string, std::less<>> places;
    bool demo_market = false;
    net::TlsFiles http_tls{};           ///< without authorities; empty: no TLS
    std::string operator_token;         ///< empty: the one in the folder of the data
    std::string trading_user = "PAGE";  ///< empty: none
    std::string trading_password;       ///< of that user

    /// How to name this key to its user.
    [[nodiscard]] std::string place(std::string_view key) const {
        const auto found = places.find(key);
        return found == places.end() ? std::string{key} : found->second;
    }
};

}  // namespace damrak::app
