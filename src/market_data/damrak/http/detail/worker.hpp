// A low-priority thread that runs one job after the other, for work that would block the server's
// own thread.
#pragma once

#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <stop_token>
#include <thread>
#include <utility>

#include <damrak/base/helper_pacing.hpp>

namespace damrak::http {

class Worker {
  public:
    using Job = std::function<void()>;

    Worker() : thread_([this](const std::stop_token& stop) { run(stop); }) {}
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;
    ~Worker() { stop(); }

    void add(Job job) {
        {
            const std::lock_guard lock{mutex_};
            jobs_.push_back(std::move(job));
        }
        added_.notify_one();
    }
    /// Ends the thread after the current job; waiting jobs are dropped.
    void stop() {
        thread_.request_stop();
        if (thread_.joinable()) thread_.join();
        jobs_.clear();
    }

  private:
    void run(const std::stop_token& stop) {
        set_helper_share(k_tenth);
        for (;;) {
            Job job;
            {
                std::unique_lock lock{mutex_};
                if (!added_.wait(lock, stop, [this] { return !jobs_.empty(); })) return;
                if (stop.stop_requested()) return;
                job = std::move(jobs_.front());
                jobs_.pop_front();
            }
            job();
        }
    }

    std::mutex mutex_;
    std::condition_variable_any added_;
    std::deque<Job> jobs_;
    std::jthread thread_;
};

}  // namespace damrak::http
