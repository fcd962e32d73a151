// The messages of FIX sessions in files, and the thread that waits for the disk so that nobody who
// trades has to: it makes next files and pages ready, and the stores of new sessions. Those that
// are there at start are opened by the main thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <damrak/base/runner.hpp>
#include <damrak/session/fix/message_store.hpp>

namespace damrak::exchange {

class FixStores {
  public:
    explicit FixStores(session::fix::StoreSettings settings) : settings_(settings) {}

    /// It is looked after until keep_no_more() or discard(), which must come before it ends.
    [[nodiscard]] std::expected<std::unique_ptr<session::fix::MessageStore>, std::string> open(
        const std::filesystem::path& folder);
    /// Its files go with it.
    void discard(std::unique_ptr<session::fix::MessageStore> store,
                 const std::filesystem::path& folder);
    /// From here on there is the thread, which also does that work, some at a time.
    void start(std::function<std::size_t()> work);
    /// Messages have come: what they need is done soon. Costs a system call where none came for
    /// long, else a load.
    void call() {
        if (runner_) runner_->call();
    }
    /// The thread has ended on return.
    void keep_no_more();

    // An agent, stepped by the runner below.
    void on_start() {}
    std::size_t do_work(std::int64_t now_ns);
    void on_close() {}

  private:
    session::fix::StoreSettings settings_;
    std::mutex mutex_;
    std::vector<session::fix::StorePreallocator*> preallocators_;
    std::function<std::size_t()> work_;
    std::optional<Runner> runner_;
};

}  // namespace damrak::exchange
