// The message files of FIX sessions, and a thread that waits for the disk so that trading does not:
// it prepares next files and pages, and the stores of new sessions. The main thread opens those
// that exist at the start.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <damrak/base/runner.hpp>
#include <damrak/session/fix/message_store.hpp>

namespace damrak::gateway::fix {

class FixStores {
  public:
    /// The sessions are in the folder.
    FixStores(std::filesystem::path folder, session::fix::StoreSettings settings)
        : folder_(std::move(folder)), settings_(settings) {
        settings_.lock_folder = false;  // FixSessionTable has a lock on all of them
    }

    [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }

    /// The thread maintains the store until keep_no_more() or discard(); one of them must come
    /// before the store is destroyed.
    [[nodiscard]] std::expected<std::unique_ptr<session::fix::MessageStore>, std::string> open(
        const std::filesystem::path& folder);
    /// Deletes its files as well.
    void discard(std::unique_ptr<session::fix::MessageStore> store,
                 const std::filesystem::path& folder);
    /// Starts the thread, which also calls `work`, in portions.
    void start(std::function<std::size_t()> work);
    /// Messages were stored: the thread soon does what they need. Costs a system call after a long
    /// pause, else a load.
    void call() {
        if (runner_) runner_->call();
    }
    /// The next file of a session could not be made. Any thread; a second late.
    [[nodiscard]] bool is_failing() const { return failing_.load(std::memory_order_relaxed); }
    /// Returns when the thread has ended.
    void keep_no_more();

    // Interface of an agent, stepped by the runner below.
    void on_start() {}
    std::size_t do_work(std::int64_t now_ns);
    void on_close() {}

  private:
    std::filesystem::path folder_;
    session::fix::StoreSettings settings_;
    std::mutex mutex_;
    std::vector<session::fix::StorePreallocator*> preallocators_;
    std::atomic<bool> failing_{false};
    std::int64_t next_look_ns_ = 0;
    std::function<std::size_t()> work_;
    std::optional<Runner> runner_;
};

}  // namespace damrak::gateway::fix
