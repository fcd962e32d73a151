#include <damrak/http/detail/worker.hpp>

#include <algorithm>
#include <utility>

#include <damrak/base/helper_pacing.hpp>

namespace damrak::http {

namespace {

/// Whose thread this is; null: no worker's.
thread_local Worker* worker_of_thread = nullptr;

}  // namespace

void Worker::add(const budget::Who& who, Job job) {
    const std::lock_guard lock{mutex_};
    line_of(who).jobs.push_back(std::move(job));
    if (!is_busy_) pass_turn();
}

void Worker::give_way() {
    if (worker_of_thread != nullptr) worker_of_thread->pause();
}

void Worker::stop() {
    {
        const std::lock_guard lock{mutex_};
        is_stopping_ = true;
        begin_.notify_all();
    }
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
    lines_.clear();
}

Worker::Line& Worker::line_of(const budget::Who& who) {
    const auto line = std::ranges::find(lines_, who, &Line::who);
    return line == lines_.end() ? lines_.emplace_back(who) : *line;
}

bool Worker::has_others() const {
    return std::ranges::any_of(lines_, [this](const Line& line) { return line.who != who_; });
}

void Worker::to_the_end() {
    if (lines_.front().jobs.empty())
        lines_.pop_front();
    else
        lines_.splice(lines_.end(), lines_, lines_.begin());
}

void Worker::drop_unless_paused() {
    lines_.remove_if([](const Line& line) { return line.paused == nullptr; });
}

void Worker::pass_turn() {
    if (is_stopping_) drop_unless_paused();
    is_busy_ = !lines_.empty();
    if (!is_busy_) return;
    Line& line = lines_.front();
    who_ = line.who;
    if (Paused* const paused = std::exchange(line.paused, nullptr)) {
        to_the_end();
        paused->goes_on = true;
        paused->wakes.notify_one();
        return;
    }
    begins_ = true;
    if (idle_ == 0) threads_.emplace_back([this] { run(); });
    begin_.notify_one();
}

void Worker::run() {
    worker_of_thread = this;
    set_helper_share(k_tenth);
    std::unique_lock lock{mutex_};
    ++idle_;
    for (;;) {
        begin_.wait(lock, [this] { return begins_ || is_stopping_; });
        const bool has_turn = std::exchange(begins_, false);
        if (has_turn && !is_stopping_) {
            --idle_;
            Job job = std::move(lines_.front().jobs.front());
            lines_.front().jobs.pop_front();
            to_the_end();
            lock.unlock();
            try {
                job();
            } catch (const Stopped&) {
            }
            job = nullptr;  // what it holds ends while nobody else works
            lock.lock();
            ++idle_;
        }
        if (has_turn) pass_turn();
        if (is_stopping_) return;
    }
}

void Worker::pause() {
    std::unique_lock lock{mutex_};
    if (is_stopping_) throw Stopped{};
    if (!has_others()) return;
    Paused here;
    line_of(who_).paused = &here;
    const auto own = std::ranges::find(lines_, who_, &Line::who);
    lines_.splice(lines_.end(), lines_, own);
    pass_turn();
    here.wakes.wait(lock, [&here] { return here.goes_on; });
    if (is_stopping_) throw Stopped{};
}

}  // namespace damrak::http
