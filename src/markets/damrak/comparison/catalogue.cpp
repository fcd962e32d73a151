#include <damrak/comparison/catalogue.hpp>

#include <charconv>
#include <utility>

#include <fmt/format.h>

#include <damrak/base/version.hpp>
#include <damrak/comparison/detail/program_build.hpp>

namespace damrak::comparison {
namespace {

using detail::Database;
using detail::Statement;

// "dmrk", so that the file of another program is not mistaken for a catalogue.
constexpr std::int64_t k_application = 0x646d726b;
constexpr std::int64_t k_schema_version = 1;

constexpr const char* k_schema = R"(
BEGIN IMMEDIATE;
PRAGMA application_id = 1684894315;
PRAGMA user_version = 1;
CREATE TABLE IF NOT EXISTS markets(
  market TEXT PRIMARY KEY, name TEXT NOT NULL, version TEXT NOT NULL, description TEXT NOT NULL
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS runs(
  run INTEGER PRIMARY KEY, market TEXT NOT NULL REFERENCES markets, seed INTEGER NOT NULL,
  build TEXT NOT NULL, hash TEXT NOT NULL, messages INTEGER NOT NULL, trades INTEGER NOT NULL,
  rejects INTEGER NOT NULL, faults INTEGER NOT NULL, UNIQUE(market, seed, build));
CREATE TABLE IF NOT EXISTS results(
  run INTEGER NOT NULL REFERENCES runs ON DELETE CASCADE, place INTEGER NOT NULL,
  instrument TEXT NOT NULL, participants TEXT NOT NULL, measure TEXT NOT NULL, unit TEXT NOT NULL,
  value REAL NOT NULL, observations INTEGER NOT NULL, PRIMARY KEY(run, place)
) WITHOUT ROWID;
COMMIT;
)";
static_assert(k_application == 1684894315 && k_schema_version == 1);

const std::string k_select_run =
    "SELECT run, seed, hash, messages, trades, rejects, faults FROM runs";

std::uint64_t word_of(const std::string& digits) {
    std::uint64_t word = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), word, 16);
    return word;
}

std::string hexadecimal(std::uint64_t word) { return fmt::format("{:016x}", word); }

std::optional<std::int64_t> one_number(Database& database, const char* sql) {
    Statement statement = database.prepare(sql);
    if (!statement.step()) return std::nullopt;
    return statement.whole(0);
}

}  // namespace

Catalogue::Catalogue(Database database)
    : database_(std::move(database)), build_(detail::program_build()) {}

std::expected<Catalogue, std::string> Catalogue::open(const std::filesystem::path& path) {
    return open(path, false);
}

std::expected<Catalogue, std::string> Catalogue::open_existing(const std::filesystem::path& path) {
    return open(path, true);
}

std::expected<Catalogue, std::string> Catalogue::open(const std::filesystem::path& path,
                                                      bool must_exist) {
    auto opened = Database::open(path, must_exist);
    if (!opened) return std::unexpected{opened.error()};
    Database& database = *opened;
    // In one transaction, as another process may make the catalogue between two of them.
    const bool begun = database.run("BEGIN");
    const auto application = one_number(database, "PRAGMA application_id");
    const auto tables = one_number(database, "SELECT count(*) FROM sqlite_schema");
    const auto schema = one_number(database, "PRAGMA user_version");
    if (!begun || !application || !tables || !database.run("COMMIT"))
        return std::unexpected{database.error()};
    if (*tables > 0 && *application != k_application)
        return std::unexpected{fmt::format(
            "{}: not a catalogue of runs; name another file with --results", path.string())};
    if (*tables > 0 && schema != k_schema_version)
        return std::unexpected{
            fmt::format("{}: a catalogue of version {}, this program reads version {}; name "
                        "another file with --results",
                        path.string(), schema.value_or(0), k_schema_version)};
    // A write-ahead log: a kill loses nothing, and no run waits for the disk.
    if (!database.run("PRAGMA foreign_keys = ON; PRAGMA journal_mode = WAL; "
                      "PRAGMA synchronous = NORMAL;") ||
        (*tables == 0 && !database.run(k_schema)))
        return std::unexpected{database.error()};
    return Catalogue{*std::move(opened)};
}

std::unexpected<std::string> Catalogue::error() const { return std::unexpected{database_.error()}; }

std::expected<std::optional<MeasuredRun>, std::string> Catalogue::find(
    const market_runs::MarketFile& market, std::uint64_t seed) {
    const std::string identity = hexadecimal(market_runs::identity_of(market));
    Statement statement =
        database_.prepare(k_select_run + " WHERE market = ? AND seed = ? AND build = ?");
    statement.bind(identity).bind_word(seed).bind(build_);
    if (!statement.step()) {
        if (statement.has_failed()) return error();
        return std::optional<MeasuredRun>{};
    }
    auto run = run_in(statement);
    if (!run) return std::unexpected{run.error()};
    return *std::move(run);
}

