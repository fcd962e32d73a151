// Our FIX client trades at a third-party exchange, QuickFIX's acceptor, through all states of
// an order, lost connections and kills of the exchange. Both check what they receive against
// dictionaries, and neither may refuse anything.
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fcntl.h>
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <damrak/client/detail/fix_stores.hpp>
#include <damrak/client/fix_client.hpp>

#include "support/eventually.hpp"
#include "support/scratch_folder.hpp"

namespace damrak::fix_quickfix_acceptor_test {
namespace {

namespace tag = fix_codec::tag;
using fix_codec::BeginString;
using session::fix::MessageStore;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::UnorderedElementsAre;
using Lines = std::vector<std::string>;

/// Empty if the program was not built because QuickFIX is missing.
std::optional<std::string> exchange_program() {
    const char* const program = std::getenv("DAMRAK_PROGRAM");
    DAMRAK_ASSERT(program != nullptr && "run by ctest, or set DAMRAK_PROGRAM");
    const auto path = std::filesystem::path{program}.parent_path() / "tests" / "quickfix_exchange";
    if (!std::filesystem::exists(path)) return std::nullopt;
    return path.string();
}

/// An exchange that is killed at the end of the test, or on request.
class QuickFixExchange {
  public:
    QuickFixExchange(std::string program, std::string version, std::string folder)
        : arguments_{std::move(program), "", std::move(version), "tests/peers/dictionaries",
                     folder + "/store"},
          log_(folder + "/log") {
        net::PlainTcp network;
        port_ = network.listen("127.0.0.1", 0).value();
        arguments_[1] = std::to_string(port_);
    }
    QuickFixExchange(const QuickFixExchange&) = delete;
    QuickFixExchange& operator=(const QuickFixExchange&) = delete;
    ~QuickFixExchange() { kill(); }

    void start() {
        std::vector<char*> argv;
        for (std::string& argument : arguments_) argv.push_back(argument.data());
        argv.push_back(nullptr);
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log_.c_str(),
                                         O_WRONLY | O_CREAT | O_APPEND, 0600);
        const int spawned =
            posix_spawn(&process_, argv.front(), &actions, nullptr, argv.data(), environ);
        posix_spawn_file_actions_destroy(&actions);
        DAMRAK_ASSERT(spawned == 0 && "the exchange could not be started");
    }
    void kill() {
        if (process_ <= 0) return;
        ::kill(process_, SIGKILL);
        ::waitpid(std::exchange(process_, 0), nullptr, 0);
    }
    [[nodiscard]] std::uint16_t port() const { return port_; }
    [[nodiscard]] std::string log() const { return testing::content_of(log_); }

  private:
    std::vector<std::string> arguments_;
    std::string log_;
    std::uint16_t port_ = 0;
    pid_t process_ = 0;
};

/// Records its reports.
struct AcceptorTrader {
    void on_logon(auto& /*session*/) {}
    void on_logout(auto& /*session*/, session::fix::Ended /*why*/, std::string_view /*text*/) {}
    void on_admin(auto& /*session*/, const fix_codec::Message& message) {
        if (message.msg_type() == "3") note(message);
    }
    session::fix::Reply on_message(auto& /*session*/, const fix_codec::Message& message) {
        note(message);
        if (message.msg_type() == "8") {
            exec_ids.emplace_back(message.text_or_empty(tag::exec_id));
            reported.emplace_back(message.text_or_empty(tag::cl_ord_id),
                                  message.text_or_empty(tag::ord_status));
        }
        return session::fix::Reply::accept();
    }
    void note(const fix_codec::Message& message) {
        std::string line{message.msg_type()};
        for (const fix_codec::Tag shown :
             {tag::exec_type, tag::ord_status, tag::cl_ord_id, tag::orig_cl_ord_id, tag::side,
              tag::order_qty, tag::last_qty, tag::cum_qty, tag::leaves_qty, tag::cxl_rej_reason,
              tag::ord_rej_reason, tag::cxl_rej_response_to})
            if (message.has(shown))
                line += fmt::format(" {}={}", static_cast<unsigned>(shown),
                                    message.text_or_empty(shown));
        lines.push_back(line + (message.has(tag::poss_dup_flag) ? " again" : ""));
    }
    Lines lines;
    Lines exec_ids;
    std::vector<std::pair<std::string, std::string>> reported;  ///< name and status of an order
};

class QuickFixAcceptor : public ::testing::TestWithParam<const char*> {
  protected:
    using Client = client::FixClient<AcceptorTrader, MessageStore>;

