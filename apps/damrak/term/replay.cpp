#include "term/replay.hpp"

#include <chrono>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <damrak/http/client.hpp>

#include "serve/replay.hpp"

namespace damrak::app {

std::expected<std::vector<std::string>, std::string> ask_replay(const std::string& host,
                                                                std::uint16_t http_port,
                                                                const std::string& control) {
    const auto answer = http::ask({.address = host,
                                   .port = http_port,
                                   .path = k_replay_path,
                                   .json = control,
                                   .patience = std::chrono::seconds{1}});
    if (!answer) return std::unexpected{answer.error()};
    try {
        const auto told = nlohmann::json::parse(answer->body);
        if (answer->status != 200)
            return std::unexpected{told.at("error").at("message").get<std::string>()};
        const auto& speed = told.at("speed");
        const auto& drift = told.at("drift");
        const bool paused = told.at("paused").get<bool>();
        const bool over = told.at("over").get<bool>();
        return std::vector{
            fmt::format("{} of {}, {}", told.at("time").get<std::string>(),
                        told.at("date").get<std::int32_t>(),
                        over     ? std::string{"over"}
                        : paused ? std::string{"paused"}
                                 : "speed " + (speed.is_string() ? speed.get<std::string>()
                                                                 : speed.dump())),
            fmt::format("{} messages played; clients took {}; {} differences; {} did not trade",
                        drift.at("messages").get<std::uint64_t>(),
                        drift.at("taken").get<std::uint64_t>(),
                        drift.at("differences").get<std::uint64_t>(),
                        drift.at("missed_quantity").get<std::uint64_t>())};
    } catch (const nlohmann::json::exception&) {
        return std::unexpected{
            fmt::format("port {} of {} answers nothing about a replayed day", http_port, host)};
    }
}

}  // namespace damrak::app
