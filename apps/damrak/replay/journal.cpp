// `damrak replay` of a journal, as a market: what was traded in each instrument, up to a time, as a
// table, a chart or CSV. Times are UTC, those of a day are of the day of the newest record.
#include <algorithm>
#include <expected>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <damrak/base/csv_cell.hpp>
#include <damrak/files/byte_sink.hpp>
#include <damrak/journal/recovery.hpp>
#include <damrak/replay/day_plot.hpp>

#include "cli.hpp"
#include "day_text.hpp"
#include "journal/jobs.hpp"
#include "journal/replay.hpp"
#include "journal/text.hpp"

namespace damrak::app {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::int64_t k_day_ns = 86'400'000'000'000;

std::string decimal(Price price, int decimals) {
    return decimal_text(price.value, static_cast<unsigned>(decimals));
}

struct Traded {
    std::string symbol;
    int decimals = 4;
    std::uint64_t orders = 0;
    std::uint64_t trades = 0;
    std::int64_t volume = 0;
    Price first{};
    Price last{};
    Price high{};
    Price low{};
    std::unique_ptr<replay::DaySeries> series;

    void trade(Price price, Quantity quantity) {
        if (trades++ == 0) first = high = low = price;
        high = std::max(high, price);
        low = std::min(low, price);
        last = price;
        volume += quantity.value;
    }
};

// Collects the market from the events of a replay.
class Market {
  public:
    Market(const ReplayOptions& options, std::int64_t day_ns)
        : options_(options), day_ns_(day_ns) {}

    void begin(const JournalReplay& replay) {
        replay_ = &replay;
        depth_.emplace(replay.depth());
    }
    void open_csv(files::ByteSink sink) {
        csv_.emplace(std::move(sink));
        csv_->write(
            "sequence,timestamp_ns,symbol,trade_id,price,quantity,aggressor,resting_order_id,"
            "incoming_order_id,resting_participant,incoming_participant\n");
    }
    [[nodiscard]] std::expected<void, std::string> close_csv() {
        return csv_ ? csv_->close() : std::expected<void, std::string>{};
    }

    void on_event(const Event& event, const CommandStamp& stamp) {
        const bool changed = depth_->on_event(event);
        if (event.instrument == InstrumentId{}) return;
        Traded* const one = find(event.instrument);
        if (one == nullptr) return;
        const std::int64_t time_ns = stamp.timestamp.value - day_ns_;
        if (event.kind == EventKind::accepted) ++one->orders;
        if (event.kind == EventKind::executed) {
            if (has_flag(event, EventFlags::k_implied))
                trade(*one, event, stamp, time_ns);
            else if (has_flag(event, EventFlags::k_aggressor))
                trade(*one, event, stamp, time_ns);
            else
                resting_ = event;
        }
        if (changed && one->series && time_ns >= 0) show_top(*one, event.instrument, time_ns);
    }

    [[nodiscard]] const std::map<InstrumentId, Traded>& instruments() const { return traded_; }
    [[nodiscard]] const views::MarketDepth& depth() const { return *depth_; }

  private:
    static constexpr std::size_t k_most_series = 64;

