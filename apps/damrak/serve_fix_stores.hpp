// The messages of FIX sessions in files, and the thread that makes their next files and pages
// ready, so that no session waits for the disk. Opened by the thread that trades.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <filesystem>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <damrak/base/runner.hpp>
#include <damrak/session/fix/message_store.hpp>

namespace damrak::app {

class FixStores {
  public:
    explicit FixStores(session::fix::StoreSettings settings) : settings_(settings) {}

    /// It is looked after until keep_no_more(), which must come before it ends.
    [[nodiscard]] std::expected<std::unique_ptr<session::fix::MessageStore>, std::string> open(
        const std::filesystem::path& folder);
    void keep_no_more();

    // An agent, stepped by the runner below.
    void on_start() {}
    std::size_t do_work(std::int64_t now_ns);
    void on_close() {}

  private:
    session::fix::StoreSettings settings_;
    std::mutex mutex_;
    std::vector<session::fix::StoreKeeper*> keepers_;
    std::optional<Runner> runner_;  ///< since the first was opened
};

}  // namespace damrak::app
