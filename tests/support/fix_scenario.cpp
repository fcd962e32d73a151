#include "support/fix_scenario.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <deque>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <utility>

#include <fmt/format.h>

#include <damrak/session/fix/directory.hpp>

#include "support/fix_scenario_text.hpp"
#include "support/fix_world.hpp"

namespace damrak::testing {
namespace {

using session::fix::Admission;
using session::fix::Role;
using session::fix::Schedule;
using session::fix::SessionSettings;

struct Wrong : std::runtime_error {
    using std::runtime_error::runtime_error;
};

[[nodiscard]] std::int64_t number_of(std::string_view text) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc{} || end != text.data() + text.size())
        throw Wrong{fmt::format("\"{}\" is not a number", text)};
    return value;
}

void set(SessionSettings& settings, std::string_view key, std::string_view value) {
    const bool yes = value == "true";
    const auto count = [&] { return static_cast<std::uint32_t>(number_of(value)); };
    if (key == "role")
        settings.role = value == "initiator" ? Role::initiator : Role::acceptor;
    else if (key == "reset_on_logon")
        settings.reset_on_logon = yes;
    else if (key == "reset_on_logout")
        settings.reset_on_logout = yes;
    else if (key == "reset_on_disconnect")
        settings.reset_on_disconnect = yes;
    else if (key == "next_expected")
        settings.next_expected = yes;
    else if (key == "check_sending_time")
        settings.check_sending_time = yes;
    else if (key == "check_comp_ids")
        settings.check_comp_ids = yes;
    else if (key == "validate")
        settings.validate = yes;
    else if (key == "user_defined_fields")
        settings.rules.user_defined_fields = yes;
    else if (key == "user_name")
        settings.user_name = value;
    else if (key == "password")
        settings.password = value;
    else if (key == "heartbeat_s")
        settings.heartbeat_s = count();
    else if (key == "resend_request_messages")
        settings.resend_request_messages = count();
    else if (key == "resend_batch_messages")
        settings.resend_batch_messages = count();
    else if (key == "messages_per_second")
        settings.messages_per_second = count();
    else if (key == "burst_messages")
        settings.burst_messages = count();
    else if (key == "early_bytes")
        settings.early_bytes = count();
    else if (key == "on_throttle")
        settings.on_throttle = value == "wait"     ? session::fix::OnThrottle::wait
                               : value == "reject" ? session::fix::OnThrottle::reject
                                                   : session::fix::OnThrottle::disconnect;
    else if (key == "schedule") {
        std::string with_spaces{value};
        std::ranges::replace(with_spaces, '_', ' ');
        settings.schedule = Schedule::parse(with_spaces).value();
    } else
        throw Wrong{fmt::format("no setting \"{}\"", key)};
}

class Player {
  public:
    Player(const FixScenario& scenario, const FixVersion& version)
        : scenario_(scenario), version_(version) {}

    std::string play() {
        for (const FixScenario::Line& line : scenario_.lines) {
            try {
                run(line.text);
            } catch (const std::exception& wrong) {
                return fmt::format("line {}: {}\n  {}", line.number, line.text, wrong.what());
            }
        }
        if (!output_.empty()) return "at the end: unexpected " + output_.front().text;
        return {};
    }

  private:
    struct Sent {
        std::string text;
        Timestamp at;
    };

    void run(std::string_view line) {
        if (line.starts_with('[')) {
            const auto end = line.find(']');
            if (!is_among(version_, line.substr(1, end - 1))) return;
            line.remove_prefix(std::min(line.size(), end + 2));
        }
        const auto space = line.find(' ');
        const std::string_view word = line.substr(0, space);
        const std::string_view rest =
            space == std::string_view::npos ? std::string_view{} : line.substr(space + 1);
        if (word == "settings" || word == "start") return prepare(word, rest);
        if (!world_) begin();
        if (word == "<") return expect(rest);
        if (word == "closed") return expect_closed(rest);
        if (word == "happened") return expect_happened(rest);
        if (!output_.empty()) throw Wrong{"before that came " + output_.front().text};
        act(word, rest);
        pump();
    }

    void act(std::string_view word, std::string_view rest) {
        auto& session = world_->session();
        if (word == ">") return receive(framed(version_, composed(rest, from_other())));
        if (word == ">>") return receive(raw(rest));
        if (word == "connect") return connect();
        if (word == "wait") return wait(rest);
        if (word == "disconnect") return disconnect();
        if (word == "restart") return world_->restart();
        if (word == "open" && !open_) throw Wrong{"the connection is closed"};
        if (word == "open") return;
        if (word == "logout") return session.logout(rest, world_->now);
        if (word == "reset") return session.reset(world_->now);
        if (word == "send") return send(rest);
        if (word == "outgoing")
            return check(session.next_outgoing(), static_cast<std::uint64_t>(number_of(rest)));
        if (word == "incoming")
            return check(session.next_incoming(), static_cast<std::uint64_t>(number_of(rest)));
        if (word == "set_outgoing")
            return session.set_next_outgoing(static_cast<std::uint64_t>(number_of(rest)),
                                             world_->now);
        if (word == "set_incoming")
            return session.set_next_incoming(static_cast<std::uint64_t>(number_of(rest)),
                                             world_->now);
        throw Wrong{fmt::format("no such step: {}", word)};
    }

    void prepare(std::string_view word, std::string_view rest) {
        if (word == "start") {
            start_ = fix_codec::parse_timestamp(rest).value();
            return;
        }
        for (const std::string_view pair : split(rest, ' ')) {
            const auto equals = pair.find('=');
            set(settings_, pair.substr(0, equals), pair.substr(equals + 1));
        }
    }

