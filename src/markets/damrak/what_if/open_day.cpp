#include <algorithm>
#include <chrono>
#include <limits>
#include <utility>

#include <fmt/format.h>

#include <damrak/recorded_market/day_to_replay.hpp>
#include <damrak/what_if/what_if.hpp>

namespace damrak::what_if {
namespace {

std::int64_t midnight_of(std::int32_t date) {
    if (date == 0) return 0;
    const std::chrono::year_month_day day{
        std::chrono::year{date / 10'000},
        std::chrono::month(static_cast<unsigned>(date / 100 % 100)),
        std::chrono::day(static_cast<unsigned>(date % 100))};
    return std::chrono::nanoseconds{std::chrono::sys_days{day}.time_since_epoch()}.count();
}

std::expected<archive::Instrument, std::string> instrument_of(const archive::Day& day,
                                                              const DaySource& source) {
    const auto instruments = day.instruments();
    const std::string file = source.file.string();
    if (source.symbol.empty()) {
        if (instruments.size() == 1) return instruments.front();
        return std::unexpected{instruments.empty()
                                   ? fmt::format("{}: the day has no instruments", file)
                                   : fmt::format("{}: the day has {} instruments: give --symbol",
                                                 file, instruments.size())};
    }
    const auto found = std::ranges::find(instruments, source.symbol, &archive::Instrument::symbol);
    if (found != instruments.end()) return *found;
    return std::unexpected{fmt::format("{}: the day has no symbol '{}'; see `damrak archive info`",
                                       file, source.symbol)};
}

}  // namespace

std::expected<OpenDay, std::string> open_day(const DaySource& source) {
    auto found = recorded_market::day_to_replay(source.file, source.folder, source.trust_messages,
                                                source.modification);
    if (!found) return std::unexpected{std::move(found.error())};
    auto opened = archive::Day::open(found->file);
    if (!opened) return std::unexpected{std::move(opened.error())};
    OpenDay made;
    made.changes = std::move(found->changes);
    made.day = std::make_unique<archive::Day>(*std::move(opened));
    if (const auto why = archive::why_no_orders(made.day->depth()); !why.empty())
        return std::unexpected{fmt::format("{}: {}", source.file.string(), why)};
    const auto instrument = instrument_of(*made.day, source);
    if (!instrument) return std::unexpected{instrument.error()};
    made.locate = instrument->locate;
    const archive::DayDepth& depth = made.day->depth();
    if (const auto why =
            archive::why_not_known(depth, std::max(source.from_ns, depth.book_from_ns));
        !why.empty())
        return std::unexpected{fmt::format("{}: {}", source.file.string(), why)};
    made.window = {.from_ns = std::max(source.from_ns, depth.book_from_ns),
                   .until_ns = std::min(source.until_ns, depth.book_until_ns),
                   .only = instrument->locate};
    made.begin_ns = std::max(made.window.from_ns, made.day->first_time_ns());
    const std::int64_t end_ns = std::min(made.window.until_ns, made.day->last_time_ns());
    if (made.day->messages() == 0 || end_ns <= made.begin_ns)
        return std::unexpected{
            fmt::format("{}: the day has no messages in these hours", source.file.string())};
    made.midnight_ns = midnight_of(made.day->date());
    auto messages = recorded_market::RecordedMessages::make(*made.day, made.window);
    if (!messages) return std::unexpected{std::move(messages.error())};
    RecordedMarket record{*std::move(messages), made.locate};
    if (!record.find_first_quote())
        return std::unexpected{fmt::format("{}: {} never has a bid and an ask in these hours",
                                           source.file.string(), instrument->symbol)};
    InstrumentDefinition& definition = made.given.instrument.definition;
    definition.id = InstrumentId{1};
    definition.symbol = Symbol::of(instrument->symbol);
    definition.tick_bands[0] = {Price{0}, Price{source.tick}};
    made.given.instrument.fundamental.start = static_cast<double>(record.top().twice_mid()) / 2;
    made.given.duration_ns = end_ns - made.begin_ns;
    return made;
}

}  // namespace damrak::what_if