    // Null for one that was not asked for.
    Traded* find(InstrumentId id) {
        const auto found = traded_.find(id);
        if (found != traded_.end()) return &found->second;
        const InstrumentDefinition* const definition = replay_->definition(id);
        if (definition == nullptr) return nullptr;
        const std::string symbol{definition->symbol.view()};
        if (!options_.symbol.empty() && symbol != options_.symbol) return nullptr;
        Traded& made = traded_[id];
        made.symbol = symbol;
        made.decimals = definition->price_decimals;
        if (options_.plot && traded_.size() <= k_most_series)
            made.series = std::make_unique<replay::DaySeries>(symbol, options_.depth);
        return &made;
    }
    void trade(Traded& one, const Event& event, const CommandStamp& stamp, std::int64_t time_ns) {
        one.trade(event.price, event.quantity);
        if (one.series && time_ns >= 0) one.series->on_trade(time_ns, event.price, event.side);
        if (!csv_) return;
        csv_->write(fmt::format(
            "{},{},{},{},{},{},{},{},{},{},{}\n", stamp.sequence.value, stamp.timestamp.value,
            csv_cell(one.symbol), event.trade_id().value, decimal(event.price, one.decimals),
            event.quantity.value, event.side == Side::buy ? "buy" : "sell", resting_.order_id.value,
            event.order_id.value, resting_.participant.value, event.participant.value));
    }
    void show_top(const Traded& one, InstrumentId id, std::int64_t time_ns) const {
        const auto best = [&](Side side) {
            const views::PublicLevel level = depth_->best(id, side);
            return level.orders > 0 ? std::optional{level.price} : std::nullopt;
        };
        one.series->on_top(time_ns, best(Side::buy), best(Side::sell));
        if (!one.series->wants_depth(time_ns)) return;
        const auto sum = [&](Side side) {
            Quantity all{};
            int levels = 0;
            depth_->for_each_level(id, side, [&](const views::PublicLevel& level) {
                all.value += level.quantity.value;
                return ++levels < options_.depth;
            });
            return all;
        };
        one.series->on_depth(time_ns, sum(Side::buy), sum(Side::sell));
    }

    const ReplayOptions& options_;
    std::int64_t day_ns_;
    const JournalReplay* replay_ = nullptr;
    std::optional<views::MarketDepth> depth_;
    std::map<InstrumentId, Traded> traded_;
    std::optional<files::ByteSink> csv_;
    Event resting_{};
};

std::vector<std::pair<InstrumentId, const Traded*>> busiest_instruments(const Market& market) {
    std::vector<std::pair<InstrumentId, const Traded*>> all;
    for (const auto& [id, one] : market.instruments()) all.emplace_back(id, &one);
    std::ranges::sort(all, [](const auto& a, const auto& b) {
        return std::tuple{b.second->trades, b.second->orders, a.first} <
               std::tuple{a.second->trades, a.second->orders, b.first};
    });
    return all;
}

std::string level_text(const Market& market, InstrumentId id, const Traded& one, Side side) {
    const views::PublicLevel level = market.depth().best(id, side);
    return level.orders == 0 ? "-" : decimal(level.price, one.decimals);
}

Json traded_json(const Market& market, InstrumentId id, const Traded& one) {
    Json object{{"symbol", one.symbol},
                {"orders", one.orders},
                {"trades", one.trades},
                {"volume", one.volume}};
    if (one.trades > 0)
        for (const auto& [name, price] : {std::pair{"first", one.first},
                                          {"high", one.high},
                                          {"low", one.low},
                                          {"last", one.last}})
            object[name] = decimal(price, one.decimals);
    object["bid"] = level_text(market, id, one, Side::buy);
    object["ask"] = level_text(market, id, one, Side::sell);
    return object;
}

struct JournalTold {
    std::uint64_t records = 0;
    std::uint64_t from = 1;
    Timestamp last{};
};

void tell(const ReplayOptions& options, const JournalReplay& replay, const Market& market,
          const JournalTold& told) {
    const auto all = busiest_instruments(market);
    if (options.json) {
        Json instruments = Json::array();
        for (const auto& [id, one] : all) instruments.push_back(traded_json(market, id, *one));
        print_json({{"directory", options.file.string()},
                    {"records", told.records},
                    {"first_record", told.from},
                    {"last_time", utc_text(told.last)},
                    {"commands", replay.commands()},
                    {"state_hash", hash_text(replay.state_hash())},
                    {"instruments", std::move(instruments)}});
        return;
    }
    fmt::print("records      {} from {}, the last of {}\n",
               grouped(static_cast<std::int64_t>(told.records)), told.from, utc_text(told.last));
    fmt::print("state hash   {}\n\n", hash_text(replay.state_hash()));
    fmt::print("{:<8} {:>11} {:>9} {:>12} {:>11} {:>11} {:>11} {:>11} {:>11}\n", "symbol", "orders",
               "trades", "volume", "low", "high", "last", "bid", "ask");
    for (std::size_t i = 0; i < std::min(all.size(), static_cast<std::size_t>(options.top)); ++i) {
        const auto& [id, one] = all[i];
        const auto traded = [&, &shown = *one](Price price) {
            return shown.trades == 0 ? std::string{"-"} : decimal(price, shown.decimals);
        };
        fmt::print("{:<8} {:>11} {:>9} {:>12} {:>11} {:>11} {:>11} {:>11} {:>11}\n", one->symbol,
                   grouped(static_cast<std::int64_t>(one->orders)),
                   grouped(static_cast<std::int64_t>(one->trades)), grouped(one->volume),
                   traded(one->low), traded(one->high), traded(one->last),
                   level_text(market, id, *one, Side::buy),
                   level_text(market, id, *one, Side::sell));
    }
}

std::expected<void, std::string> plot(const ReplayOptions& options, const Market& market) {
    if (!options.plot) return {};
    for (const auto& [id, one] : busiest_instruments(market))
        if (one->series && !one->series->buckets().empty())
            return replay::write_day_plot(*options.plot, *one->series);
    return std::unexpected{std::string{"nothing to plot: no orders on the last day"}};
}

}  // namespace