    void begin() {
        settings_.name = {.begin_string = version_.begin_string,
                          .sender_comp_id = "DAMRAK",
                          .target_comp_id = "CLIENT",
                          .sender_sub_id = {},
                          .target_sub_id = {}};
        settings_.default_appl_version = version_.appl_version;
        auto directory = session::fix::SessionDirectory::make({settings_});
        if (!directory) throw Wrong{directory.error()};
        directory_ = *std::move(directory);
        world_ = std::make_unique<FixWorld>(directory_->settings(0), start_);
    }

    void connect() {
        open_ = true;
        why_closed_.clear();
        first_bytes_.clear();
        if (settings_.role == Role::initiator) world_->connect();
    }
    void disconnect() {
        open_ = false;
        if (!world_->connected()) return;
        world_->disconnect();
        leave();
    }
    void leave() {
        if (settings_.role == Role::acceptor) directory_->leave(0);
    }

    /// Until its session is known, a connection belongs to the directory.
    void receive(const std::string& bytes) {
        if (!open_) throw Wrong{"the connection is closed: " + why_closed_};
        if (world_->connected()) return world_->receive(bytes);
        first_bytes_ += bytes;
        const Admission admission =
            directory_->admit(std::as_bytes(std::span{first_bytes_}), world_->tools().decoder);
        if (admission.status == Admission::Status::need_more) return;
        if (admission.status == Admission::Status::refused) {
            open_ = false;
            why_closed_ = session::fix::text(admission.why);
            return;
        }
        world_->connect();
        world_->receive(std::exchange(first_bytes_, {}));
    }

    void wait(std::string_view text) {
        const std::int64_t all = duration_ns(text);
        constexpr std::int64_t k_step = 100'000'000;
        const std::int64_t step = all > 600'000'000'000 ? 10 * k_step : std::min(all, k_step);
        for (std::int64_t done = 0; done < all; done += step) {
            world_->now += Timestamp{step};
            if (world_->connected()) world_->receive({});
            world_->session().on_time(world_->now);
            pump();
        }
    }

    void send(std::string_view text) {
        const auto fields = split(text, '|');
        const bool kept = world_->session().send(
            fields.front(), world_->now, [&](fix_codec::MessageWriter& writer) {
                for (std::size_t i = 1; i < fields.size(); ++i)
                    for (const auto& [tag, value] : expanded(fields[i], version_, world_->now))
                        writer.put(tag, value);
            });
        if (!kept) throw Wrong{"it was not stored"};
    }

    void pump() {
        const bool was_connected = world_->connected();
        const std::string bytes = was_connected ? world_->take_output() : std::string{};
        if (was_connected && !world_->connected()) {
            open_ = false;
            why_closed_ = session::fix::text(world_->session().ended());
            leave();
        }
        for (std::size_t at = 0; at < bytes.size();) {
            const auto trailer = bytes.find(
                "\x01"
                "10=",
                at);
            const auto end = bytes.find(fix_codec::k_soh, trailer + 1) + 1;
            output_.push_back({with_bars(bytes.substr(at, end - at)), world_->now});
            at = end;
        }
    }

    void expect(std::string_view text) {
        if (output_.empty()) throw Wrong{"nothing came"};
        const Sent sent = output_.front();
        output_.pop_front();
        const auto composed_text = composed(text, {"DAMRAK", "CLIENT", sent.at});
        const std::string expected = with_bars(framed(version_, composed_text));
        if (sent.text != expected)
            throw Wrong{fmt::format("expected {}\n       got {}", expected, sent.text)};
    }

    void expect_closed(std::string_view why) {
        if (!output_.empty()) throw Wrong{"before that came " + output_.front().text};
        if (open_) throw Wrong{"the connection is open"};
        if (!why.empty() && why != why_closed_) throw Wrong{"closed: " + why_closed_};
    }

    void expect_happened(std::string_view what) {
        auto& happened = world_->application.happened;
        const std::string first = happened.empty() ? "nothing" : happened.front();
        if (first != what) throw Wrong{"happened: " + first};
        if (!happened.empty()) happened.erase(happened.begin());
    }

    static void check(std::uint64_t is, std::uint64_t expected) {
        if (is != expected) throw Wrong{fmt::format("it is {}", is)};
    }

    [[nodiscard]] FixSender from_other() const { return {"CLIENT", "DAMRAK", world_->now}; }
    [[nodiscard]] std::string composed(std::string_view text, const FixSender& sender) const {
        return compose(text, version_, sender);
    }
    [[nodiscard]] std::string raw(std::string_view text) const {
        return raw_message(text, version_, world_->now);
    }

    const FixScenario& scenario_;
    const FixVersion& version_;
    SessionSettings settings_;
    Timestamp start_ = fix_codec::parse_timestamp("20260105-10:00:00").value();
    std::optional<session::fix::SessionDirectory> directory_;
    std::unique_ptr<FixWorld> world_;
    bool open_ = false;
    std::string why_closed_;
    std::string first_bytes_;
    std::deque<Sent> output_;
};

}  // namespace

FixScenario read_fix_scenario(const std::filesystem::path& file) {
    FixScenario scenario;
    scenario.name = file.stem();
    std::ifstream in{file};
    int number = 0;
    for (std::string line; std::getline(in, line);) {
        ++number;
        while (line.ends_with(' ')) line.pop_back();
        if (line.empty() || line.starts_with('#')) continue;
        if (line.starts_with("versions ")) {
            scenario.versions = line.substr(9);
        } else {
            scenario.lines.push_back({number, line});
        }
    }
    return scenario;
}

std::string play(const FixScenario& scenario, const FixVersion& version) {
    return Player{scenario, version}.play();
}

}  // namespace damrak::testing
