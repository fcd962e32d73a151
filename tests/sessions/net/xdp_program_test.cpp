// The program on the interface is attached and detached with its path, even after a crash.
#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef DAMRAK_HAS_LIBBPF
#include <bpf/bpf.h>
#include <bpf/libbpf.h>
#include <linux/if_link.h>
#include <net/if.h>
#endif

#include <damrak/net/any_path.hpp>
#include <damrak/net/network_namespace.hpp>
#include <damrak/net/xdp_path.hpp>

#include "support/child_process.hpp"

namespace damrak::net::xdp_program_test {
namespace {

using ::testing::HasSubstr;

constexpr std::uint16_t k_port = 26'402;
constexpr unsigned k_cpu_limit_s = 30;

XdpPathOptions options_of(std::uint16_t port) {
    return {.interface = VethPair::k_interface, .port = port, .mode = XdpMode::native};
}

// The interface's XDP state in the output of `ip`: "xdp" and the program's number, or empty.
std::string shown() {
    const std::string command = std::string{"ip -details link show "} + VethPair::k_interface;
    FILE* const output = ::popen(command.c_str(), "r");
    std::string text;
    std::array<char, 256> line{};
    while (std::fgets(line.data(), line.size(), output) != nullptr) text += line.data();
    ::pclose(output);
    return text;
}

bool has_program() { return shown().find("prog/xdp") != std::string::npos; }

// Opens a path and is killed, so it releases nothing in an orderly way.
void crash_with_a_path(std::uint16_t port) {
    std::array<int, 2> pipe{};
    ASSERT_EQ(::pipe(pipe.data()), 0);
    const pid_t process = ::fork();
    if (process == 0) {
        ::prctl(PR_SET_PDEATHSIG, SIGKILL);
        const auto path = XdpPath::open(options_of(port));
        const char done = path ? 'y' : 'n';
        if (::write(pipe[1], &done, 1) == 1) ::pause();
        ::_exit(1);
    }
    char done = 0;
    ASSERT_EQ(::read(pipe[0], &done, 1), 1);
    EXPECT_EQ(done, 'y');
    ::kill(process, SIGKILL);
    ::waitpid(process, nullptr, 0);
    ::close(pipe[0]);
    ::close(pipe[1]);
}

class XdpProgram : public ::testing::Test {
  protected:
    void SetUp() override {
        auto made = VethPair::make();
        if (!made) GTEST_SKIP() << made.error();
        pair_.emplace(std::move(*made));
    }

