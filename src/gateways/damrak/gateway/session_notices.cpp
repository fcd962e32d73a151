#include <damrak/gateway/session_notices.hpp>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <string>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <damrak/base/number_text.hpp>
#include <damrak/base/system_time.hpp>

namespace damrak::gateway {

namespace {

std::string utc_text(std::int64_t utc_ns) {
    constexpr std::int64_t k_second = 1'000'000'000;
    return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:09}Z", fmt::gmtime(std::time_t{utc_ns / k_second}),
                       utc_ns % k_second);
}

}  // namespace

void SessionNotices::tell(SessionId session, std::string_view reason) {
    if (Notice* const notice = waiting_.claim(); notice != nullptr) {
        *notice = {.session = session, .reason = reason};
        waiting_.publish();
    } else {
        unreported_.fetch_add(1, std::memory_order_relaxed);
    }
}

void SessionNotices::tell_line(std::string_view title, std::string_view line, bool trouble) {
    Line* const place = lines_.claim();
    if (place == nullptr) {
        unreported_.fetch_add(1, std::memory_order_relaxed);
        return;
    }
    place->title = title;
    place->length = std::min(line.size(), place->characters.size());
    std::memcpy(place->characters.data(), line.data(), place->length);
    place->utc_ns = system_time_ns();
    place->trouble = trouble;
    lines_.publish();
}

std::size_t SessionNotices::do_work(std::int64_t /*now_ns*/) {
    const std::size_t told = tell_notices() + tell_lines();
    if (const std::uint64_t more = unreported_.exchange(0, std::memory_order_relaxed); more > 0)
        notices_.say("note         {} sessions ended too fast to be logged one by one",
                     counted(static_cast<std::int64_t>(more), "more session"));
    return told;
}

std::size_t SessionNotices::tell_notices() {
    std::size_t told = 0;
    for (auto batch = waiting_.front(); !batch.empty(); batch = waiting_.front()) {
        for (const Notice& notice : batch)
            notices_.say("session {} ended: {}", notice.session.value, notice.reason);
        told += batch.size();
        waiting_.release(batch.size());
    }
    return told;
}

std::size_t SessionNotices::tell_lines() {
    std::size_t told = 0;
    for (auto batch = lines_.front(); !batch.empty(); batch = lines_.front()) {
        for (const Line& line : batch) {
            log(line);
            if (line.trouble && may_say(line))
                notices_.say("{:<12} {}", line.title,
                             std::string_view{line.characters.data(), line.length});
        }
        told += batch.size();
        lines_.release(batch.size());
    }
    if (told > 0 && log_) std::fflush(log_.get());
    return told;
}

bool SessionNotices::may_say(const Line& line) {
    const std::int64_t second = line.utc_ns / 1'000'000'000;
    if (second != second_) {
        if (unsaid_ > 0)
            notices_.say("{:<12} {}{}", line.title,
                         counted(static_cast<std::int64_t>(unsaid_), "more ended session"),
                         log_path_.empty() ? "" : " in " + log_path_.string());
        second_ = second;
        said_in_second_ = unsaid_ = 0;
    }
    if (said_in_second_ < k_lines_a_second) return ++said_in_second_, true;
    ++unsaid_;
    return false;
}

// The older half of what is kept is in a file of its own.
void SessionNotices::log(const Line& line) {
    std::error_code error;
    if (log_ && log_bytes_ >= k_log_bytes) {
        log_.reset();
        std::filesystem::rename(log_path_, log_path_.string() + ".1", error);
    }
    if (!log_) {
        log_.reset(std::fopen(log_path_.c_str(), "a"));
        if (!log_) return;
        const auto bytes = std::filesystem::file_size(log_path_, error);
        log_bytes_ = error ? 0 : bytes;
    }
    const std::string text = fmt::format("{} {}\n", utc_text(line.utc_ns),
                                         std::string_view{line.characters.data(), line.length});
    std::fputs(text.c_str(), log_.get());
    log_bytes_ += text.size();
}

}  // namespace damrak::gateway
