#include <damrak/comparison/detail/database.hpp>

#include <fmt/format.h>

namespace damrak::comparison::detail {
namespace {

// As long as another process may hold the file for one run's rows.
constexpr int k_patience_ms = 30'000;

}  // namespace

Statement::Statement(sqlite3* database, std::string_view sql) {
    sqlite3_stmt* statement = nullptr;
    failed_ = ::sqlite3_prepare_v2(database, sql.data(), static_cast<int>(sql.size()), &statement,
                                   nullptr) != SQLITE_OK;
    statement_.reset(statement);
}

Statement& Statement::bind(std::int64_t value) {
    failed_ |= ::sqlite3_bind_int64(statement_.get(), next_++, value) != SQLITE_OK;
    return *this;
}

Statement& Statement::bind(double value) {
    failed_ |= ::sqlite3_bind_double(statement_.get(), next_++, value) != SQLITE_OK;
    return *this;
}

Statement& Statement::bind(std::string_view text) {
    failed_ |= ::sqlite3_bind_text(statement_.get(), next_++, text.data(),
                                   static_cast<int>(text.size()), nullptr) != SQLITE_OK;
    return *this;
}

bool Statement::step() {
    if (failed_) return false;
    const int result = ::sqlite3_step(statement_.get());
    failed_ = result != SQLITE_ROW && result != SQLITE_DONE;
    return result == SQLITE_ROW;
}

void Statement::reset() {
    ::sqlite3_reset(statement_.get());
    next_ = 1;
}

std::int64_t Statement::whole(int column) const {
    return ::sqlite3_column_int64(statement_.get(), column);
}

double Statement::number(int column) const {
    return ::sqlite3_column_double(statement_.get(), column);
}

std::string Statement::text(int column) const {
    const unsigned char* const text = ::sqlite3_column_text(statement_.get(), column);
    const int size = ::sqlite3_column_bytes(statement_.get(), column);
    return text == nullptr ? std::string{} : std::string{text, text + size};
}

std::expected<Database, std::string> Database::open(const std::filesystem::path& path,
                                                    bool must_exist) {
    Database database;
    database.path_ = path;
    sqlite3* opened = nullptr;
    const int flags = SQLITE_OPEN_READWRITE | (must_exist ? 0 : SQLITE_OPEN_CREATE);
    const int result = ::sqlite3_open_v2(path.c_str(), &opened, flags, nullptr);
    database.database_.reset(opened);
    if (result != SQLITE_OK) return std::unexpected{database.error()};
    ::sqlite3_busy_timeout(opened, k_patience_ms);
    return database;
}

bool Database::run(const char* sql) {
    return ::sqlite3_exec(database_.get(), sql, nullptr, nullptr, nullptr) == SQLITE_OK;
}

std::int64_t Database::last_row() const { return ::sqlite3_last_insert_rowid(database_.get()); }

std::string Database::error() const {
    return fmt::format("{}: {}", path_.string(), ::sqlite3_errmsg(database_.get()));
}

}  // namespace damrak::comparison::detail