    std::optional<VethPair> pair_;
};

TEST_F(XdpProgram, IsDetachedByTheClose) {
    pair_->left.run([] {
        auto path = XdpPath::open(options_of(k_port));
        ASSERT_TRUE(path) << path.error();
        EXPECT_TRUE(has_program()) << shown();
        {
            const XdpPath closed = std::move(*path);
        }
        EXPECT_FALSE(has_program()) << shown();
    });
}

TEST_F(XdpProgram, IsAttachedOnceAfterACrashAndARestart) {
    pair_->left.run([] {
        crash_with_a_path(k_port);
        const auto path = XdpPath::open(options_of(k_port));
        ASSERT_TRUE(path) << path.error();
        EXPECT_TRUE(has_program());
    });
}

TEST_F(XdpProgram, AForeignProgramIsNotReplaced) {
    pair_->left.run([] {
        auto first = XdpPath::open(options_of(k_port));
        ASSERT_TRUE(first) << first.error();
        if (first->describe().find("dispatcher") != std::string::npos)
            GTEST_SKIP() << "with the BPF file system both can coexist";
        const std::string before = shown();
        const auto second = XdpPath::open(options_of(k_port + 1));
        ASSERT_FALSE(second);
        EXPECT_THAT(second.error(), HasSubstr("already has the XDP program 'damrak_udp'"));
        EXPECT_EQ(shown(), before);
    });
}

TEST_F(XdpProgram, HoldsThePortAndReportsAnInvalidOne) {
    pair_->left.run([] {
        const auto first = XdpPath::open(options_of(k_port));
        ASSERT_TRUE(first) << first.error();
        const auto second = XdpPath::open(options_of(k_port));
        ASSERT_FALSE(second);
        EXPECT_THAT(second.error(), HasSubstr("cannot receive datagrams at port 26402"));
        const auto socket = AnyPath::open(
            {.choice = PathChoice::socket, .interface = VethPair::k_interface, .port = k_port});
        EXPECT_FALSE(socket);
    });
}

TEST_F(XdpProgram, ReportsWhyItCannotBeAttached) {
    pair_->left.run([] {
        const auto nowhere = XdpPath::open({.interface = "nosuch0"});
        ASSERT_FALSE(nowhere);
        EXPECT_THAT(nowhere.error(), HasSubstr("no network interface 'nosuch0'"));
        const auto loopback = XdpPath::open({.interface = "lo"});
        ASSERT_FALSE(loopback);
        EXPECT_THAT(loopback.error(), HasSubstr("lo is not an Ethernet interface"));

        const auto chosen = AnyPath::open({.interface = "lo"});
        ASSERT_TRUE(chosen) << chosen.error();
        EXPECT_THAT(chosen->describe(), HasSubstr("a socket at 127.0.0.1:"));
        EXPECT_THAT(chosen->describe(),
                    HasSubstr("chosen because: lo is not an Ethernet interface"));
        const auto best = AnyPath::open({.interface = VethPair::k_interface});
        ASSERT_TRUE(best) << best.error();
        EXPECT_THAT(best->describe(), HasSubstr("native mode")) << "generic mode loses batches";
    });
}

// With the BPF file system several programs share the interface. It is mounted in a process that
// has its own view of the file systems.
using Finding = std::optional<std::string>;

const std::string k_no_dispatcher =
    "this kernel does not support the dispatcher of libxdp (freplace)";

Finding with_bpf_files(const VethPair& pair, const std::function<Finding()>& check) {
    return run_in_child(
        [&]() -> Finding {
            return pair.left.run([&]() -> Finding {
                if (::unshare(CLONE_NEWNS) != 0 ||
                    ::mount(nullptr, "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
                    ::mount("bpf", "/sys/fs/bpf", "bpf", 0, nullptr) != 0)
                    return std::string{"cannot mount the BPF file system: "} + std::strerror(errno);
                return check();
            });
        },
        k_cpu_limit_s);
}

TEST_F(XdpProgram, TwoShareAnInterfaceThroughTheDispatcher) {
    const Finding found = with_bpf_files(*pair_, []() -> Finding {
        auto first = XdpPath::open(options_of(k_port));
        if (!first) return first.error();
        if (first->describe().find("in the dispatcher") == std::string::npos)
            return k_no_dispatcher;
        auto second = XdpPath::open(options_of(k_port + 1));
        if (!second) return second.error();
        if (second->replaced_programs() != 0) return "the first was considered abandoned";
        {
            const XdpPath closed = std::move(*first);
        }
        if (!has_program()) return "the second went with the first";
        {
            const XdpPath closed = std::move(*second);
        }
        if (has_program()) return "the dispatcher stayed: " + shown();
        return std::nullopt;
    });
    if (found == k_no_dispatcher) GTEST_SKIP() << *found;
    EXPECT_FALSE(found) << *found;
}

TEST_F(XdpProgram, OneLeftBehindInTheDispatcherIsReplaced) {
    const Finding found = with_bpf_files(*pair_, []() -> Finding {
        crash_with_a_path(k_port);
        if (!has_program()) return k_no_dispatcher;
        auto path = XdpPath::open(options_of(k_port));
        if (!path) return path.error();
        if (path->replaced_programs() != 1)
            return std::to_string(path->replaced_programs()) + " were replaced";
        {
            const XdpPath closed = std::move(*path);
        }
        if (has_program()) return "something stayed: " + shown();
        return std::nullopt;
    });
    if (found == k_no_dispatcher) GTEST_SKIP() << *found;
    EXPECT_FALSE(found) << *found;
}

#ifdef DAMRAK_HAS_LIBBPF
// Attached without a link, as releases of other tools do, so that it outlives its process.
TEST_F(XdpProgram, OneLeftBehindWithoutALinkIsReplaced) {
    auto other = pair_->right.run([] { return XdpPath::open(options_of(k_port)); });
    ASSERT_TRUE(other) << other.error();
    const auto interface_of = [] { return static_cast<int>(if_nametoindex("damrak0")); };
    const int program = pair_->right.run([&] {
        std::uint32_t id = 0;
        EXPECT_EQ(bpf_xdp_query_id(interface_of(), 0, &id), 0);
        return bpf_prog_get_fd_by_id(id);
    });
    pair_->left.run([&] {
        ASSERT_EQ(bpf_xdp_attach(interface_of(), program, XDP_FLAGS_DRV_MODE, nullptr), 0);
        ASSERT_TRUE(has_program());
        auto path = XdpPath::open(options_of(k_port));
        ASSERT_TRUE(path) << path.error();
        EXPECT_EQ(path->replaced_programs(), 1U);
        EXPECT_THAT(path->describe(), HasSubstr("replaced one left behind by a crash (1)"));
        {
            const XdpPath closed = std::move(*path);
        }
        EXPECT_FALSE(has_program()) << shown();
    });
    ::close(program);
}
#endif

}  // namespace
}  // namespace damrak::net::xdp_program_test
