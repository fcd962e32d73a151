#include <cstdint>

#include <damrak/exchange/detail/settings/sections.hpp>

namespace damrak::exchange {

void add_capacity(Rows<Settings>& rows) {
    using E = EngineConfig;
    constexpr std::int64_t k_most_entries = 100'000'000;
    const auto pool = [](auto member) { return at(&Settings::capacity, member); };
    rows.section("capacity");
    rows.number("anonymous_share", &Settings::anonymous_share, 1, 100,
                "percent that anonymous participants may use together")
        .by_reload();
    rows.number("connections", &Settings::connections, 1, 1'000'000,
                "maximum number of connections of each gateway")
        .by_flag("--connections");
    rows.number("instruments", pool(&E::maximum_instruments), 1, 1'000'000,
                "maximum number of instruments");
    rows.number("participants", pool(&E::maximum_participants), 1, k_most_entries,
                "maximum number of participants");
    rows.number("accounts", pool(&E::maximum_accounts), 1, k_most_entries,
                "pairs of participant and instrument with any order so far");
    rows.number("orders", pool(&E::maximum_orders), 1, k_most_entries, "open orders");
    rows.number("special_orders", pool(&E::maximum_extensions), 1, k_most_entries,
                "of them icebergs, stops, minimum quantity, good till date");
    rows.number("levels", pool(&E::maximum_levels), 1, k_most_entries,
                "occupied prices in all books");
    rows.number("ladder_nodes", pool(&E::maximum_ladder_nodes), 1, k_most_entries,
                "blocks of 64 prices with an occupied one");
}

}  // namespace damrak::exchange
