// `damrak term` without a terminal: commands from standard input, answers as plain lines.
#include <array>
#include <cstdint>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <poll.h>
#include <unistd.h>

#include <damrak/exchange/system_time.hpp>

#include "cli.hpp"
#include "serve/process.hpp"
#include "term/session.hpp"

namespace damrak::app {

namespace {

using client::TermCommand;

constexpr std::int64_t k_ms = 1'000'000;
constexpr std::int64_t k_patience_ns = 10'000 * k_ms;
constexpr std::int64_t k_quiet_ns = 100 * k_ms;  ///< without a word: no fills are on their way

class Script {
  public:
    explicit Script(TermSession& session) : session_(&session) {}

    /// Waits for the exchange to let us in; or why it does not.
    std::string log_in() {
        const std::int64_t give_up_ns = exchange::system_time().value + k_patience_ns;
        while (!session_->up()) {
            const auto state = session_->link().state();
            const bool waits_in_vain =
                state == client::OrderClient::State::waiting && !session_->link().trouble().empty();
            if (state == client::OrderClient::State::refused || waits_in_vain)
                return session_->link().trouble();
            if (exchange::system_time().value > give_up_ns) return "no answer to the login";
            turn();
        }
        return {};
    }

    /// Next line of standard input; reports events while it waits. Empty at the end.
    std::optional<std::string> next_line() {
        for (;;) {
            const std::size_t end = input_.find('\n');
            if (end != std::string::npos || (ended_ && !input_.empty())) {
                std::string line = input_.substr(0, end);
                input_.erase(0, line.size() + 1);
                return line;
            }
            if (ended_ || stop_asked()) return std::nullopt;
            session_->wait(k_turn_ms, STDIN_FILENO);
            print(session_->do_work());
            read_input();
        }
    }

    /// False to end.
    bool obey(std::string_view line) {
        const auto command = session_->parse(line);
        if (!command) return refuse(command.error());
        if (command->kind == TermCommand::Kind::quit) return false;
        if (command->kind == TermCommand::Kind::wait) {
            const std::int64_t until_ns =
                exchange::system_time().value + std::int64_t{command->seconds} * 1'000 * k_ms;
            while (exchange::system_time().value < until_ns && !stop_asked()) turn();
            return true;
        }
        if (command->kind == TermCommand::Kind::book) await_book(*command);
        const auto answer = session_->execute(*command);
        if (!answer) return refuse(answer.error());
        for (const std::string& each : *answer) fmt::print("{}\n", each);
        settle();
        std::fflush(stdout);
        return true;
    }

    [[nodiscard]] bool failed() const { return failed_ || session_->model().refusals() > 0; }

  private:
    void read_input() {
        pollfd input{.fd = STDIN_FILENO, .events = POLLIN, .revents = 0};
        if (::poll(&input, 1, 0) != 1) return;
        std::array<char, 4'096> memory{};
        const ssize_t got = ::read(STDIN_FILENO, memory.data(), memory.size());
        ended_ = got <= 0;
        if (got > 0) input_.append(memory.data(), static_cast<std::size_t>(got));
    }
    void turn() {
        session_->wait(k_turn_ms);
        print(session_->do_work());
    }
    void print(const std::vector<client::TermLine>& lines) {
        for (const client::TermLine& line : lines) fmt::print("{}\n", line.text);
        if (!lines.empty()) last_word_ns_ = exchange::system_time().value;
        std::fflush(stdout);
    }
    bool refuse(std::string_view why) {
        failed_ = true;
        fmt::print("error: {}\n", why);
        std::fflush(stdout);
        return true;
    }

    // Version 2 reports the filled quantity of a new order. In version 1 fills follow directly
    // after the answer.
    void settle() {
        client::TermGateway& gateway = session_->link().gateway();
        if (gateway.pending() == 0) return;
        const std::int64_t give_up_ns = exchange::system_time().value + k_patience_ns;
        while (!gateway.settled() && session_->up()) {
            if (exchange::system_time().value > give_up_ns) {
                refuse("no answer within 10 s");
                return;
            }
            turn();
        }
        if (!session_->up()) {
            refuse(session_->link().trouble());
            return;
        }
        while (exchange::system_time().value - last_word_ns_ < k_quiet_ns) turn();
        gateway.nothing_more_came();
        print(session_->do_work());
    }

    void await_book(const TermCommand& command) {
        const std::int64_t give_up_ns = exchange::system_time().value + 2'000 * k_ms;
        const InstrumentId id = command.instrument ? command.instrument : session_->model().shown();
        while (exchange::system_time().value < give_up_ns) {
            const auto* const book = session_->model().book(id);
            if (book != nullptr && book->valid) return;
            if (!session_->link().gateway().why_no_book(id).empty()) return;
            turn();
        }
    }

    static constexpr int k_turn_ms = 20;

    TermSession* session_;
    std::string input_;
    bool ended_ = false;
    std::int64_t last_word_ns_ = 0;
    bool failed_ = false;
};

}  // namespace

int run_term_script(TermSession& session) {
    Script script{session};
    if (const std::string trouble = script.log_in(); !trouble.empty()) return fail(trouble);
    while (const auto line = script.next_line())
        if (!script.obey(*line)) break;
    session.leave();
    return script.failed() ? k_exit_failure : k_exit_success;
}

}  // namespace damrak::app
