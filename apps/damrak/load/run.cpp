#include "load/run.hpp"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <limits>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include "cli.hpp"
#include "load/connections.hpp"
#include "load/echo.hpp"
#include "load/server.hpp"
#include "load/worker.hpp"
#include "say.hpp"
#include "serve/process.hpp"

namespace damrak::app {
namespace {

constexpr double k_look_interval_s = 0.2;

template <class Client>
using Workers = std::vector<std::unique_ptr<LoadWorker<Client>>>;

double seconds_of(const timeval& time) {
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) / 1e6;
}

/// Until then, or until somebody wants the run to end.
void sleep_until(std::int64_t at_ns) {
    constexpr std::int64_t k_longest_ns = 50'000'000;
    while (!stop_asked()) {
        const std::int64_t left_ns = at_ns - load_clock_ns();
        if (left_ns <= 0) return;
        std::this_thread::sleep_for(std::chrono::nanoseconds{std::min(left_ns, k_longest_ns)});
    }
}

LoadInstants instants_of(const LoadOptions& options) {
    const std::int64_t begin_ns = load_clock_ns() + nanoseconds_of(0.05);
    const std::int64_t measure_ns = begin_ns + nanoseconds_of(options.warm_up_s);
    const std::int64_t end_ns = measure_ns + nanoseconds_of(options.seconds);
    return {begin_ns, measure_ns, end_ns};
}

/// Reports progress while the workers work: a line on a terminal that is written over, and
/// lines that stay for those who watch the memory of the server.
template <class Client>
class Watch {
  public:
    Watch(const LoadOptions& options, const LoadInstants& instants, const Workers<Client>& workers,
          const char* name)
        : instants_(instants),
          workers_(workers),
          name_(name),
          visible_(::isatty(STDERR_FILENO) == 1),
          lines_every_ns_(nanoseconds_of(options.watch_memory_s)),
          next_line_ns_(instants.measure_ns + lines_every_ns_),
          enough_(now().answers + options.at_least) {}

    /// Returns at the end of the measured part: whether the user ended it early.
    [[nodiscard]] bool run(ServerWatch& server) {
        if (lines_every_ns_ > 0) say("{:>8} {:>14} {:>14}\n", "second", "requests/s", "server MiB");
        while (!is_over() &&
               load_clock_ns() + nanoseconds_of(k_look_interval_s) < instants_.end_ns) {
            sleep_until(load_clock_ns() + nanoseconds_of(k_look_interval_s));
            look(server);
        }
        if (!is_over()) sleep_until(instants_.end_ns);
        std::uint64_t heard = now().answers;
        for (std::int64_t heard_ns = load_clock_ns(); !is_over() && now().answers < enough_;) {
            if (load_clock_ns() - heard_ns >= k_give_up_ns) break;
            sleep_until(load_clock_ns() + nanoseconds_of(k_look_interval_s));
            look(server);
            if (std::exchange(heard, now().answers) != now().answers) heard_ns = load_clock_ns();
        }
        const bool is_whole = load_clock_ns() >= instants_.end_ns && now().answers >= enough_;
        server.look();
        clear();
        return stop_asked() && !is_whole;
    }

  private:
    struct Point {
        std::int64_t at_ns;
        std::uint64_t answers;
    };

    static std::string rate_between(const Point& a, const Point& b) {
        return grouped(static_cast<std::int64_t>(static_cast<double>(b.answers - a.answers) * 1e9 /
                                                 static_cast<double>(b.at_ns - a.at_ns)));
    }

    /// Nothing more will be asked: the user wants an end, or all connections have ended.
    [[nodiscard]] bool is_over() const {
        return stop_asked() ||
               std::ranges::all_of(workers_, [](const auto& one) { return one->is_done(); });
    }

    [[nodiscard]] Point now() const {
        std::uint64_t answers = 0;
        for (const auto& worker : workers_) answers += worker->progress();
        return {load_clock_ns(), answers};
    }

