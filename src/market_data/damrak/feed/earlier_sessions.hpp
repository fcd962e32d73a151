// The feed sessions before the current one, to be read again as long as their files are there.
//
// To open a session is to read its whole file once, which a thread of its own does: only those who
// asked for it wait. Sessions that were asked for last stay open. One thread.
#pragma once

#include <cstddef>
#include <filesystem>
#include <future>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include <damrak/feed/feed_session.hpp>

namespace damrak::feed {

class EarlierSessions {
  public:
    using Session = std::shared_ptr<const FeedSession>;
    /// Of open sessions, and so of those that are read at the same time.
    static constexpr std::size_t k_most = 8;

    explicit EarlierSessions(std::filesystem::path folder) : folder_(std::move(folder)) {}

    /// Null: there is no such session, or no room for it. Nothing: a session is being opened, so
    /// ask again.
    [[nodiscard]] std::optional<Session> find(FeedSessionId id);

  private:
    void take_opened();
    [[nodiscard]] bool make_room();
    [[nodiscard]] bool begin_opening(FeedSessionId id);

    std::filesystem::path folder_;
    std::vector<Session> open_;  ///< the one that was asked for last is the last
    std::future<Session> opening_;
    FeedSessionId wanted_{};  ///< the one that is being opened, or that could not be
};

}  // namespace damrak::feed
