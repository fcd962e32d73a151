#include <cstdint>
#include <string>

#include <damrak/exchange/detail/settings/sections.hpp>
#include <damrak/sequencer/partition.hpp>
#include <damrak/venue/venue_file.hpp>

namespace damrak::exchange {

void add_run(Rows<Settings>& rows) {
    using S = Settings;
    using R = sequencer::RingSizes;
    rows.section("run");
    rows.truth("spin", &S::spin, "never sleep: lowest latency, one whole core").by_flag("--spin");
    rows.word("wiring", &S::wiring, k_wirings,
              "inline: one thread trades; pipelined: own threads for gateways, sequencer and each "
              "shard")
        .by_flag("--wiring");
    rows.number("shards", &S::shards, 1, sequencer::Partition::k_maximum_shards,
                "pipelined: number of matching threads, among which the instruments are divided")
        .by_flag("--shards");
    rows.word("wait", &S::waiting, k_waits, "pipelined: how an idle thread waits")
        .by_flag("--wait");
    rows.text("pin", &S::pin, "cores such as 0,2-5 for gateways, sequencer and shards in turn")
        .by_flag("--pin")
        .checked([](const std::string& text) {
            const auto cores = pinned_cores(text);
            return cores ? std::string{} : cores.error();
        });
    rows.text("venue", &S::venue_name,
              "rules and timetable of the market: name of a ready-made venue (damrak venue list), "
              "or a venue file")
        .by_flag("--venue")
        .checked([](const std::string& name) {
            const auto venue = name.empty() ? venue::Venue{} : venue::find_venue(name);
            return venue ? std::string{} : venue.error();
        })
        .by_reload();
    const auto ring = [](auto member) { return at(&S::rings, member); };
    constexpr std::int64_t k_most_entries = 1'048'576;
    rows.section("run.rings");
    rows.number("inbound", ring(&R::inbound), 8, k_most_entries,
                "pipelined: commands from the gateways to the sequencer");
    rows.number("commands", ring(&R::commands), 4, k_most_entries,
                "pipelined: commands from the sequencer to each shard");
    rows.number("notices", ring(&R::notices), 16, k_most_entries,
                "pipelined: commands whose answers the gateways have not sent yet");
    rows.number("events", ring(&R::events), 1, 64,
                "pipelined: events of each shard, in units of the most events of one command");
}

}  // namespace damrak::exchange
