// Settings of a small exchange for tests that start one in each wiring.
#pragma once

#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include <damrak/exchange/settings.hpp>

namespace damrak::testing {

/// With one gateway on a free port, and its data in this folder.
[[nodiscard]] inline exchange::Settings small_exchange(const std::filesystem::path& folder,
                                                       exchange::Wiring wiring) {
    exchange::Settings settings;
    settings.ports = {{"binary", 0}};
    settings.data = folder / "data";
    settings.wiring = wiring;
    if (wiring == exchange::Wiring::pipelined) {
        settings.waiting = Waiting::block;
        settings.shards = 2;
    }
    settings.capacity = EngineConfig{};
    return settings;
}

[[nodiscard]] inline std::string wiring_name(
    const ::testing::TestParamInfo<exchange::Wiring>& given) {
    return given.param == exchange::Wiring::pipelined ? "Pipelined" : "Inline";
}

}  // namespace damrak::testing
