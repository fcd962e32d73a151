#include "serve_report.hpp"

#include <array>
#include <cstdio>
#include <string_view>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "cli.hpp"

namespace damrak::app {

namespace {

void tell_recovered(const Exchange& exchange) {
    const Recovered& recovered = exchange.recovered();
    const journal::Recovery& journal = recovered.journal;
    if (journal.last_sequence == 0) {
        fmt::print(stderr, "recovered    nothing: a new journal\n");
        return;
    }
    const std::string from =
        recovered.snapshot == 0
            ? std::string{}
            : fmt::format("the snapshot of record {}, then ", recovered.snapshot);
    fmt::print(stderr, "recovered    {}{} up to record {} in {:.2f} s; state hash {:016x}\n", from,
               counted(static_cast<std::int64_t>(journal.records), "record"), journal.last_sequence,
               recovered.seconds, exchange.sequencer().engine().state_hash());
    if (!journal.cut.empty()) fmt::print(stderr, "note         {}\n", journal.cut);
    for (const std::string& note : recovered.notes) fmt::print(stderr, "note         {}\n", note);
    if (const auto& divergence = exchange.follower().state().divergence())
        fmt::print(stderr,
                   "note         the state differs from what record {} says of it ({:016x}, and "
                   "recorded is {:016x}): tell the developers\n",
                   divergence->sequence, divergence->replayed, divergence->recorded);
}

}  // namespace

void tell_summary(const ServeSettings& settings, const Exchange& exchange) {
    constexpr std::array<std::string_view, 3> k_durability{
        "async: answers survive the end of the process; synced behind",
        "group: answers wait for the disk, many at a time",
        "sync: answers wait for the disk, one at a time"};
    fmt::print(stderr, "data         {}\n", std::filesystem::absolute(settings.data).string());
    fmt::print(stderr, "durability   {}\n",
               k_durability.at(static_cast<std::size_t>(settings.durability)));
    tell_recovered(exchange);
    fmt::print(stderr, "entry        open to everyone who connects (no API keys are set)\n");
    fmt::print(stderr, "connect      damrak load --port PORT, or any client of the protocol\n");
}

void tell_ready(const std::map<std::string, std::uint16_t>& ports, bool json) {
    if (json) {
        fmt::print("{}\n", nlohmann::ordered_json{{"ready", true}, {"ports", ports}}.dump());
    } else {
        fmt::print("ready");
        for (const auto& [door, port] : ports) fmt::print(" {}={}", door, port);
        fmt::print("\n");
    }
    std::fflush(stdout);
}

void tell_closed(const Exchange& exchange) {
    fmt::print(stderr, "closed       state hash {:016x} after {}\n",
               exchange.sequencer().engine().state_hash(),
               counted(static_cast<std::int64_t>(exchange.sequencer().commands()), "command"));
}

}  // namespace damrak::app
