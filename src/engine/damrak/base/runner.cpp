#include <damrak/base/runner.hpp>

#include <algorithm>
#include <utility>

#include <pthread.h>

#include <damrak/base/affinity.hpp>
#include <damrak/base/assert.hpp>
#include <damrak/base/helper_pacing.hpp>
#include <damrak/base/system_time.hpp>

namespace damrak {

Runner::Runner(RunnerConfig config, std::vector<AgentRef> agents)
    : thread_([this, config = std::move(config), agents = std::move(agents)](
                  const std::stop_token& stop) { run(stop, config, agents); }) {}

void Runner::stop() {
    thread_.request_stop();
    call();
    if (thread_.joinable()) thread_.join();
}

void Runner::run(const std::stop_token& stop, const RunnerConfig& config,
                 const std::vector<AgentRef>& agents) {
    constexpr std::size_t k_name_length = 15;
    ::pthread_setname_np(::pthread_self(), config.name.substr(0, k_name_length).c_str());
    if (config.core) DAMRAK_ASSERT(pin_this_thread(*config.core));
    if (config.is_helper) set_helper_share(config.share);
    for (const AgentRef& agent : agents) agent.on_start();
    const bool pauses = config.is_helper || config.waiting == Waiting::block;
    const bool naps = config.longest_nap.count() > 0 &&
                      (config.waiting == Waiting::backoff || config.waiting == Waiting::block);
    unsigned idle_turns = 0;
    Waiter waiter{config.waiting};
    // A call interrupts only a pause that has grown beyond the first. Under load, no caller needs a
    // system call.
    GrowingPause pause{config.pause, config.longest_pause};
    while (!stop.stop_requested()) {
        std::size_t work = 0;
        for (const AgentRef& agent : agents) work += agent.do_work(system_time_ns());
        idle_turns = work > 0 ? 0 : idle_turns + 1;
        if (naps && idle_turns > Waiter::k_turns_to_longest && nap(config.longest_nap, agents))
            continue;
        if (!pauses)
            waiter.after(work);
        else if (work > 0)
            pause.after(work);
        else if (const auto length = pause.after(nap_.was_called() ? 1U : 0U);
                 length <= config.pause)
            sleep_helper(length);
        else if (nap_.sleep(std::chrono::ceil<std::chrono::milliseconds>(length)))
            pause.after(1);
    }
    for (const AgentRef& agent : agents) agent.on_close();
}

// False: somebody may need a step at once.
bool Runner::nap(std::chrono::milliseconds longest, const std::vector<AgentRef>& agents) {
    using namespace std::chrono_literals;
    const std::int64_t now_ns = system_time_ns();
    std::int64_t most_ns = std::chrono::nanoseconds{longest}.count();
    for (const AgentRef& agent : agents)
        most_ns = std::min(most_ns, agent.next_step_ns(now_ns) - now_ns);
    const auto most =
        std::chrono::floor<std::chrono::milliseconds>(std::chrono::nanoseconds{most_ns});
    if (most < 1ms || !nap_.may_sleep()) return false;
    nap_.sleep(most);
    return true;
}

Invoker::Invoker(std::vector<AgentRef> agents) : agents_(std::move(agents)) {
    for (const AgentRef& agent : agents_) agent.on_start();
}

Invoker::~Invoker() {
    for (const AgentRef& agent : agents_) agent.on_close();
}

std::size_t Invoker::step_all(std::int64_t now_ns) {
    std::size_t work = 0;
    for (const AgentRef& agent : agents_) work += agent.do_work(now_ns);
    return work;
}

}  // namespace damrak