    void SetUp() override {
        const auto program = exchange_program();
        if (!program)
            GTEST_SKIP() << "quickfix_exchange is not built: install libquickfix-dev, configure "
                            "anew";
        exchange_.emplace(*program, GetParam(), folder_ / "exchange");
        std::filesystem::create_directories(folder_ / "exchange");
        exchange_->start();
        connect();
    }
    void TearDown() override {
        client_.reset();
        if (exchange_) {
            EXPECT_THAT(exchange_->log(), Not(HasSubstr("REFUSE")));
        }
        for (const std::string& line : trader_.lines)
            EXPECT_TRUE(line.starts_with("8 ") || line.starts_with("9 ")) << line;
    }

    /// A client that continues where the one before it was.
    void connect() {
        client::FixClientSettings settings{.port = exchange_->port()};
        settings.session.name = {.begin_string = begin_string(),
                                 .sender_comp_id = "TRADER",
                                 .target_comp_id = "EXCHANGE"};
        settings.session.reconnect_interval_s = 1;
        net::PlainTcp clock;
        store_ = client::fix_stores_in(folder_ / "client")(settings.session.name,
                                                           Timestamp{clock.now_ns()})
                     .value();
        client_ = Client::make(trader_, *store_, settings).value();
    }
    /// Closes the connection without a goodbye.
    void vanish() {
        client_.reset();
        store_.reset();
    }
    /// False: it did not come to be, long after it should have.
    [[nodiscard]] bool until(auto&& done) {
        const testing::Patience patience;
        client_->run([&] { return done() || patience.is_over(); });
        return done();
    }
    [[nodiscard]] bool logged_on() {
        return until([&] { return client_->logged_on(); });
    }
    /// Reports since the last call, once there are `count` of them.
    [[nodiscard]] Lines told(std::size_t count) {
        EXPECT_TRUE(until([&] { return trader_.lines.size() >= heard_ + count; }))
            << client_->trouble();
        Lines lines{trader_.lines.begin() + static_cast<std::ptrdiff_t>(heard_),
                    trader_.lines.end()};
        heard_ = trader_.lines.size();
        return lines;
    }

    void order(const std::string& name, int quantity, char side = '1',
               const char* symbol = "TEST") {
        send("D", name, "", quantity, side, symbol);
    }
    void replace(const std::string& from, const std::string& name, int quantity) {
        send("G", name, from, quantity, '1', "TEST");
    }
    void cancel(const std::string& from, const std::string& name) {
        send("F", name, from, 1, '1', "TEST");
    }

    [[nodiscard]] static bool is_old() { return std::string{GetParam()} == "FIX.4.2"; }
    [[nodiscard]] static BeginString begin_string() {
        const BeginString version = fix_codec::parse_begin_string(GetParam());
        return version == BeginString::unknown ? BeginString::fixt11 : version;
    }
    /// ExecType of an execution, before FIX.4.3 what became of the order.
    [[nodiscard]] static std::string fill(const std::string& status) {
        return fmt::format("8 150={} 39={}", is_old() ? status : "F", status);
    }

    testing::ScratchFolder folder_;
    std::optional<QuickFixExchange> exchange_;
    AcceptorTrader trader_;
    std::unique_ptr<MessageStore> store_;
    std::unique_ptr<Client> client_;
    std::size_t heard_ = 0;

