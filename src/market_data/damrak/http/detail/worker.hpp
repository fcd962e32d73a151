// A low-priority thread that runs one job after the other, for work that would block the server's
// own thread. Clients take turns: one with many jobs waiting delays another's by one job.
#pragma once

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <functional>
#include <list>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>

#include <damrak/base/helper_pacing.hpp>
#include <damrak/budget/row.hpp>

namespace damrak::http {

class Worker {
  public:
    using Job = std::function<void()>;

    Worker() : thread_([this](const std::stop_token& stop) { run(stop); }) {}
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;
    ~Worker() { stop(); }

    /// A client is an identity at an address.
    void add(const budget::Who& who, Job job) {
        {
            const std::lock_guard lock{mutex_};
            auto line = std::ranges::find(lines_, who, &Line::who);
            if (line == lines_.end()) line = lines_.insert(line, {.who = who, .jobs = {}});
            line->jobs.push_back(std::move(job));
        }
        added_.notify_one();
    }
    /// Ends the thread after the current job; waiting jobs are dropped.
    void stop() {
        thread_.request_stop();
        if (thread_.joinable()) thread_.join();
        lines_.clear();
    }

  private:
    /// The jobs of a client, at least one.
    struct Line {
        budget::Who who;
        std::deque<Job> jobs;
    };

    void run(const std::stop_token& stop) {
        set_helper_share(k_tenth);
        for (;;) {
            Job job;
            {
                std::unique_lock lock{mutex_};
                if (!added_.wait(lock, stop, [this] { return !lines_.empty(); })) return;
                if (stop.stop_requested()) return;
                job = next();
            }
            job();
        }
    }
    /// That of the client whose turn it is.
    Job next() {
        Line& line = lines_.front();
        Job job = std::move(line.jobs.front());
        line.jobs.pop_front();
        if (line.jobs.empty())
            lines_.pop_front();
        else
            lines_.splice(lines_.end(), lines_, lines_.begin());
        return job;
    }

    std::mutex mutex_;
    std::condition_variable_any added_;
    std::list<Line> lines_;  ///< in the order of their turns
    std::jthread thread_;
};

}  // namespace damrak::http
