// The records of a journal that a command asks for, one after the other.
#pragma once

#include <algorithm>
#include <cstdint>
#include <expected>
#include <string>

#include <damrak/journal/reader.hpp>

#include "journal/jobs.hpp"

namespace damrak::app {

/// `f(record)` for those from `from` to that of the options; the error comes after all that could
/// be read.
template <class F>
std::expected<void, std::string> for_each_record(const JournalOptions& options,
                                                 const journal::JournalFolder& contents,
                                                 std::uint64_t from, F&& f) {
    auto reader =
        journal::JournalReader::open(journal::real_files(), options.directory, contents, from);
    if (!reader) return std::unexpected{reader.error()};
    while (reader->position() <= options.to) {
        const auto records = reader->next(std::min<std::uint64_t>(
            journal::JournalReader::k_batch, options.to - reader->position() + 1));
        if (records.empty()) break;
        for (const journal::Record& record : records) f(record);
    }
    if (reader->stop() == journal::JournalReader::Stop::end) return {};
    return std::unexpected{reader->trouble()};
}

}  // namespace damrak::app
