#include <array>
#include <cstdint>
#include <string_view>

#include <damrak/exchange/detail/settings/sections.hpp>

namespace damrak::exchange {

void add_journal(Rows<Settings>& rows) {
    using S = Settings;
    static constexpr std::array<std::string_view, 3> k_durabilities{"async", "group", "sync"};
    rows.section("journal");
    rows.text("directory", &S::data, "directory of the journal").by_flag("--data").with_name();
    rows.word("durability", &S::durability, k_durabilities,
              "durability of an acknowledged command: async, group or sync")
        .by_flag("--durability");
    rows.mebibytes("segment_mib", &S::segment_bytes, 1, 65'536,
                   "size of a journal file; the first ones are smaller");
    rows.number("snapshot_every", &S::snapshot_every, 0, std::int64_t{1} << 62U,
                "records between snapshots; 0: only at the end");
    rows.mebibytes("retention_mib", &S::retention_bytes, 0, std::int64_t{1} << 40U,
                   "total size of segments to keep; 0: unlimited");
    rows.number("retention_s", &S::retention_s, 0, k_century_s,
                "age after which a segment may be removed; 0: never");
    rows.number("clock_behind_s", &S::clock_behind_s, 0, k_century_s,
                "a start needs --accept-clock if the clock is further behind the last record");
    rows.number("clock_ahead_s", &S::clock_ahead_s, 0, k_century_s,
                "a start needs --accept-clock if the clock is further ahead of the last record");
    rows.truth("accept_clock", &S::accept_clock,
               "start although the system clock is far from the journal's last record")
        .by_flag("--accept-clock")
        .by_flag_only()
        .by_reload();
}

}  // namespace damrak::exchange
