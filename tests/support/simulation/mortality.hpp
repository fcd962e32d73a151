// Decides when a simulated process crashes: inside a system call, or at another possible place. The
// simulated system calls place() there; when the time has come it throws, because only an exception
// leaves the process from anywhere. Costs a comparison.
#pragma once

#include <cstdint>
#include <utility>

namespace damrak::simulation {

class Mortality {
  public:
    /// A possible place: crashes here if it is the chosen one.
    void place() {
        if (!inside_ || places_left_ == UINT64_MAX) return;
        if (places_left_-- == 0) throw Ended{};
    }
    /// Crashes after that many places.
    void end_after(std::uint64_t places) { places_left_ = places; }
    void spare() { places_left_ = UINT64_MAX; }
    [[nodiscard]] bool is_near() const { return places_left_ != UINT64_MAX; }

    /// Runs the process. False if it crashed.
    template <class F>
    bool survives(F&& f) {
        inside_ = true;
        bool survived = true;
        try {
            std::forward<F>(f)();
        } catch (const Ended&) {
            survived = false;
        }
        inside_ = false;
        return survived;
    }

  private:
    struct Ended {};

    bool inside_ = false;  ///< the process runs, as opposed to its observers
    std::uint64_t places_left_ = UINT64_MAX;
};

}  // namespace damrak::simulation
