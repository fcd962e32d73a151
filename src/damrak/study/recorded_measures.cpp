#include <damrak/study/recorded_measures.hpp>

#include <algorithm>
#include <unordered_set>
#include <utility>
#include <variant>
#include <vector>

#include <fmt/format.h>

#include <damrak/archive/day.hpp>
#include <damrak/archive/day_search.hpp>
#include <damrak/archive/import.hpp>
#include <damrak/convert/unseen_orders.hpp>
#include <damrak/lobster/reader.hpp>
#include <damrak/order_flow/itch_flow.hpp>
#include <damrak/order_flow/lobster_flow.hpp>
#include <damrak/replay/lobster_files.hpp>
#include <damrak/study/public_recording.hpp>

namespace damrak::study {
namespace {

RecordedMeasures finish(measures::Measures& measures, PublicRecording& recording) {
    return {measures.finish({recording.last_ns()}), recording.anomalies().total()};
}

using Rows = std::vector<lobster::MessageRow>;
using Seeds = std::vector<convert::SeedOrder>;

/// The book before the first message, by the first row of the book file.
std::expected<Seeds, std::string> first_book(const std::filesystem::path& path, const Rows& rows,
                                             const convert::UnseenOrders& unseen) {
    auto reader = lobster::BookReader::open(path);
    if (!reader) return std::unexpected{reader.error().text};
    const auto levels = reader->next();
    if (!levels) return std::unexpected{levels.error().text};
    if (!*levels) return std::unexpected{fmt::format("{}: no rows", path.string())};
    const auto first = std::ranges::find_if(
        rows, [&](const lobster::MessageRow& row) { return convert::reaches(row, **levels); });
    if (first == rows.end()) return Seeds{};
    auto seeds = convert::book_before(*first, **levels, unseen);
    if (!seeds) return std::unexpected{fmt::format("{}: row 1: {}", path.string(), seeds.error())};
    return seeds;
}

std::expected<RecordedMeasures, std::string> measure_lobster(const RecordedDay& day,
                                                             const MeasuredHours& hours,
                                                             const measures::Settings& settings) {
    const auto loaded = replay::load_messages(day.path);
    if (!loaded.error.empty()) return std::unexpected{loaded.error};
    const Rows& rows = loaded.content;
    convert::UnseenOrders unseen;
    for (const lobster::MessageRow& row : rows)
        if (const auto seen = unseen.see(row); !seen)
            return std::unexpected{fmt::format("{}: {}", day.path.string(), seen.error())};
    Seeds seeds;
    if (day.lobster_book) {
        auto read = first_book(*day.lobster_book, rows, unseen);
        if (!read) return std::unexpected{read.error()};
        seeds = std::move(*read);
    }
    measures::Measures measures{settings};
    PublicRecording recording{measures, hours.begin_ns};
    order_flow::LobsterFlow flow{recording, day.symbol};
    std::unordered_set<std::uint64_t> seeded;
    const auto seed = [&](const convert::SeedOrder& order) {
        if (!seeded.insert(order.order_id).second) return;
        recording.seed(flow.instrument(), OrderId{order.order_id}, order.side,
                       Price{order.price_e4}, Quantity{order.quantity});
    };
    for (const convert::SeedOrder& order : seeds) seed(order);
    for (const lobster::MessageRow& row : rows) {
        if (row.time_ns > hours.end_ns) break;
        if (const auto* const order = unseen.find(row.order_id)) seed(*order);
        static_cast<void>(flow.on(row));
    }
    return finish(measures, recording);
}

std::expected<RecordedMeasures, std::string> measure_archived(const RecordedDay& recorded,
                                                              const MeasuredHours& hours,
                                                              const measures::Settings& settings) {
    const auto day = archive::Day::open(recorded.path);
    if (!day) return std::unexpected{day.error()};
    const std::vector<archive::Instrument> instruments = day->instruments();
    const auto found =
        std::ranges::find(instruments, recorded.symbol, &archive::Instrument::symbol);
    if (found == instruments.end())
        return std::unexpected{
            fmt::format("{}: the day has no symbol '{}'; see `damrak archive info`",
                        recorded.path.string(), recorded.symbol)};
    measures::Measures measures{settings};
    PublicRecording recording{measures, hours.begin_ns};
    order_flow::ItchFlow<PublicRecording> flow{recording, order_flow::Selection{}};
    const auto read = archive::for_each_message(
        *day, found->locate, 0, hours.end_ns,
        [&](std::uint64_t /*sequence*/, const wire::itch::Message& message) {
            std::visit(
                [&](const auto& m) {
                    if constexpr (requires { flow.on(m); }) static_cast<void>(flow.on(m));
                },
                message);
        });
    if (!read) return std::unexpected{read.error()};
    return finish(measures, recording);
}

}  // namespace

std::expected<RecordedMeasures, std::string> measure_day(const RecordedDay& day,
                                                         const MeasuredHours& hours,
                                                         const measures::Settings& settings) {
    return archive::is_lobster(day.path) ? measure_lobster(day, hours, settings)
                                         : measure_archived(day, hours, settings);
}

}  // namespace damrak::study