// Of k_select_run.
std::expected<MeasuredRun, std::string> Catalogue::run_in(const Statement& row) {
    MeasuredRun run{.seed = row.word(1),
                    .hash = word_of(row.text(2)),
                    .messages = row.word(3),
                    .trades = row.word(4),
                    .rejects = row.word(5),
                    .faults = row.word(6),
                    .values = {}};
    Statement statement = database_.prepare(
        "SELECT instrument, participants, measure, unit, value, observations FROM results "
        "WHERE run = ? ORDER BY place");
    statement.bind(row.whole(0));
    while (statement.step())
        run.values.push_back({{statement.text(0), statement.text(1), statement.text(2)},
                              statement.text(3),
                              statement.number(4),
                              statement.word(5)});
    if (statement.has_failed()) return error();
    return run;
}

std::expected<void, std::string> Catalogue::keep(const market_runs::MarketFile& market,
                                                 const MeasuredRun& run) {
    if (!database_.run("BEGIN IMMEDIATE")) return error();
    auto written = write(market, run);
    if (written && !database_.run("COMMIT")) written = error();
    if (!written) static_cast<void>(database_.run("ROLLBACK"));
    return written;
}

std::expected<void, std::string> Catalogue::write(const market_runs::MarketFile& market,
                                                  const MeasuredRun& run) {
    const std::string identity = hexadecimal(market_runs::identity_of(market));
    const std::string description = market_runs::describe(market);
    Statement add_market = database_.prepare("INSERT OR IGNORE INTO markets VALUES(?, ?, ?, ?)");
    add_market.bind(identity).bind(market.name).bind(version()).bind(description).step();
    Statement remove =
        database_.prepare("DELETE FROM runs WHERE market = ? AND seed = ? AND build = ?");
    remove.bind(identity).bind_word(run.seed).bind(build_).step();
    const std::string hash = hexadecimal(run.hash);
    Statement add_run = database_.prepare(
        "INSERT INTO runs(market, seed, build, hash, messages, trades, rejects, faults) "
        "VALUES(?, ?, ?, ?, ?, ?, ?, ?)");
    add_run.bind(identity).bind_word(run.seed).bind(build_).bind(hash);
    add_run.bind_word(run.messages).bind_word(run.trades).bind_word(run.rejects);
    add_run.bind_word(run.faults).step();
    if (add_market.has_failed() || remove.has_failed() || add_run.has_failed()) return error();
    const std::int64_t row = database_.last_row();
    Statement add = database_.prepare("INSERT INTO results VALUES(?, ?, ?, ?, ?, ?, ?, ?)");
    std::int64_t place = 0;
    for (const Measured& value : run.values) {
        add.bind(row).bind(place++).bind(value.name.instrument).bind(value.name.group);
        add.bind(value.name.measure).bind(value.unit).bind(value.value).bind_word(value.count);
        add.step();
        if (add.has_failed()) return error();
        add.reset();
    }
    return {};
}

std::uint64_t Catalogue::Entry::identity() const { return word_of(market); }

bool Catalogue::Entry::answers_to(std::string_view word) const {
    return market.starts_with(word) || name.find(word) != std::string::npos;
}

std::expected<std::vector<Catalogue::Entry>, std::string> Catalogue::entries() {
    Statement statement = database_.prepare(
        "SELECT market, name, version, build, count(*), min(seed), max(seed), max(run) "
        "FROM runs JOIN markets USING(market) GROUP BY market, build ORDER BY min(run)");
    std::vector<Entry> entries;
    while (statement.step())
        entries.push_back({statement.text(0), statement.text(1), statement.text(2),
                           statement.text(3), statement.word(4), statement.word(5),
                           statement.word(6), statement.whole(7)});
    if (statement.has_failed()) return error();
    return entries;
}

std::expected<std::vector<MeasuredRun>, std::string> Catalogue::runs_of(const Entry& entry) {
    Statement statement =
        database_.prepare(k_select_run + " WHERE market = ? AND build = ? ORDER BY seed");
    statement.bind(entry.market).bind(entry.build);
    std::vector<MeasuredRun> runs;
    while (statement.step()) {
        auto run = run_in(statement);
        if (!run) return std::unexpected{run.error()};
        runs.push_back(*std::move(run));
    }
    if (statement.has_failed()) return error();
    return runs;
}

}  // namespace damrak::comparison
