#include <damrak/exchange/detail/settings/sections.hpp>

namespace damrak::exchange {

void add_telemetry(Rows<Settings>& rows) {
    using S = Settings;
    rows.section("telemetry");
    rows.number("timing_every", &S::timing_every, 0, 999'999'999,
                "time the stages of every Nth message; 0 or off: no timing")
        .by_flag("--timing")
        .or_off();
    rows.truth("event_log", &S::event_log, "write events as CSV files to the directory of the run")
        .by_flag("--event-log");
    rows.truth("classic_logs", &S::classic_logs,
               "also write the CSV files of MiniExchange's server")
        .by_flag("--classic-logs");
    rows.number("keep_runs", &S::keep_runs, 0, 1'000'000,
                "number of run directories to keep, including this one; 0: all")
        .by_flag("--keep-runs");
}

}  // namespace damrak::exchange
