// Versions of FIX as the parameter of a fixture: their names in the output of tests, and the lists
// that several fixtures take. Used by tests/gateways/gateway/fix/.
#pragma once

#include <string>

#include <gtest/gtest.h>

namespace damrak::testing {

/// "FIX42" for FIX.4.2.
[[nodiscard]] inline std::string version_name(const ::testing::TestParamInfo<std::string>& of) {
    std::string name = of.param;
    std::erase(name, '.');
    return name;
}

/// Those that have market data and quotes.
[[nodiscard]] inline auto versions_from_42() {
    return ::testing::Values("FIX.4.2", "FIX.4.3", "FIX.4.4", "FIX.5.0", "FIX.5.0SP1",
                             "FIX.5.0SP2");
}

/// One of each way to report a change of an order.
[[nodiscard]] inline auto versions_of_reports() {
    return ::testing::Values("FIX.4.1", "FIX.4.2", "FIX.4.4", "FIX.5.0SP2");
}

}  // namespace damrak::testing
