// Tells those who run the exchange why it ended a session, from a thread of its own: whoever hears
// slowly, or a client that makes the exchange end thousands of connections a second, must not hold
// up the thread that trades. What happens to FIX sessions is also written to a log, with times.
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <memory>
#include <string_view>

#include <damrak/base/runner.hpp>
#include <damrak/base/spsc_ring.hpp>
#include <damrak/domain/origin.hpp>
#include <damrak/exchange/notices.hpp>

namespace damrak::exchange {

class SessionNotices {
  public:
    /// The log is begun with the first line, in a folder that is there by then.
    SessionNotices(std::filesystem::path log, OnNotice on_notice)
        : notices_(std::move(on_notice)), log_path_(std::move(log)) {}

    /// The door's thread. `reason` must live for ever. What is too much to tell is counted.
    void tell(SessionId session, std::string_view reason);
    /// The same of a FIX session, in words, which are copied; what is no trouble is for the log
    /// alone.
    void tell_fix(std::string_view line, bool trouble);

    // An agent, stepped by the runner below.
    void on_start() {}
    std::size_t do_work(std::int64_t now_ns);
    void on_close() { do_work(0); }

  private:
    struct Notice {
        SessionId session;
        std::string_view reason;
    };
    struct Line {
        std::array<char, 400> characters;
        std::size_t length;
        std::int64_t utc_ns;
        bool trouble;
    };
    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    static constexpr std::size_t k_notices = 256;
    /// FIX sessions that are reported; the others are only in the log.
    static constexpr std::uint64_t k_lines_a_second = 20;
    static constexpr std::uint64_t k_log_bytes = std::uint64_t{16} << 20U;

    std::size_t tell_notices();
    std::size_t tell_lines();
    [[nodiscard]] bool may_say(std::int64_t utc_ns);
    void log(const Line& line);

    Notices notices_;
    SpscRing<Notice> waiting_{k_notices};
    SpscRing<Line> lines_{k_notices};
    std::atomic<std::uint64_t> unreported_{0};
    std::filesystem::path log_path_;
    std::unique_ptr<std::FILE, Close> log_;
    std::uint64_t log_bytes_ = 0;
    std::int64_t second_ = 0;
    std::uint64_t said_in_second_ = 0;
    std::uint64_t unsaid_ = 0;
    Runner runner_{{.name = "notices",
                    .pause = std::chrono::milliseconds{25},
                    .longest_pause = std::chrono::milliseconds{50},
                    .is_helper = true},
                   {AgentRef{*this}}};
};

}  // namespace damrak::exchange
