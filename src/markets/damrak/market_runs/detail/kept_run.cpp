#include <damrak/market_runs/detail/kept_run.hpp>

#include <optional>
#include <system_error>
#include <utility>

#include <fmt/format.h>

#include <damrak/base/random.hpp>
#include <damrak/base/toml_text.hpp>
#include <damrak/files/byte_sink.hpp>

namespace damrak::market_runs::detail {
namespace {

constexpr std::uint64_t k_segment_bytes = std::uint64_t{32} << 20U;
constexpr std::int64_t k_helper_step_ns = 1'000'000'000;

using Done = std::expected<void, std::string>;

Done make_empty(const std::filesystem::path& folder) {
    std::error_code error;
    const bool is_there = std::filesystem::exists(folder, error);
    if (is_there && !std::filesystem::is_directory(folder, error))
        return std::unexpected{
            fmt::format("{}: is a file: a kept run needs a folder, or a name that ends in .dar",
                        folder.string())};
    if (is_there && !std::filesystem::is_empty(folder, error))
        return std::unexpected{fmt::format(
            "{}: is not empty: a run is kept in an empty or new folder", folder.string())};
    std::filesystem::create_directories(folder / "archive", error);
    if (error)
        return std::unexpected{
            fmt::format("{}: cannot be made: {}; give a folder that can be written",
                        folder.string(), error.message())};
    return {};
}

Done write_market(const std::filesystem::path& path, const MarketFile& file, std::uint64_t seed) {
    auto sink = files::ByteSink::create(path);
    if (!sink) return std::unexpected{sink.error()};
    sink->write(
        fmt::format("name = {}\nseed = {}\n{}", toml_text(file.name), seed, describe(file)));
    return sink->close();
}

}  // namespace

std::expected<std::unique_ptr<KeptRun>, std::string> KeptRun::create(const Config& config) {
    if (auto made = make_empty(config.folder); !made) return std::unexpected{made.error()};
    std::unique_ptr<KeptRun> run{new KeptRun{config}};
    if (auto opened = run->open_journal(config); !opened) return std::unexpected{opened.error()};
    if (auto opened = run->open_files(config); !opened) return std::unexpected{opened.error()};
    return run;
}

// The same run gives the same files, the journal's identity included.
Done KeptRun::open_journal(const Config& config) {
    const auto nothing = journal::recover(*config.files, folder_, {}, [](auto&&) {});
    if (!nothing) return std::unexpected{nothing.error()};
    auto opened = journal::Journal::open(
        *config.files, {.directory = folder_, .segment_bytes = k_segment_bytes}, *nothing,
        {.instance = {identity_of(*config.file), mix_bits(config.setup->seed)},
         .engine = market_kernel::engine_config_of(*config.setup)},
        config.setup->begin);
    if (!opened) return std::unexpected{opened.error()};
    journal_ = *std::move(opened);
    return {};
}

Done KeptRun::open_files(const Config& config) {
    const Timestamp begin = config.setup->begin;
    const feed::FeedSessionId session{.date = date_of(begin), .number = 0};
    const std::filesystem::path archive = folder_ / "archive";
    if (auto written = write_market(folder_ / "market.toml", *config.file, config.setup->seed);
        !written)
        return written;
    auto day = DayKeeper::create(archive / (session.text() + ".dar"), begin);
    if (!day) return std::unexpected{day.error()};
    day_ = *std::move(day);
    day_->show();
    auto tables = RunExport::create(folder_);
    if (!tables) return std::unexpected{tables.error()};
    tables_ = *std::move(tables);
    tables_->show();
    auto events = archive::EventLog::open(
        {.folder = archive,
         .journal = [this] { return std::optional{journal_->identity().instance}; },
         .session = session,
         .free_bytes = 0,
         .on_notice =
             [this](const std::string& what) {
                 const std::lock_guard lock{mutex_};
                 if (event_failure_.empty()) event_failure_ = what;
             }});
    if (!events) return std::unexpected{events.error()};
    events_ = *std::move(events);
    return {};
}

market_kernel::OptionalJournal KeptRun::journal() {
    return {journal_->writer(), [this] { work(); }};
}

void KeptRun::work() {
    clock_ = clock_ + Timestamp{k_helper_step_ns};
    journal_->preallocator().do_work(clock_.value);
    journal_->syncer().do_work(clock_.value);
}

Done KeptRun::begin(const Engine& engine, std::uint64_t position) {
    static_cast<void>(day_->begin(engine, position));
    return events_->begin(engine, position);
}

Done KeptRun::go_live(std::uint64_t last) { return events_->go_live(last); }

void KeptRun::on_command(const Command& command, const CommandStamp& stamp) {
    day_->on_command(command, stamp);
    events_->on_command(command, stamp);
}

void KeptRun::on_event(const Event& event, const CommandStamp& stamp) {
    day_->on_event(event, stamp);
    events_->on_event(event, stamp);
    tables_->on_event(event, stamp);
}

std::string KeptRun::failure() const {
    if (const std::string refusal = journal_->writer().refusal(); !refusal.empty()) return refusal;
    const std::lock_guard lock{mutex_};
    if (!event_failure_.empty()) return event_failure_;
    return day_->failed() || tables_->failed() ? folder_.string() + ": cannot be written" : "";
}

Done KeptRun::close(const market_kernel::Market& market) {
    const std::string before = failure();
    static_cast<void>(
        journal_->writer().append(journal::checkpoint(market.now(), market.engine().state_hash())));
    journal_->syncer().on_close();
    events_.reset();
    const auto day = day_->close(market.now());
    const auto tables = tables_->close(market);
    if (!before.empty()) return std::unexpected{before};
    if (!day) return day;
    if (!tables) return tables;
    if (const std::string after = failure(); !after.empty()) return std::unexpected{after};
    return {};
}

}  // namespace damrak::market_runs::detail
