#include "term/instruments.hpp"

#include <chrono>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <damrak/http/client.hpp>
#include <damrak/net/address.hpp>

#include "serve/instruments.hpp"

namespace damrak::app {

std::expected<client::Symbols, std::string> ask_instruments(const std::string& host,
                                                            std::uint16_t http_port,
                                                            std::uint16_t binary_port) {
    const auto failure = [&](std::string_view what) {
        return std::unexpected{
            fmt::format("instrument names are unavailable: {}; see "
                        "--http-port, or use ids, such as #1",
                        what)};
    };
    const auto answer = http::ask({.address = host,
                                   .port = http_port,
                                   .path = k_instruments_path,
                                   .patience = std::chrono::seconds{1}});
    if (!answer) return failure(answer.error());
    const auto object = nlohmann::json::parse(answer->body, nullptr, false);
    const std::string where = net::host_and_port(host, http_port);
    if (answer->status != 200 || !object.is_object() || !object.contains("instruments") ||
        !object["instruments"].is_array())
        return failure(fmt::format("the server at {} does not list them", where));
    const auto ports = object.find("ports");
    if (ports == object.end() || !ports->is_object() || !ports->contains("binary") ||
        (*ports)["binary"] != binary_port)
        return failure(fmt::format("the server at {} is another exchange", where));
    client::Symbols symbols;
    for (const auto& each : object["instruments"]) {
        const auto id = each.find("id");
        const auto symbol = each.find("symbol");
        if (id == each.end() || symbol == each.end() || !id->is_number_unsigned() ||
            !symbol->is_string())
            return failure(fmt::format("the server at {} does not list them", where));
        symbols.add(InstrumentId{id->get<std::uint32_t>()}, symbol->get<std::string>());
    }
    return symbols;
}

}  // namespace damrak::app
