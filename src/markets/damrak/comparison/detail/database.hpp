// SQLite as far as a catalogue needs it. An error stays in the database until asked for, so that a
// caller checks once after several steps. One thread at a time.
#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include <sqlite3.h>

namespace damrak::comparison::detail {

/// A statement with its values, bound from the first on; texts must outlive the steps.
class Statement {
  public:
    Statement(sqlite3* database, std::string_view sql);

    Statement& bind(std::int64_t value);
    Statement& bind(double value);
    Statement& bind(std::string_view text);
    Statement& bind_word(std::uint64_t value) { return bind(static_cast<std::int64_t>(value)); }

    /// True: there is a row. False: no more, or an error.
    bool step();
    /// Ready for other values.
    void reset();
    [[nodiscard]] bool has_failed() const { return failed_; }

    [[nodiscard]] std::int64_t whole(int column) const;
    [[nodiscard]] std::uint64_t word(int column) const {
        return static_cast<std::uint64_t>(whole(column));
    }
    [[nodiscard]] double number(int column) const;
    [[nodiscard]] std::string text(int column) const;

  private:
    struct Finalizer {
        void operator()(sqlite3_stmt* statement) const { ::sqlite3_finalize(statement); }
    };
    std::unique_ptr<sqlite3_stmt, Finalizer> statement_;
    int next_ = 1;
    bool failed_ = false;
};

class Database {
  public:
    /// `must_exist`: does not create it.
    [[nodiscard]] static std::expected<Database, std::string> open(
        const std::filesystem::path& path, bool must_exist);

    [[nodiscard]] bool run(const char* sql);
    [[nodiscard]] Statement prepare(std::string_view sql) { return {database_.get(), sql}; }
    [[nodiscard]] std::int64_t last_row() const;
    /// The path, and what SQLite says of the latest error.
    [[nodiscard]] std::string error() const;
    [[nodiscard]] const std::filesystem::path& path() const { return path_; }

  private:
    struct Closer {
        void operator()(sqlite3* database) const { ::sqlite3_close_v2(database); }
    };
    std::unique_ptr<sqlite3, Closer> database_;
    std::filesystem::path path_;
};

}  // namespace damrak::comparison::detail
