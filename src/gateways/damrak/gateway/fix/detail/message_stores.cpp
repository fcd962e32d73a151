#include <damrak/gateway/fix/detail/message_stores.hpp>

#include <algorithm>
#include <chrono>
#include <system_error>
#include <utility>

#include <damrak/base/system_time.hpp>
#include <damrak/base/time_units.hpp>
#include <damrak/journal/file_system.hpp>

namespace damrak::gateway::fix {

std::expected<std::unique_ptr<session::fix::MessageStore>, std::string> FixStores::open(
    const std::filesystem::path& folder) {
    auto store = session::fix::MessageStore::open(journal::real_files(), folder, settings_,
                                                  Timestamp{system_time_ns()});
    if (!store) return store;
    {
        const std::scoped_lock lock{mutex_};
        (*store)->preallocator().on_start();
        preallocators_.push_back(&(*store)->preallocator());
    }
    return store;
}

void FixStores::discard(std::unique_ptr<session::fix::MessageStore> store,
                        const std::filesystem::path& folder) {
    {
        const std::scoped_lock lock{mutex_};
        std::erase(preallocators_, &store->preallocator());
        store->preallocator().on_close();
    }
    store.reset();
    // Removes the files in the order of their names, so that a kill leaves the newest, which has
    // the sequence numbers.
    std::error_code error;
    std::vector<std::filesystem::path> files;
    for (const auto& file : std::filesystem::directory_iterator{folder, error})
        files.push_back(file.path());
    std::ranges::sort(files);
    for (const auto& file : files) std::filesystem::remove(file, error);
    std::filesystem::remove(folder, error);
}

void FixStores::start(std::function<std::size_t()> work) {
    work_ = std::move(work);
    runner_.emplace(RunnerConfig{.name = "fix-stores",
                                 .waiting = Waiting::block,
                                 .pause = std::chrono::milliseconds{1},
                                 .longest_pause = std::chrono::milliseconds{50}},
                    std::vector{AgentRef{*this}});
}

void FixStores::keep_no_more() {
    runner_.reset();
    const std::scoped_lock lock{mutex_};
    for (session::fix::StorePreallocator* const preallocator : preallocators_)
        preallocator->on_close();
    preallocators_.clear();
}

std::size_t FixStores::do_work(std::int64_t now_ns) {
    std::size_t work = work_();
    const std::scoped_lock lock{mutex_};
    for (session::fix::StorePreallocator* const preallocator : preallocators_)
        work += preallocator->do_work(now_ns);
    if (now_ns < next_look_ns_) return work;
    next_look_ns_ = now_ns + k_second_ns;
    failing_ = std::ranges::any_of(preallocators_,
                                   [](const auto* one) { return !one->trouble().empty(); });
    return work;
}

}  // namespace damrak::gateway::fix
