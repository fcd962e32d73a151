// Whether an answer about an archived day has all that was asked for. Every query over days
// returns it beside its answer, so that nobody takes a part for the whole: damage, a cut file and a
// day that was not written to its end all show here.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace damrak::archive {

struct Completeness {
    /// What is missing, a sentence each, with the file and the offset; empty: nothing.
    std::vector<std::string> missing{};
    /// The time of the last message before what is missing, or before the current end of a day that
    /// is being written: nanoseconds since midnight. Zero: of no message.
    std::int64_t known_until_ns = 0;
    std::uint64_t last_message = 0;  ///< the number of that message
    /// All that is missing comes after the end of a file that was not written to the day's end.
    bool lacks_only_the_end = false;
    /// The day is still being written, and the question reaches its present end. The answer has all
    /// that there is so far.
    bool is_being_written = false;

    [[nodiscard]] bool is_complete() const { return missing.empty(); }
    /// Of an answer from two days or questions: it goes as far as both do.
    void add(const Completeness& other) {
        const bool is_open = !is_complete() || is_being_written;
        const bool other_is_open = !other.is_complete() || other.is_being_written;
        if (other_is_open && (!is_open || other.known_until_ns < known_until_ns)) {
            known_until_ns = other.known_until_ns;
            last_message = other.last_message;
        }
        lacks_only_the_end = (is_complete() || lacks_only_the_end) &&
                             (other.is_complete() || other.lacks_only_the_end) &&
                             !(is_complete() && other.is_complete());
        for (const std::string& one : other.missing)
            if (std::ranges::find(missing, one) == missing.end()) missing.push_back(one);
        is_being_written = is_being_written || other.is_being_written;
    }
};

/// An answer and how complete it is. An incomplete one is right up to `known_until_ns`.
template <class T>
struct Answer {
    T value{};
    Completeness completeness{};
};

}  // namespace damrak::archive
