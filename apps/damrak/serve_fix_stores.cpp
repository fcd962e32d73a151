#include "serve_fix_stores.hpp"

#include <damrak/journal/file_system.hpp>

#include "serve_helpers.hpp"

namespace damrak::app {

std::expected<std::unique_ptr<session::fix::MessageStore>, std::string> FixStores::open(
    const std::filesystem::path& folder) {
    auto store =
        session::fix::MessageStore::open(journal::real_files(), folder, settings_, system_time());
    if (!store) return store;
    {
        const std::scoped_lock lock{mutex_};
        (*store)->keeper().on_start();
        keepers_.push_back(&(*store)->keeper());
    }
    if (!runner_)
        runner_.emplace(RunnerConfig{.name = "fix-stores", .waiting = Waiting::block},
                        std::vector{AgentRef{*this}});
    return store;
}

void FixStores::keep_no_more() {
    const std::scoped_lock lock{mutex_};
    for (session::fix::StoreKeeper* const keeper : keepers_) keeper->on_close();
    keepers_.clear();
}

std::size_t FixStores::do_work(std::int64_t now_ns) {
    const std::scoped_lock lock{mutex_};
    std::size_t work = 0;
    for (session::fix::StoreKeeper* const keeper : keepers_) work += keeper->do_work(now_ns);
    return work;
}

}  // namespace damrak::app
