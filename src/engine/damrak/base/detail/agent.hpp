// An agent: a part of the program that works in small steps. It owns no thread and never sleeps; a
// runner gives it a thread (runner.hpp), or a test steps it. Agents exchange data only through
// rings.
//
//   on_start()             once, before the first step, on the thread that steps it
//   do_work(now_ns)        one step; returns the amount of work done, zero if there was none
//   on_close()             once, after the last step
//   next_step_ns(now_ns)   optional, after a step without work: when it needs a step even if nobody
//                          calls its runner; `now_ns` or earlier if it waits for what nobody
//                          announces. Without it, an agent is always polled.
//
// AgentRef refers to an agent of any type. A step costs one indirect call and handles many
// messages.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>

namespace damrak {

template <class A>
concept Agent = requires(A& agent, std::int64_t now_ns) {
    agent.on_start();
    { agent.do_work(now_ns) } -> std::convertible_to<std::size_t>;
    agent.on_close();
};

class AgentRef {
  public:
    /// The agent must outlive the runner or invoker.
    template <Agent A>
    explicit AgentRef(A& agent)
        : agent_(&agent),
          on_start_([](void* a) { static_cast<A*>(a)->on_start(); }),
          do_work_([](void* a, std::int64_t now_ns) -> std::size_t {
              return static_cast<A*>(a)->do_work(now_ns);
          }),
          on_close_([](void* a) { static_cast<A*>(a)->on_close(); }),
          next_step_ns_([](void* a, std::int64_t now_ns) -> std::int64_t {
              if constexpr (requires { static_cast<A*>(a)->next_step_ns(now_ns); })
                  return static_cast<A*>(a)->next_step_ns(now_ns);
              else
                  return now_ns;
          }) {}

    void on_start() const { on_start_(agent_); }
    [[nodiscard]] std::size_t do_work(std::int64_t now_ns) const {
        return do_work_(agent_, now_ns);
    }
    void on_close() const { on_close_(agent_); }
    [[nodiscard]] std::int64_t next_step_ns(std::int64_t now_ns) const {
        return next_step_ns_(agent_, now_ns);
    }

  private:
    void* agent_;
    void (*on_start_)(void*);
    std::size_t (*do_work_)(void*, std::int64_t);
    void (*on_close_)(void*);
    std::int64_t (*next_step_ns_)(void*, std::int64_t);
};

}  // namespace damrak
