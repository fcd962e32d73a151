// Imports DBN files into a scratch folder, and asks the days that they become.
#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <damrak/archive/day.hpp>
#include <damrak/archive/day_search.hpp>
#include <damrak/archive/import.hpp>
#include <damrak/files/byte_sink.hpp>

#include "support/dbn_file.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::archive {

class DbnDay : public ::testing::Test {
  protected:
    static constexpr std::uint64_t k_midnight = damrak::testing::DbnFile::k_midnight;
    static constexpr std::uint64_t k_noon = k_midnight + 43'200'000'000'000;

    [[nodiscard]] std::expected<Imported, std::string> import(const std::string& content,
                                                              const char* name = "day.dbn") {
        auto sink = files::ByteSink::create(folder_ / name);
        EXPECT_TRUE(sink);
        sink->write(content);
        EXPECT_TRUE(sink->close());
        return import_file(folder_ / name);
    }
    [[nodiscard]] std::expected<Imported, std::string> import_file(
        const std::filesystem::path& file) {
        return import_day({.from = file, .to = archive_}, [](std::uint64_t, std::uint64_t) {});
    }
    [[nodiscard]] static Book book_of(const Day& day, std::int64_t time_ns,
                                      std::uint16_t locate = 1) {
        auto book = day.book_at(locate, time_ns);
        EXPECT_TRUE(book) << book.error();
        return *std::move(book);
    }
    [[nodiscard]] Book book_at(std::uint64_t utc_ns, std::uint16_t locate = 1) const {
        const auto day = Day::open(archive_);
        EXPECT_TRUE(day) << day.error();
        return book_of(*day, static_cast<std::int64_t>(utc_ns - k_midnight), locate);
    }
    /// Those that are printed.
    [[nodiscard]] static std::vector<DayTrade> trades_of(const std::filesystem::path& file,
                                                         std::uint16_t locate = 1) {
        const auto day = Day::open(file);
        EXPECT_TRUE(day) << day.error();
        auto found = trades(*day, locate, {}).value;
        std::erase_if(found, [](const DayTrade& one) { return !one.is_printable; });
        return found;
    }

    damrak::testing::ScratchFolder folder_;
    std::filesystem::path archive_ = folder_ / "day.dar";
};

}  // namespace damrak::archive