  private:
    void send(std::string_view type, const std::string& name, const std::string& from, int quantity,
              char side, const char* symbol) {
        EXPECT_TRUE(client_->send(type, [&](fix_codec::MessageWriter& order) {
            if (!from.empty()) order.put(tag::orig_cl_ord_id, from);
            order.put(tag::cl_ord_id, name);
            if (type != "F" && begin_string() != BeginString::fixt11)
                order.put_char(tag::handl_inst, '1');
            order.put(tag::symbol, symbol).put_char(tag::side, side);
            order.put_timestamp(tag::transact_time, client_->now(),
                                fix_codec::TimePrecision::milliseconds);
            order.put(tag::order_qty, quantity);
            if (type != "F") order.put_char(tag::ord_type, '2').put(tag::price, "10.01");
        }));
    }
};

INSTANTIATE_TEST_SUITE_P(Versions, QuickFixAcceptor,
                         ::testing::Values("FIX.4.2", "FIX.4.4", "FIX.5.0SP2"), [](const auto& of) {
                             std::string name = of.param;
                             std::erase(name, '.');
                             return name;
                         });

TEST_P(QuickFixAcceptor, ReportsOfEveryStateAndRefusesNothing) {
    ASSERT_TRUE(logged_on()) << client_->trouble();
    order("a", 100);
    EXPECT_THAT(told(1), ElementsAre("8 150=0 39=0 11=a 54=1 38=100 14=0 151=100"));
    order("b", 101, '2');
    EXPECT_THAT(told(2), ElementsAre("8 150=0 39=0 11=b 54=2 38=101 14=0 151=101",
                                     fill("1") + " 11=b 54=2 38=101 32=1 14=1 151=100"));
    order("c", 102, '2');
    EXPECT_THAT(told(2), ElementsAre("8 150=0 39=0 11=c 54=2 38=102 14=0 151=102",
                                     fill("2") + " 11=c 54=2 38=102 32=102 14=102 151=0"));
    order("d", 109);
    order("e", 100, '1', "NONE");
    EXPECT_THAT(told(2), ElementsAre("8 150=8 39=8 11=d 54=1 38=109 14=0 151=0 103=0",
                                     "8 150=8 39=8 11=e 54=1 38=100 14=0 151=0 103=1"));
    replace("a", "a2", 70);
    cancel("a2", "a3");
    cancel("a3", "a4");
    EXPECT_THAT(told(3), ElementsAre("8 150=5 39=0 11=a2 41=a 54=1 38=70 14=0 151=70",
                                     "8 150=4 39=4 11=a3 41=a2 54=1 38=70 14=0 151=0",
                                     "9 39=4 11=a4 41=a3 102=0 434=1"));
    replace("unheard", "f", 10);
    EXPECT_THAT(told(1), ElementsAre("9 39=8 11=f 41=unheard 102=1 434=2"));
    client_->logout("good night");
    EXPECT_TRUE(until([&] { return client_->finished(); }));
}

TEST_P(QuickFixAcceptor, BothSidesSendWhatTheOtherMissed) {
    ASSERT_TRUE(logged_on()) << client_->trouble();
    order("a", 105);
    order("b", 205, '2');
    EXPECT_EQ(told(2).size(), 2U);
    vanish();
    // Both orders trade now, and those of the next life begin before it has a connection.
    connect();
    order("c", 100);
    order("d", 102);
    EXPECT_THAT(told(5),
                UnorderedElementsAre(fill("2") + " 11=a 54=1 38=105 32=105 14=105 151=0 again",
                                     fill("2") + " 11=b 54=2 38=205 32=205 14=205 151=0 again",
                                     "8 150=0 39=0 11=c 54=1 38=100 14=0 151=100",
                                     "8 150=0 39=0 11=d 54=1 38=102 14=0 151=102",
                                     fill("2") + " 11=d 54=1 38=102 32=102 14=102 151=0"));
    const std::string log = exchange_->log();
    EXPECT_THAT(log, HasSubstr("\nasks for messages again"));
    EXPECT_THAT(log, HasSubstr("\nis asked for messages again"));
    EXPECT_THAT(log, HasSubstr("\norder c again\n"));
    EXPECT_THAT(log, HasSubstr("\norder d again\n"));
}

/// Orders are on their way, taken or answered when the exchange is killed: none is lost, and what
/// comes twice says that it may.
TEST_P(QuickFixAcceptor, LosesNothingWhenTheExchangeIsKilled) {
    constexpr std::size_t k_kills = 3;
    constexpr int k_orders = 60;
    constexpr std::size_t k_reports_before = 25;
    ASSERT_TRUE(logged_on()) << client_->trouble();
    std::set<std::string> sent;
    const auto send_some = [&](int count) {
        for (int i = 0; i < count; ++i) {
            order(fmt::format("o{}", sent.size()), 102);
            sent.insert(fmt::format("o{}", sent.size()));
        }
    };
    for (std::size_t i = 0; i < k_kills; ++i) {
        send_some(k_orders);
        const std::size_t enough = trader_.lines.size() + k_reports_before;
        ASSERT_TRUE(until([&] { return trader_.lines.size() >= enough; }));
        exchange_->kill();
        ASSERT_TRUE(until([&] { return !client_->logged_on(); }));
        send_some(2);
        exchange_->start();
        ASSERT_TRUE(logged_on()) << client_->trouble();
    }
    const auto filled = [&] {
        std::set<std::string> names;
        for (const auto& [name, status] : trader_.reported)
            if (status == "2") names.insert(name);
        return names;
    };
    EXPECT_TRUE(until([&] { return trader_.lines.size() >= 2 * sent.size() && filled() == sent; }))
        << filled().size() << " of " << sent.size();

    client_->logout();
    EXPECT_TRUE(until([&] { return client_->finished(); }));

    const std::set<std::string> told{trader_.exec_ids.begin(), trader_.exec_ids.end()};
    EXPECT_EQ(told.size(), trader_.exec_ids.size()) << "a report was told twice";
    std::map<std::string, std::size_t> taken;
    std::istringstream log{exchange_->log()};
    for (std::string line; std::getline(log, line);) {
        std::istringstream words{line};
        std::string what;
        std::string name;
        std::string again;
        words >> what >> name >> again;
        if (what == "order") {
            EXPECT_TRUE(taken[name]++ == 0 || again == "again") << name;
        }
        if (what == "report") {
            EXPECT_TRUE(told.contains(name)) << name;
        }
    }
    EXPECT_EQ(taken.size(), sent.size());
}

}  // namespace
}  // namespace damrak::fix_quickfix_acceptor_test
