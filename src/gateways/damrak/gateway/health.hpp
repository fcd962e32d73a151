// What gateways report to the operator: how much of their finite resources is used, and
// whether they work. Published figures, for any thread.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <damrak/budget/row.hpp>

namespace damrak::gateway {

/// Usage of a finite resource.
struct Usage {
    std::string_view name;  ///< as in [capacity], or the setting that limits it
    std::uint64_t used = 0;
    std::uint64_t capacity = 0;
    /// Anonymous participants are refused when `anonymous_used` reaches this.
    std::uint64_t anonymous = 0;
    std::uint64_t anonymous_used = 0;

    /// Of a pool that all use together: its anonymous users stop before the others.
    [[nodiscard]] static Usage of_pool(std::string_view name, std::uint64_t used,
                                       std::uint64_t capacity, std::uint64_t anonymous) {
        return {name, used, capacity, anonymous, used};
    }
    /// Of a row; empty if there is none.
    [[nodiscard]] static Usage of_row(std::string_view name, const budget::Row::Figures& row) {
        return {name, row.used, row.total, row.most_strangers, row.strangers};
    }
};
using Usages = std::vector<Usage>;

struct Health {
    std::string failure;  ///< why clients cannot trade; empty: they can
    std::string warning;  ///< in a few words; empty: none
};

}  // namespace damrak::gateway
