#include <damrak/archive/detail/dbn_import.hpp>

#include <functional>
#include <optional>

#include <fmt/format.h>

#include <damrak/archive/detail/dbn_levels.hpp>
#include <damrak/archive/detail/dbn_orders.hpp>

namespace damrak::archive {

namespace {

namespace dbn = wire::dbn;
using dbn::Schema;

/// What is known of the books of a day with records of a schema; empty: it is not imported.
std::optional<DayDepth> depth_of_schema(Schema schema) {
    constexpr std::uint16_t k_most_levels = 10;
    switch (schema) {
        case Schema::mbo:
            return DayDepth{};
        case Schema::mbp_1:
            return DayDepth{.depth = 1, .book_flags = DayDepth::k_levels_alone};
        case Schema::mbp_10:
            return DayDepth{.depth = k_most_levels, .book_flags = DayDepth::k_levels_alone};
        case Schema::bbo_1s:
        case Schema::bbo_1m:
            return DayDepth{.depth = 1,
                            .book_flags = DayDepth::k_levels_alone | DayDepth::k_instants_only};
        case Schema::tbbo:
        case Schema::trades:
            return DayDepth{.book_flags = DayDepth::k_no_book};
    }
    return std::nullopt;
}

/// Passes a record to what handles its kind: false if nothing does.
std::expected<bool, std::string> take(const dbn::Record& record, Schema schema, DbnOrders& orders,
                                      DbnLevels& levels) {
    const auto done =
        [](std::expected<void, std::string> taken) -> std::expected<bool, std::string> {
        if (!taken) return std::unexpected{std::move(taken.error())};
        return true;
    };
    const std::uint8_t type = record.type();
    if (schema == Schema::mbo && type == dbn::MboRecord::k_type) {
        if (const auto event = record.as<dbn::MboRecord>()) return done(orders.on(*event));
    } else if (schema == Schema::mbp_1 && type == dbn::MbpRecord<1>::k_type) {
        if (const auto one = record.as<dbn::MbpRecord<1>>())
            return done(levels.on_change(one->change, one->levels));
    } else if (schema == Schema::mbp_10 && type == dbn::MbpRecord<10>::k_type) {
        if (const auto one = record.as<dbn::MbpRecord<10>>())
            return done(levels.on_change(one->change, one->levels));
    } else if ((schema == Schema::bbo_1s || schema == Schema::bbo_1m) &&
               (type == dbn::BboRecord::k_type || type == dbn::BboRecord::k_type_of_minutes)) {
        if (const auto one = record.as<dbn::BboRecord>()) return done(levels.on_instant(*one));
    } else if ((schema == Schema::tbbo && type == dbn::MbpRecord<1>::k_type) ||
               (schema == Schema::trades && type == dbn::LevelRecord::k_type)) {
        if (const auto one = record.as<dbn::LevelRecord>()) return done(levels.on_trade(*one));
    }
    return false;
}

}  // namespace

std::expected<Imported, std::string> import_dbn(const Import& from, const OnImported& on_imported) {
    auto reader = dbn::Reader::open(from.from);
    if (!reader) return std::unexpected{std::move(reader.error())};
    const Schema schema = reader->metadata().schema;
    const auto depth = depth_of_schema(schema);
    if (!depth)
        return std::unexpected{fmt::format(
            "{}: records of the schema {} give neither a book nor trades: request mbo, mbp-1, "
            "mbp-10, bbo-1s, bbo-1m, tbbo or trades",
            from.from.string(), dbn::name_of(schema))};
    if (from.date != 0)
        return std::unexpected{
            fmt::format("{}: its records have dates: leave --date out", from.from.string())};
    DayFiles files{from};
    DbnDays days{files, reader->metadata(), *depth};
    DbnOrders orders{days};
    DbnLevels levels{days};
    std::string cut;
    constexpr std::uint64_t k_report_every = 1U << 16U;
    for (std::uint64_t records = 0;; ++records) {
        const auto record = reader->next();
        if (!record) {
            // A truncated file gives a day up to its end.
            if (records == 0) return std::unexpected{record.error()};
            cut = record.error();
            break;
        }
        if (!*record) break;
        const auto taken = take(**record, schema, orders, levels);
        if (!taken) return std::unexpected{taken.error()};
        if (!*taken)
            days.drop(fmt::format("records of type {}", dbn::name_of_record((*record)->type())));
        if (records % k_report_every == 0) on_imported(reader->progress().consumed_bytes, records);
    }
    if (auto ended = orders.end(); !ended) return std::unexpected{std::move(ended.error())};
    if (!cut.empty() && files.has_begun()) files.note_cut();
    auto imported = days.finish();
    if (imported) imported->cut = std::move(cut);
    return imported;
}

}  // namespace damrak::archive
