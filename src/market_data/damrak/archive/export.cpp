#include <damrak/archive/export.hpp>

#include <algorithm>
#include <chrono>
#include <optional>
#include <system_error>
#include <type_traits>
#include <utility>

#include <fmt/format.h>
#include <unistd.h>

#include <damrak/archive/broken_trades.hpp>
#include <damrak/archive/day_cursor.hpp>
#include <damrak/archive/detail/dbn_export.hpp>
#include <damrak/archive/detail/pcap_export.hpp>
#include <damrak/convert/itch_to_lobster.hpp>
#include <damrak/files/byte_sink.hpp>
#include <damrak/wire/dbn/writer.hpp>
#include <damrak/wire/itch/encode.hpp>
#include <damrak/wire/itch/walk.hpp>

namespace damrak::archive {

namespace itch = wire::itch;

namespace {

constexpr std::size_t k_text_bytes = std::size_t{1} << 18U;

template <class F>
struct EachMessage {
    const F& f;
    std::uint64_t sequence;
    std::span<const std::byte>& rest;  ///< of the block

    void on(const auto& message) {
        using M = std::remove_cvref_t<decltype(message)>;
        f(++sequence, message, rest.first(itch::k_frame_length<M>));
        rest = rest.subspan(itch::k_frame_length<M>);
    }
};

/// Passes each message up to the end of the window to `f(sequence, message, frame)`. An error if
/// something is missing, unless a part is wanted.
template <class F>
Result<void> each_message(const Day& day, const Export& wanted, Exported& exported,
                          const OnExported& on_exported, const F& f) {
    DayCursor cursor{day, {.until_ns = wanted.until_ns}};
    std::span<const std::byte> rest;
    for (;;) {
        const auto block = cursor.next();
        if (!block) {
            exported.completeness = block.error().completeness();
            break;
        }
        if (!*block) {
            exported.completeness = cursor.at_end();
            break;
        }
        rest = (*block)->frames;
        EachMessage<F> visitor{f, exported.messages = (*block)->first_message - 1, rest};
        const auto walked = itch::walk((*block)->frames, visitor);
        exported.messages = visitor.sequence;
        if (walked.end == itch::WalkEnd::fault || !rest.empty()) {
            exported.completeness = cursor.invalid(visitor.sequence + 1).completeness();
            break;
        }
        on_exported(exported.messages);
    }
    if (exported.completeness.is_complete() || wanted.takes_a_part) return {};
    return std::unexpected{
        fmt::format("{}; --partial exports what is before", exported.completeness.missing.front())};
}

/// Selects messages by instrument and window.
struct Wanted {
    std::optional<std::uint16_t> locate;
    std::int64_t from_ns = 0;
    std::int64_t until_ns = 0;

