// Reports to the operator why the exchange ended a session, from its own thread: neither a slow
// reader of notices nor a client that causes thousands of disconnects a second may hold up trading.
// What a gateway tells of its sessions is also logged, with times.
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
#include <utility>

#include <damrak/base/runner.hpp>
#include <damrak/base/spsc_ring.hpp>
#include <damrak/domain/origin.hpp>
#include <damrak/gateway/notices.hpp>

namespace damrak::gateway {

class SessionNotices {
  public:
    explicit SessionNotices(OnNotice on_notice) : notices_(std::move(on_notice)) {}

    /// Where lines go. Call it before the first; the file is created with that, and its folder must
    /// exist by then.
    void log_to(std::filesystem::path log) { log_path_ = std::move(log); }

    /// Called on the gateway's thread. `reason` must never be freed. Notices beyond the limit are
    /// only counted.
    void tell(SessionId session, std::string_view reason);
    /// The same with a text that is copied, into the log, and to the operator if it is a `trouble`.
    /// `title`, such as FIX session, must never be freed.
    void tell_line(std::string_view title, std::string_view line, bool trouble);

    // Interface of an agent, stepped by the runner below.
    void on_start() {}
    std::size_t do_work(std::int64_t now_ns);
    void on_close() { do_work(0); }

  private:
    struct Notice {
        SessionId session;
        std::string_view reason;
    };
    struct Line {
        std::string_view title;
        std::array<char, 400> characters;
        std::size_t length;
        std::int64_t utc_ns;
        bool trouble;
    };
    struct Close {
        void operator()(std::FILE* file) const { std::fclose(file); }
    };
    static constexpr std::size_t k_notices = 256;
    /// Lines per second for the operator; further ones are only in the log.
    static constexpr std::uint64_t k_lines_a_second = 20;
    static constexpr std::uint64_t k_log_bytes = std::uint64_t{16} << 20U;

    std::size_t tell_notices();
    std::size_t tell_lines();
    [[nodiscard]] bool may_say(const Line& line);
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

}  // namespace damrak::gateway
