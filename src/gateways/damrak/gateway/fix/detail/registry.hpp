// The sessions of the FIX gateway on the disk: the roster, and the store of each. Who trades is not
// to wait for the disk, so what is to be done comes as errands, which another thread does (work())
// and which come back done, in order. Without such a thread who hands one over does it.
//
//   registry.hand_over(std::move(errand));                       the thread of the gateways
//   registry.work();                                             a thread that may wait
//   registry.take_done([](std::unique_ptr<FixErrand<Store>>) {…});   the thread of the gateways
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <expected>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <damrak/gateway/fix/detail/handed_over.hpp>
#include <damrak/gateway/fix/detail/roster.hpp>
#include <damrak/session/fix/directory.hpp>

namespace damrak::gateway::fix {

template <class Store>
struct FixErrand {
    enum class Kind : std::uint8_t {
        enter,   ///< a session that begins to exist: number and store
        leave,   ///< one that ends to exist: its store, which goes with all its files
        add,     ///< an administrator's
        remove,  ///< an administrator's
    };
    Kind kind{};
    FixRoster::Entry entry{};
    std::uint32_t number = 0;
    std::unique_ptr<Store> store{};
    std::string trouble{};  ///< why it could not be done; empty: it was
    // Of who handed it over:
    std::size_t place = 0;
    bool ever_ordered = false;
    bool by_administrator = false;
    FixErrand* next = nullptr;
};

/// How the messages of a session are kept.
template <class Store>
struct FixStoring {
    std::function<std::expected<std::unique_ptr<Store>, std::string>(
        const std::filesystem::path& folder)>
        open;
    /// It is not needed any more, nor are its files.
    std::function<void(std::unique_ptr<Store> store, const std::filesystem::path& folder)> discard =
        [](std::unique_ptr<Store>, const std::filesystem::path&) {};
};

template <class Store>
class FixRegistry {
  public:
    using Errand = FixErrand<Store>;

    FixRegistry(FixRoster roster, std::filesystem::path folder, FixStoring<Store> storing,
                bool has_helper)
        : roster_(std::move(roster)),
          folder_(std::move(folder)),
          storing_(std::move(storing)),
          has_helper_(has_helper) {}

    void hand_over(std::unique_ptr<Errand> errand) {
        to_do_.put(std::move(errand));
        if (!has_helper_) static_cast<void>(work());
    }
    /// Whether what was done last could not be kept. Any thread.
    [[nodiscard]] bool is_failing() const { return failing_.load(std::memory_order_relaxed); }
    [[nodiscard]] bool any_done() const { return done_.any(); }
    template <class F>
    void take_done(F&& f) {
        done_.take(std::forward<F>(f));
    }

    /// Does some of what is to be done; how many. Those behind come in the next call, so that what
    /// else the thread has to do has its turn.
    std::size_t work() {
        to_do_.take([this](auto errand) { waiting_.push_back(std::move(errand)); });
        if (waiting_.empty()) return 0;
        const FixRoster before = roster_;
        std::vector<std::unique_ptr<Errand>> batch;
        while (!waiting_.empty() && (batch.size() < k_batch || !has_helper_)) {
            batch.push_back(std::move(waiting_.front()));
            waiting_.pop_front();
            begin(*batch.back());
        }
        if (const auto written = roster_.write(); !written) {
            roster_ = before;
            for (const auto& errand : batch) undo(*errand, written.error());
        }
        failing_ =
            std::ranges::any_of(batch, [](const auto& errand) { return !errand->trouble.empty(); });
        const std::size_t count = batch.size();
        for (auto& errand : batch) done_.put(std::move(errand));
        return count;
    }

  private:
    /// What one write of the roster, some milliseconds, is shared by.
    static constexpr std::size_t k_batch = 16;

    [[nodiscard]] std::filesystem::path folder_of(const Errand& errand) const {
        return folder_ / session::fix::folder_name(errand.entry.name);
    }
    void begin(Errand& errand) {
        switch (errand.kind) {
            case Errand::Kind::enter: {
                auto store = storing_.open(folder_of(errand));
                if (!store) {
                    errand.trouble = std::move(store.error());
                    return;
                }
                errand.store = *std::move(store);
                errand.number = roster_.enter(errand.entry);
                return;
            }
            case Errand::Kind::leave:
                // In this order: a kill between the two leaves a session that is known and new.
                storing_.discard(std::move(errand.store), folder_of(errand));
                return roster_.forget(errand.number);
            case Errand::Kind::add:
                return roster_.add(errand.entry.name);
            case Errand::Kind::remove:
                return roster_.remove(errand.entry.name);
        }
    }
    void undo(Errand& errand, const std::string& why) {
        errand.trouble = why;
        if (errand.kind == Errand::Kind::enter && errand.store != nullptr)
            storing_.discard(std::move(errand.store), folder_of(errand));
    }

    FixRoster roster_;  ///< from here on to line waiting_: of who works
    std::filesystem::path folder_;
    FixStoring<Store> storing_;
    std::deque<std::unique_ptr<Errand>> waiting_;
    bool has_helper_;
    std::atomic<bool> failing_{false};
    detail::HandedOver<Errand> to_do_;
    detail::HandedOver<Errand> done_;
};

}  // namespace damrak::gateway::fix
