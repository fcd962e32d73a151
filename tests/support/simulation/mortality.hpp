// When a simulated process ends: in the middle of some call of the system, or at another place
// where it may. Whoever simulates the system calls place() there; while the process runs, and its
// time has come, that throws, as nothing else leaves the process from anywhere. Costs a comparison.
#pragma once

#include <cstdint>
#include <utility>

namespace damrak::simulation {

class Mortality {
  public:
    /// Such a place: ends the process if this is the one.
    void place() {
        if (!inside_ || places_left_ == UINT64_MAX) return;
        if (places_left_-- == 0) throw Ended{};
    }
    /// It ends after so many places.
    void end_after(std::uint64_t places) { places_left_ = places; }
    void spare() { places_left_ = UINT64_MAX; }
    [[nodiscard]] bool is_near() const { return places_left_ != UINT64_MAX; }

    /// Runs the process. False: it ended in the middle of it.
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

    bool inside_ = false;  ///< the process runs, and not who looks at it
    std::uint64_t places_left_ = UINT64_MAX;
};

}  // namespace damrak::simulation
