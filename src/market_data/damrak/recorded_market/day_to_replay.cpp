#include <damrak/recorded_market/day_to_replay.hpp>

#include <cstdint>
#include <fstream>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <variant>

#include <fmt/format.h>

#include <damrak/archive/day_cursor.hpp>
#include <damrak/archive/day_writer.hpp>
#include <damrak/base/crc32c.hpp>
#include <damrak/modify/modifier.hpp>
#include <damrak/recorded_market/archived_file.hpp>
#include <damrak/recorded_market/detail/content_checksum.hpp>

namespace damrak::recorded_market {

namespace {

namespace fs = std::filesystem;
using modify::Modification;

archive::Result<fs::path> file_for(const fs::path& recorded, const fs::path& folder,
                                   const Modification& modification) {
    const std::string identity = modify::identity_of(modification);
    const auto key = detail::content_checksum(
        recorded, crc32c(std::as_bytes(std::span{identity}), archive::k_day_version));
    if (!key) return std::unexpected{key.error()};
    return folder / fmt::format("{}.modified-{:08x}.dar", recorded.stem().string(), *key);
}

/// The counts of a modified day stand beside it, a line each.
fs::path report_of(const fs::path& made) { return fs::path{made}.replace_extension(".modified"); }

std::optional<modify::Report> read_report(const fs::path& made) {
    std::ifstream in{report_of(made)};
    modify::Report report;
    std::string table;
    std::string key;
    for (std::size_t i = 0; i < modify::k_counts.size(); ++i)
        if (!(in >> table >> key >> report.all()[i]) || key != modify::k_counts[i].key)
            return std::nullopt;
    return report;
}

archive::Result<void> write_report(const fs::path& made, const modify::Report& report) {
    std::ofstream out{report_of(made)};
    for (std::size_t i = 0; i < modify::k_counts.size(); ++i) {
        const std::string_view table = modify::k_counts[i].table;
        out << (table.empty() ? "all" : table) << ' ' << modify::k_counts[i].key << ' '
            << report.all()[i] << '\n';
    }
    out.flush();
    if (out) return {};
    return std::unexpected{fmt::format("{}: it cannot be written", report_of(made).string())};
}

archive::Result<modify::Report> make(const fs::path& recorded, const fs::path& to,
                                     const Modification& modification) {
    const auto day = archive::Day::open(recorded);
    if (!day) return std::unexpected{day.error()};
    auto writer = archive::DayWriter::create(
        to, {.date = day->date(),
             .source = fmt::format("{}, modified by {}", day->source(), modification.file),
             .depth = day->depth()});
    if (!writer) return std::unexpected{std::move(writer.error())};
    modify::Modifier modifier{modification, day->depth().depth,
                              [&](const wire::itch::Message& message) {
                                  std::visit([&](const auto& one) { writer->add(one); }, message);
                              }};
    archive::DayCursor cursor{*day};
    const archive::Completeness read =
        archive::read_messages(cursor, [&](std::uint64_t /*sequence*/, const auto& message) {
            modifier.put(message);
            return modifier.error().empty();
        });
    if (!modifier.error().empty()) return std::unexpected{modifier.error()};
    if (!read.is_complete())
        return std::unexpected{fmt::format(
            "{}; only a day of which no message is missing is modified", read.missing.front())};
    if (read.is_being_written)
        return std::unexpected{
            fmt::format("{}: the day is being written; only a day that has ended is modified",
                        recorded.string())};
    modifier.finish();
    if (auto done = writer->close(); !done) return std::unexpected{std::move(done.error())};
    return modifier.report();
}

}  // namespace

archive::Result<DayToReplay> day_to_replay(const fs::path& named, const fs::path& folder,
                                           bool trust_messages,
                                           const std::optional<Modification>& modification) {
    auto recorded = archived_file(named, folder, trust_messages);
    if (!recorded) return std::unexpected{std::move(recorded.error())};
    if (!modification) return DayToReplay{.file = *std::move(recorded), .changes = {}};
    std::error_code error;
    fs::create_directories(folder, error);
    if (error) return std::unexpected{fmt::format("{}: {}", folder.string(), error.message())};
    const auto file = file_for(*recorded, folder, *modification);
    if (!file) return std::unexpected{file.error()};
    DayToReplay made{.file = *file,
                     .changes = modify::Changes{
                         .file = modification->file, .seed = modification->seed, .report = {}}};
    if (const auto known = fs::exists(*file) ? read_report(*file) : std::nullopt) {
        made.changes->report = *known;
        return made;
    }
    const auto report = make(*recorded, *file, *modification);
    if (!report) return std::unexpected{report.error()};
    if (auto written = write_report(*file, *report); !written)
        return std::unexpected{std::move(written.error())};
    made.changes->report = *report;
    return made;
}

}  // namespace damrak::recorded_market
