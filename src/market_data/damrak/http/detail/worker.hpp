// Low-priority threads for work that would block the server's own thread: one for each client with
// a job that has begun. One of them works at a time, and clients take turns: one with many jobs
// waiting, or with a long job, delays another's by one job, or by what a long one does before it
// gives way.
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <list>
#include <mutex>
#include <thread>
#include <vector>

#include <damrak/budget/row.hpp>

namespace damrak::http {

class Worker {
  public:
    using Job = std::function<void()>;

    Worker() = default;
    Worker(const Worker&) = delete;
    Worker& operator=(const Worker&) = delete;
    ~Worker() { stop(); }

    /// A client is an identity at an address. Any thread.
    void add(const budget::Who& who, Job job);
    /// Called by a job: the clients that wait have a turn each before it continues. Elsewhere it
    /// does nothing. Once the worker stops, the job ends here, by an exception that only the worker
    /// catches.
    static void give_way();
    /// Ends the threads as soon as the jobs that have begun are over, or give way. Others are
    /// dropped.
    void stop();

  private:
    struct Stopped {};
    /// A job that has given way, on its own thread.
    struct Paused {
        std::condition_variable wakes{};
        bool goes_on = false;
    };
    /// The jobs of a client, at least one.
    struct Line {
        budget::Who who;
        Paused* paused = nullptr;  ///< before the others
        std::deque<Job> jobs{};
    };

    // These need the mutex:
    Line& line_of(const budget::Who& who);
    /// Gives the turn to the first line; nobody has it if there is none.
    void pass_turn();
    /// The first line has had its turn.
    void to_the_end();
    [[nodiscard]] bool has_others() const;
    void drop_unless_paused();

    void run();
    void pause();

    std::mutex mutex_;
    std::list<Line> lines_;  ///< in the order of their turns
    budget::Who who_{};      ///< who has the turn
    bool is_busy_ = false;   ///< somebody has it
    bool begins_ = false;    ///< an idle thread has it, and takes the first job
    bool is_stopping_ = false;
    std::condition_variable begin_;
    std::size_t idle_ = 0;
    std::vector<std::thread> threads_;
};

}  // namespace damrak::http