    void look(ServerWatch& server) {
        const Point point = now();
        const auto usage = server.look();
        if (lines_every_ns_ > 0 && point.at_ns >= next_line_ns_) {
            next_line_ns_ += lines_every_ns_;
            clear();
            say("{:8.0f} {:>14} {:>14}\n",
                static_cast<double>(point.at_ns - instants_.measure_ns) / 1e9,
                rate_between(last_line_, point),
                usage ? fmt::format("{:.1f}", static_cast<double>(usage->resident_kib) / 1'024)
                      : "unknown");
            last_line_ = point;
        }
        if (visible_) {
            const double left_s = static_cast<double>(instants_.end_ns - point.at_ns) / 1e9;
            say("\r\x1b[K{}: {} requests/s, {:.0f} s left", name_, rate_between(last_, point),
                std::max(0.0, left_s));
        }
        last_ = point;
    }

    void clear() const {
        if (visible_) say("\r\x1b[K");
    }

    const LoadInstants& instants_;
    const Workers<Client>& workers_;
    const char* name_;
    bool visible_;
    std::int64_t lines_every_ns_;
    std::int64_t next_line_ns_;
    std::uint64_t enough_;  ///< answers
    Point last_ = now();
    Point last_line_ = last_;
};

template <class Client>
std::expected<Workers<Client>, std::string> make_workers(const LoadOptions& options,
                                                         LoadShares<Client>& shares) {
    std::vector<std::uint32_t> parts;
    for (const LoadShare<Client>& share : shares)
        parts.push_back(static_cast<std::uint32_t>(share.connections.size()));
    Workers<Client> workers;
    for (std::size_t i = 0; i < shares.size(); ++i) {
        std::optional<client::LoadSchedule> schedule;
        if (options.timetable) schedule.emplace(*options.timetable, parts, i);
        workers.push_back(
            std::make_unique<LoadWorker<Client>>(shares[i], std::move(schedule), options.spin));
        if (auto ready = workers.back()->prepare(); !ready) return std::unexpected{ready.error()};
    }
    return workers;
}

template <class Client>
std::expected<LoadResult, std::string> run_clients(const LoadOptions& options, const char* name) {
    auto shares = connect_load<Client>(options);
    if (!shares) return std::unexpected{shares.error()};
    const auto workers = make_workers(options, *shares);
    if (!workers) return std::unexpected{workers.error()};
    const auto process = options.server_process > 0 ? std::optional{options.server_process}
                                                    : find_listening_process(options.port);
    handle_signals();
    const LoadInstants instants = instants_of(options);
    LoadInstants of_workers = instants;
    if (options.at_least > 0) of_workers.end_ns = std::numeric_limits<std::int64_t>::max();
    std::vector<std::jthread> threads;
    for (const auto& worker : *workers)
        threads.emplace_back([&of_workers, work = worker.get()] {
            sleep_until(of_workers.begin_ns);
            work->run(of_workers);
        });
    rusage before{};
    rusage after{};
    sleep_until(instants.measure_ns);
    ::getrusage(RUSAGE_SELF, &before);
    ServerWatch server{process};
    const bool interrupted = Watch<Client>{options, instants, *workers, name}.run(server);
    ::getrusage(RUSAGE_SELF, &after);
    const std::int64_t end_ns = std::min(of_workers.end_ns, load_clock_ns());
    for (const auto& worker : *workers) worker->end();
    threads.clear();  // joins
    if (end_ns <= instants.measure_ns)
        return std::unexpected{"stopped during the warm-up (--warm-up): nothing was measured"};
    LoadResult result{.seconds = static_cast<double>(end_ns - instants.measure_ns) / 1e9,
                      .interrupted = interrupted,
                      .cpu_user_s = seconds_of(after.ru_utime) - seconds_of(before.ru_utime),
                      .cpu_system_s = seconds_of(after.ru_stime) - seconds_of(before.ru_stime),
                      .server = server.run()};
    for (const LoadShare<Client>& share : *shares) result.tally.merge(*share.tally);
    result.tally.check_taken();
    if (options.settings.verify) result.tally.compare_sides();
    return result;
}

}  // namespace

std::expected<LoadResult, std::string> run_load(const LoadOptions& options, const char* name) {
    if (options.gateway == "fix") return run_clients<client::FixLoadClient>(options, name);
    if (options.gateway == "ouch") return run_clients<client::OuchLoadClient>(options, name);
    return run_clients<client::LoadClient>(options, name);
}

std::expected<LoadResult, std::string> run_echo(LoadOptions options) {
    const auto server = EchoServer::start(options.spin);
    if (!server) return std::unexpected{server.error()};
    options.host = "127.0.0.1";
    options.port = server->port();
    options.server_process = server->process();
    options.settings.echo = true;
    options.timetable.reset();
    options.watch_memory_s = 0;
    auto result = run_load(options, "echo");
    if (result && result->tally.errors() > 0)
        return std::unexpected{"the echo failed: " + result->tally.first_error};
    return result;
}

}  // namespace damrak::app
