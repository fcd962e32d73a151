#include <damrak/net/network_namespace.hpp>

#include <cerrno>
#include <cstring>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <sched.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <damrak/base/assert.hpp>

namespace damrak::net {

namespace {

constexpr const char* k_own_namespace = "/proc/thread-self/ns/net";

Descriptor own_namespace() { return Descriptor{::open(k_own_namespace, O_RDONLY | O_CLOEXEC)}; }

std::vector<std::string> words_of(const std::string& line) {
    std::vector<std::string> words(1);
    for (const char c : line) {
        if (c != ' ')
            words.back() += c;
        else if (!words.back().empty())
            words.emplace_back();
    }
    return words;
}

}  // namespace

NetworkNamespace::Visit::Visit(int where) : home_(own_namespace()) {
    DAMRAK_ASSERT(home_.open() && ::setns(where, CLONE_NEWNET) == 0);
}

NetworkNamespace::Visit::~Visit() { DAMRAK_ASSERT(::setns(home_.number(), CLONE_NEWNET) == 0); }

std::expected<NetworkNamespace, std::string> NetworkNamespace::make() {
    const Descriptor home = own_namespace();
    if (!home.open() || ::unshare(CLONE_NEWNET) != 0)
        return std::unexpected{fmt::format("cannot make a network namespace (it needs root): {}",
                                           std::strerror(errno))};
    NetworkNamespace made{own_namespace()};
    DAMRAK_ASSERT(::setns(home.number(), CLONE_NEWNET) == 0);
    return made;
}

bool run_quietly(const std::string& command_line) {
    std::vector<std::string> words = words_of(command_line);
    std::vector<char*> arguments;
    arguments.reserve(words.size() + 1);
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    for (const int output : {STDOUT_FILENO, STDERR_FILENO})
        ::posix_spawn_file_actions_addopen(&actions, output, "/dev/null", O_WRONLY, 0);
    pid_t process = 0;
    const int error =
        ::posix_spawnp(&process, arguments[0], &actions, nullptr, arguments.data(), environ);
    ::posix_spawn_file_actions_destroy(&actions);
    int status = 0;
    return error == 0 && ::waitpid(process, &status, 0) == process && status == 0;
}

std::expected<VethPair, std::string> VethPair::make(unsigned queues) {
    auto left = NetworkNamespace::make();
    if (!left) return std::unexpected{left.error()};
    auto right = NetworkNamespace::make();
    if (!right) return std::unexpected{right.error()};
    const auto run_in = [](const NetworkNamespace& where, const std::string& command) {
        return where.run([&command] { return run_quietly(command); });
    };
    const std::string other_side = fmt::format("/proc/{}/fd/{}", ::getpid(), right->descriptor());
    const std::string with_queues = fmt::format("numtxqueues {0} numrxqueues {0}", queues);
    if (!run_in(*left, fmt::format("ip link add {0} {2} type veth peer name {0} {2} netns {1}",
                                   k_interface, other_side, with_queues)))
        return std::unexpected{
            std::string{"cannot make a pair of virtual cards: it needs root, `ip` (the package "
                        "iproute2) and a kernel with veth"}};
    const auto set_up = [&run_in](const NetworkNamespace& side, const char* address) {
        return run_in(side, fmt::format("ip address add {}/24 dev {}", address, k_interface)) &&
               run_in(side, "ip link set lo up") &&
               run_in(side, fmt::format("ip link set {} up", k_interface));
    };
    if (!set_up(*left, k_left_address) || !set_up(*right, k_right_address))
        return std::unexpected{std::string{"cannot give the virtual cards their addresses"}};
    return VethPair{.left = std::move(*left), .right = std::move(*right)};
}

}  // namespace damrak::net
