#include <damrak/feed/earlier_sessions.hpp>

#include <algorithm>
#include <chrono>
#include <system_error>

namespace damrak::feed {

std::optional<EarlierSessions::Session> EarlierSessions::find(FeedSessionId id) {
    take_opened();
    const auto found = std::ranges::find(open_, id, [](const auto& one) { return one->id(); });
    if (found != open_.end()) {
        std::rotate(found, found + 1, open_.end());
        return open_.back();
    }
    std::error_code error;
    if (!std::filesystem::exists(folder_ / (id.text() + ".position"), error)) return nullptr;
    if (opening_.valid()) return std::nullopt;
    if (std::exchange(wanted_, FeedSessionId{}) == id) return nullptr;  // it could not be opened
    if (!make_room() || !begin_opening(id)) return nullptr;
    return std::nullopt;
}

void EarlierSessions::take_opened() {
    if (!opening_.valid() ||
        opening_.wait_for(std::chrono::seconds{0}) != std::future_status::ready)
        return;
    if (auto session = opening_.get()) {
        wanted_ = {};
        open_.push_back(std::move(session));
    }
}

// Closes the one that nobody reads and that was not asked for longest.
bool EarlierSessions::make_room() {
    if (open_.size() < k_most) return true;
    return std::erase_if(open_, [closed = false](const Session& one) mutable {
               return !closed && (closed = one.use_count() == 1);
           }) > 0;
}

bool EarlierSessions::begin_opening(FeedSessionId id) {
    try {
        opening_ = std::async(std::launch::async, [folder = folder_, id]() -> Session {
            auto session = FeedSession::open_earlier(folder, id);
            return session ? *std::move(session) : nullptr;
        });
    } catch (const std::system_error&) {  // the system has no further thread
        return false;
    }
    wanted_ = id;
    return true;
}

}  // namespace damrak::feed
