#include "serve_notices.hpp"

#include <cstdint>

#include "cli.hpp"
#include "say.hpp"

namespace damrak::app {

void SessionNotices::tell(SessionId session, std::string_view reason) {
    if (Notice* const notice = waiting_.claim(); notice != nullptr) {
        *notice = {.session = session, .reason = reason};
        waiting_.publish();
    } else {
        untold_.fetch_add(1, std::memory_order_relaxed);
    }
}

std::size_t SessionNotices::do_work(std::int64_t /*now_ns*/) {
    std::size_t told = 0;
    for (auto batch = waiting_.front(); !batch.empty(); batch = waiting_.front()) {
        for (const Notice& notice : batch) {
            // A FIX session of that number, zero before its Logon; see sessions.txt.
            const bool fix = door_of(notice.session) == Door::fix;
            say("{}session {} ended: {}\n", fix ? "FIX " : "",
                fix ? static_cast<std::uint32_t>(notice.session.value) : notice.session.value,
                notice.reason);
        }
        told += batch.size();
        waiting_.release(batch.size());
    }
    if (const std::uint64_t more = untold_.exchange(0, std::memory_order_relaxed); more > 0)
        say("note         {} ended too fast to be told one by one\n",
            counted(static_cast<std::int64_t>(more), "more session"));
    return told;
}

}  // namespace damrak::app