int replay_journal_market(const ReplayOptions& options) {
    journal::FileSystem& files = journal::real_files();
    const auto contents = journal::look_into(files, options.file);
    if (!contents) return fail(contents.error());
    // The day is known from the last record.
    const std::uint64_t oldest =
        contents->segments.empty() ? 1 : contents->segments.front().header.first_sequence;
    const auto whole =
        journal::recover(files, options.file, {.from = oldest, .cut = false}, [](auto) {});
    if (!whole) return fail(whole.error());
    if (whole->last_sequence == 0) return fail(options.file.string() + ": the journal is empty");
    const std::int64_t day_ns = whole->last_timestamp.value / k_day_ns * k_day_ns;
    const bool all = options.until_ns == ReplayOptions{}.until_ns;
    const std::int64_t until_ns = all ? options.until_ns : day_ns + options.until_ns;

    Market market{options, day_ns};
    auto replay = JournalReplay::open(options.file, *contents,
                                      [&market](const Event& event, const CommandStamp& stamp) {
                                          market.on_event(event, stamp);
                                      });
    if (!replay) return fail(replay.error());
    market.begin(*replay);
    if (options.csv) {
        auto sink = files::ByteSink::create(*options.csv);
        if (!sink) return fail(sink.error());
        market.open_csv(std::move(*sink));
    }
    auto reader = journal::JournalReader::open(files, options.file, *contents, replay->first());
    if (!reader) return fail(reader.error());
    JournalTold told{.from = replay->first()};
    for (auto batch = reader->next(); !batch.empty(); batch = reader->next()) {
        const auto end = std::ranges::find_if(batch, [&](const journal::Record& record) {
            return record.command.timestamp.value > until_ns;
        });
        const auto wanted = batch.first(static_cast<std::size_t>(end - batch.begin()));
        replay->apply(wanted);
        told.records += wanted.size();
        if (!wanted.empty()) told.last = wanted.back().command.timestamp;
        if (end == batch.end()) continue;
        if (told.records == 0)
            return fail(fmt::format(
                "{}: the first record is of {}, after --until {}: the market begins there",
                options.file.string(), time_text(batch.front().command.timestamp.value - day_ns),
                time_text(options.until_ns)));
        break;
    }
    if (!options.symbol.empty() && market.instruments().empty())
        return fail(fmt::format("{}: no instrument {}", options.file.string(), options.symbol));
    tell(options, *replay, market, told);
    if (const auto closed = market.close_csv(); !closed) return fail(closed.error());
    if (const auto plotted = plot(options, market); !plotted) return fail(plotted.error());
    if (reader->stop() != journal::JournalReader::Stop::end) return fail(reader->trouble());
    return k_exit_success;
}

}  // namespace damrak::app