    [[nodiscard]] bool has(const auto& message) const {
        return (!locate || message.stock_locate == *locate) && message.timestamp_ns >= from_ns &&
               message.timestamp_ns <= until_ns;
    }
};

std::uint64_t midnight_ns(std::int32_t date) {
    using namespace std::chrono;
    if (date == 0) return 0;
    const sys_days day{year{date / 10'000} / (date / 100 % 100) / (date % 100)};
    return static_cast<std::uint64_t>(duration_cast<nanoseconds>(day.time_since_epoch()).count());
}

std::int32_t next_date(std::int32_t date) {
    using namespace std::chrono;
    if (date == 0) return 19'700'102;
    const year_month_day next{sys_days{year{date / 10'000} / (date / 100 % 100) / (date % 100)} +
                              days{1}};
    return static_cast<int>(next.year()) * 10'000 +
           static_cast<std::int32_t>(static_cast<unsigned>(next.month()) * 100 +
                                     static_cast<unsigned>(next.day()));
}

// Messages about the whole market go into each instrument's file.
Result<Exported> export_itch(const Day& day, const Export& wanted, const Wanted& which,
                             const OnExported& on_exported) {
    auto sink = files::ByteSink::create(wanted.to);
    if (!sink) return std::unexpected{std::move(sink.error())};
    std::vector<std::byte> buffer;
    Exported exported;
    const auto flush = [&] {
        sink->write(buffer);
        buffer.clear();
    };
    const auto read = each_message(
        day, wanted, exported, on_exported,
        [&](std::uint64_t, const auto& message, std::span<const std::byte> frame) {
            if (which.locate && message.stock_locate != *which.locate && message.stock_locate != 0)
                return;
            buffer.insert(buffer.end(), frame.begin(), frame.end());
            ++exported.rows;
            if (buffer.size() >= k_text_bytes) flush();
        });
    if (!read) return std::unexpected{read.error()};
    flush();
    if (auto closed = sink->close(); !closed) return std::unexpected{std::move(closed.error())};
    exported.files = {wanted.to};
    return exported;
}

Result<Exported> export_dbn(const Day& day, const Export& wanted, const Wanted& which,
                            const OnExported& on_exported) {
    const std::uint64_t midnight = midnight_ns(day.date());
    wire::dbn::FileHead head{
        .schema = wanted.schema,
        .dataset = "DAMRAK.ITCH",
        .start_ns =
            midnight + static_cast<std::uint64_t>(std::max(day.first_time_ns(), wanted.from_ns)),
        .end_ns = midnight +
                  static_cast<std::uint64_t>(std::min(day.last_time_ns(), wanted.until_ns)) + 1,
        .first_date = day.date() == 0 ? 19'700'101 : day.date(),
        .last_date = next_date(day.date()),
        .instruments = {}};
    for (const Instrument& one : day.instruments())
        if (!which.locate || one.locate == *which.locate)
            head.instruments.push_back({.symbol = one.symbol, .number = one.locate});
    auto writer = wire::dbn::Writer::create(wanted.to, head);
    if (!writer) return std::unexpected{std::move(writer.error())};
    const auto broken = broken_trades(day);
    if (!broken.completeness.is_complete() && !wanted.takes_a_part)
        return std::unexpected{broken.completeness.missing.front()};
    DbnExport exporter{*writer, wanted.schema, midnight, broken.value};
    Exported exported;
    const auto read = each_message(day, wanted, exported, on_exported,
                                   [&](std::uint64_t sequence, const auto& message, auto) {
                                       exporter.on(sequence, message, which.has(message));
                                   });
    if (!read) return std::unexpected{read.error()};
    if (auto closed = writer->close(); !closed) return std::unexpected{std::move(closed.error())};
    exported.completeness.add(broken.completeness);
    exported.rows = writer->records();
    exported.files = {wanted.to};
    return exported;
}

Result<Exported> export_pcap(const Day& day, const Export& wanted, const OnExported& on_exported) {
    auto sink = files::ByteSink::create(wanted.to);
    if (!sink) return std::unexpected{std::move(sink.error())};
    const std::string_view source = day.source();
    constexpr std::size_t k_session_digits = 10;
    const std::string session =
        source.size() > k_session_digits && source.starts_with("feed session ")
            ? std::string{source.substr(source.size() - k_session_digits)}
            : fmt::format("{:08}00", day.date());
    PcapExport exporter{*std::move(sink), session, midnight_ns(day.date())};
    Exported exported;
    const auto read = each_message(
        day, wanted, exported, on_exported,
        [&](std::uint64_t sequence, const auto& message, std::span<const std::byte> frame) {
            exporter.add(sequence, message.timestamp_ns, frame);
        });
    if (!read) return std::unexpected{read.error()};
    if (auto closed = exporter.close(); !closed) return std::unexpected{std::move(closed.error())};
    exported.rows = exporter.packets();
    exported.files = {wanted.to};
    return exported;
}

/// AAPL_…_message_10.csv gives AAPL_…_orderbook_10.csv; other names get the word before their
/// extension.
std::filesystem::path order_book_beside(const std::filesystem::path& messages) {
    std::string name = messages.filename().string();
    constexpr std::string_view k_message = "message";
    if (const std::size_t at = name.rfind(k_message); at != std::string::npos)
        name.replace(at, k_message.size(), "orderbook");
    else
        name.insert(std::min(name.find('.'), name.size()), "_orderbook");
    return messages.parent_path() / name;
}

Result<Exported> export_lobster(const Day& day, const Export& wanted,
                                const OnExported& on_exported) {
    std::filesystem::path between = wanted.to;
    between += fmt::format(".{}.itch", ::getpid());
    Export as_itch = wanted;
    as_itch.to = between;
    auto exported = export_itch(day, as_itch, {}, on_exported);
    if (!exported) return exported;
    const std::filesystem::path book = order_book_beside(wanted.to);
    convert::ItchToLobster conversion{.itch = between,
                                      .symbol = wanted.symbol,
                                      .begin_ns = wanted.from_ns,
                                      .end_ns = wanted.until_ns,
                                      .levels = wanted.depth,
                                      .messages = wanted.to,
                                      .book = std::nullopt,
                                      .marks = day.marks()};
    if (wanted.depth > 0) conversion.book = book;
    const auto converted =
        convert::convert(conversion, [](files::ByteSource::Progress, std::uint64_t) {});
    std::error_code ignored;
    std::filesystem::remove(between, ignored);
    if (!converted) return std::unexpected{converted.error()};
    exported->rows = converted->rows;
    exported->files = {wanted.to};
    if (wanted.depth > 0) exported->files.push_back(book);
    return exported;
}

/// Levels of the book that the output shows after each message.
std::size_t levels_shown(const Export& wanted) {
    using enum wire::dbn::Schema;
    if (wanted.form == ExportForm::lobster) return wanted.depth;
    if (wanted.form != ExportForm::dbn) return 0;
    return wanted.schema == mbp_1 ? 1 : wanted.schema == mbp_10 ? 10 : 0;
}

/// What the output would show of the book, but the day does not know; empty: nothing.
std::string not_known(const DayDepth& depth, const Export& wanted) {
    const std::size_t levels = levels_shown(wanted);
    if (levels == 0) return {};
    if (depth.has(DayDepth::k_no_book)) return sentences(depth).front();
    if (depth.depth > 0 && levels > depth.depth)
        return fmt::format("{} levels are wanted, and of this day {} are known", levels,
                           depth.depth);
    if (wanted.from_ns < depth.book_from_ns)
        return fmt::format("{}: begin the output there, with --from",
                           why_not_known(depth, wanted.from_ns));
    if (wanted.until_ns > depth.book_until_ns)
        return fmt::format("{}: end the output there, with --until",
                           why_not_known(depth, wanted.until_ns));
    return {};
}

}  // namespace

Result<Instrument> find_instrument(const Day& day, std::string_view symbol) {
    for (Instrument& one : day.instruments())
        if (one.symbol == symbol) return std::move(one);
    return std::unexpected{
        fmt::format("the day has no instrument {}: damrak archive info lists them", symbol)};
}

Result<Exported> export_day(const Day& day, const Export& wanted, const OnExported& on_exported) {
    if (std::string why = not_known(day.depth(), wanted); !why.empty())
        return std::unexpected{std::move(why)};
    Wanted which{.locate = std::nullopt, .from_ns = wanted.from_ns, .until_ns = wanted.until_ns};
    if (!wanted.symbol.empty()) {
        const auto instrument = find_instrument(day, wanted.symbol);
        if (!instrument) return std::unexpected{instrument.error()};
        which.locate = instrument->locate;
    }
    switch (wanted.form) {
        case ExportForm::itch:
            return export_itch(day, wanted, which, on_exported);
        case ExportForm::lobster:
            return export_lobster(day, wanted, on_exported);
        case ExportForm::dbn:
            return export_dbn(day, wanted, which, on_exported);
        case ExportForm::pcap:
            return export_pcap(day, wanted, on_exported);
    }
    return std::unexpected{std::string{"no such form"}};
}

}  // namespace damrak::archive
