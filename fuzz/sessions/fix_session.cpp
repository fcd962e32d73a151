// The other side of a FIX session sends anything in any order, over connections that break, while
// our application sends too. Our output must always be whole messages that are valid in the
// dictionary, new ones with consecutive numbers, and independent of how the input was split.
//
// The input is text. Its first line selects the version ('0' to '7') and then settings, one letter
// each. Every other line is a step, identified by its first character: '>', '+', '-' a message with
// the expected sequence number, one too high, one too low, whose fields follow from MsgType on with
// '|' as the delimiter; '=' raw bytes; 't' time passes; 'x' the connection breaks; 's', 'l', 'r'
// our application sends, logs out, resets; 'k' our process crashes.
#include <cstddef>
#include <cstdint>
#include <exception>
#include <span>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include <damrak/base/assert.hpp>

#include "support/fix_scenario.hpp"
#include "support/fix_scenario_text.hpp"
#include "support/fix_world.hpp"
#include "support/fuzz_target.hpp"

namespace damrak::fuzz_fix_session {

namespace {

using namespace damrak;           // NOLINT(google-build-using-namespace): its own
using namespace damrak::testing;  // NOLINT(google-build-using-namespace)
using fix_codec::BeginString;
using session::fix::OnThrottle;
using session::fix::Role;
using session::fix::SessionSettings;

constexpr Timestamp k_start{1'767'607'200'000'000'000};  // 2026-01-05 10:00:00

const FixVersion& version_of(std::string_view line) {
    const auto index = static_cast<unsigned char>(line.empty() ? '4' : line.front());
    return fix_versions()[index % fix_versions().size()];
}

SessionSettings settings_of(std::string_view line) {
    const FixVersion& version = version_of(line);
    const auto has = [&](char letter) { return line.find(letter) != std::string_view::npos; };
    SessionSettings settings;
    settings.name = {.begin_string = version.begin_string,
                     .sender_comp_id = "DAMRAK",
                     .target_comp_id = "CLIENT",
                     .sender_sub_id = {},
                     .target_sub_id = {}};
    settings.default_appl_version = version.appl_version;
    if (has('i')) settings.role = Role::initiator;
    settings.reset_on_logon = has('a');
    settings.reset_on_logout = has('b');
    settings.reset_on_disconnect = has('c');
    settings.next_expected = has('n') && version.begin_string >= BeginString::fix44;
    settings.check_sending_time = !has('t');
    settings.check_comp_ids = !has('d');
    settings.validate = !has('v');
    if (has('p')) settings.resend_request_messages = 2;
    if (has('q')) settings.resend_batch_messages = 2;
    if (has('e')) settings.early_bytes = 256;
    if (has('w') || has('x') || has('y')) settings.messages_per_second = 1;
    settings.burst_messages = 2;
    settings.on_throttle = has('w')   ? OnThrottle::wait
                           : has('x') ? OnThrottle::reject
                                      : OnThrottle::disconnect;
    settings.maximum_message_bytes = 4'096;
    return session::fix::checked(settings).value();
}

class World {
  public:
    World(std::string_view line, bool byte_by_byte)
        : version_(version_of(line)),
          settings_(settings_of(line)),
          world_(settings_, k_start, std::size_t{1} << 20U),
          byte_by_byte_(byte_by_byte) {
        connect();
    }

    void step(std::string_view line) {
        const char what = line.front();
        line.remove_prefix(1);
        auto& session = world_.session();
        if (what == '>' || what == '+' || what == '-') return send_message(what, line);
        if (what == '=') receive(fix_bytes(line));
        if (what == 't') pass(static_cast<std::int64_t>(line.size()) + 1);
        if (what == 'x') break_connection();
        if (what == 's') send_order();
        if (what == 'l') session.logout("enough", world_.now);
        if (what == 'r') session.reset(world_.now);
        if (what == 'k') die();
        listen();
    }
    [[nodiscard]] const std::string& heard() const { return heard_; }

  private:
    void connect() {
        world_.connect();
        listen();
    }
    void break_connection() {
        listen();
        world_.disconnect();
        connect();
    }
    void die() {
        world_.restart();
        connect();
    }

    void send_message(char what, std::string_view fields) {
        std::uint64_t sequence = world_.session().next_incoming();
        if (what == '+') ++sequence;
        if (what == '-') --sequence;
        std::string text = fmt::format("35={}", fields);
        if (text.find("|34=") == std::string::npos) text += fmt::format("|34={}", sequence);
        try {
            receive(framed(version_, compose(text, version_, {"CLIENT", "DAMRAK", world_.now})));
        } catch (const std::exception&) {  // not the text of a message
            return;
        }
        listen();
    }

    void receive(std::string_view bytes) {
        if (!byte_by_byte_) return world_.receive(bytes);
        for (const char byte : bytes) world_.receive({&byte, 1});
    }

    void pass(std::int64_t seconds) {
        world_.now += Timestamp{seconds * 1'000'000'000};
        if (world_.connected()) world_.receive({});
        world_.session().on_time(world_.now);
    }

    void send_order() {
        const bool kept =
            world_.session().send("D", world_.now, [&](fix_codec::MessageWriter& writer) {
                for (const auto& [tag, value] : expanded("order=X", version_, world_.now))
                    writer.put(tag, value);
            });
        DAMRAK_ASSERT(kept);
    }

    /// Reads all output, and reopens a connection that the session closes.
    void listen() {
        const bool was_connected = world_.connected();
        const std::string bytes = was_connected ? world_.take_output() : std::string{};
        std::span<const char> rest{bytes};
        while (!rest.empty()) {
            fix_codec::Message message;
            const auto scan = decoder_.scan(rest, message);
            DAMRAK_ASSERT(scan.status == fix_codec::Scan::Status::message);
            check(message);
            rest = rest.subspan(scan.bytes);
        }
        heard_ += bytes;
        if (was_connected && !world_.connected()) connect();
    }

    void check(const fix_codec::Message& message) {
        const std::string_view type = message.msg_type();
        // An echo equals the order, which the version of the session need not define.
        if (settings_.validate && type != "D")
            DAMRAK_ASSERT(!fix_codec::Dictionary::of(version_.appl_version).validate(message));
        if (message.text_or_empty(fix_codec::tag::poss_dup_flag) == "Y") return;
        const bool begins = message.sequence() == 1;
        DAMRAK_ASSERT(begins || message.sequence() > last_sent_);
        last_sent_ = message.sequence();
    }

    const FixVersion& version_;
    SessionSettings settings_;
    FixWorld world_;
    fix_codec::Decoder decoder_;
    std::string heard_;
    std::uint64_t last_sent_ = 0;
    bool byte_by_byte_;
};

}  // namespace

DAMRAK_FUZZ_TARGET(fix_session)(const std::uint8_t* data, std::size_t size) {
    const std::string_view input{reinterpret_cast<const char*>(data), size};
    const auto lines = split(input.substr(0, 4'096), '\n');
    if (lines.empty()) return 0;
    World whole{lines.front(), false};
    World cut{lines.front(), true};
    for (std::size_t i = 1; i < lines.size() && i < 60; ++i) {
        whole.step(lines[i]);
        cut.step(lines[i]);
        DAMRAK_ASSERT(whole.heard() == cut.heard());
    }
    return 0;
}

}  // namespace damrak::fuzz_fix_session
