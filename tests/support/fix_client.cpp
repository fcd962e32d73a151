#include "support/fix_client.hpp"

#include <array>
#include <cstdlib>
#include <ctime>

#include <arpa/inet.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "support/fix_text.hpp"

namespace damrak::testing {

namespace {

std::string time_text() {
    const std::time_t now = std::time(nullptr);
    std::tm parts{};
    ::gmtime_r(&now, &parts);
    return fmt::format("{:%Y%m%d-%H:%M:%S}", parts);
}

std::uint64_t number_of(const FixFields& fields, int tag) {
    const auto found = fields.find(tag);
    return found == fields.end() ? 0 : std::strtoull(found->second.c_str(), nullptr, 10);
}

bool has(const FixFields& fields, int tag, std::string_view value) {
    const auto found = fields.find(tag);
    return found != fields.end() && found->second == value;
}

FixFields parse(std::string_view message) {
    FixFields fields;
    while (!message.empty()) {
        const std::size_t end = message.find('\x01');
        const std::string_view field = message.substr(0, end);
        const std::size_t equals = field.find('=');
        if (equals != std::string_view::npos)
            fields[std::stoi(std::string{field.substr(0, equals)})] = field.substr(equals + 1);
        message.remove_prefix(end == std::string_view::npos ? message.size() : end + 1);
    }
    return fields;
}

}  // namespace

bool FixClient::connect(std::uint16_t port, bool reset) {
    close();
    socket_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in where{};
    where.sin_family = AF_INET;
    where.sin_port = htons(port);
    where.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    const int on = 1;
    ::setsockopt(socket_, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (::connect(socket_, reinterpret_cast<sockaddr*>(&where), sizeof where) != 0) {
        close();
        return false;
    }
    bytes_.clear();
    asked_to_ = 0;
    if (reset) next_outgoing_ = next_incoming_ = 1;
    send_numbered(next_outgoing_++,
                  fmt::format("35=A|98=0|108={}{}{}", patience_s(), reset ? "|141=Y" : "",
                              begin_string_ == "FIXT.1.1" ? "|1137=9" : ""));
    const auto answer = read();
    refusal_ = answer && has(*answer, 35, "5") && answer->contains(58) ? answer->at(58) : "";
    if (!answer || !has(*answer, 35, "A")) return false;
    const std::uint64_t number = number_of(*answer, 34);
    if (number == next_incoming_) ++next_incoming_;
    if (number > next_incoming_) {
        asked_to_ = number;
        send(fmt::format("35=2|7={}|16=0", next_incoming_));
    }
    return true;
}

void FixClient::close() {
    if (socket_ >= 0) ::close(socket_);
    socket_ = -1;
}

bool FixClient::send(std::string_view fields) {
    const std::uint64_t number = next_outgoing_++;
    if (const auto type = fields.substr(0, 4); type != "35=0" && type != "35=1" && type != "35=2")
        sent_[number] = std::string{fields};
    return send_numbered(number, fields);
}

bool FixClient::send_numbered(std::uint64_t number, std::string_view fields) const {
    const std::size_t type_end = std::min(fields.find('|'), fields.size());
    const std::string body =
        fix_bytes(fmt::format("{}|34={}|49={}|52={}|56=DAMRAK{}|", fields.substr(0, type_end),
                              number, comp_id_, time_text(), fields.substr(type_end)));
    std::string message = fix_bytes(fmt::format("8={}|9={}|", begin_string_, body.size())) + body;
    unsigned sum = 0;
    for (const char c : message) sum += static_cast<unsigned char>(c);
    return send_bytes(message + fix_bytes(fmt::format("10={:03}|", sum % 256)));
}

bool FixClient::send_bytes(std::string_view bytes) const {
    while (!bytes.empty()) {
        const ssize_t sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent <= 0) return false;
        bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
}

std::optional<FixFields> FixClient::read_within(int limit_ms) {
    for (;;) {
        const std::size_t sum = bytes_.find(
            "\x01"
            "10=");
        constexpr std::size_t k_sum_bytes = 8;
        if (sum != std::string::npos && bytes_.size() >= sum + k_sum_bytes) {
            auto fields = parse(std::string_view{bytes_}.substr(0, sum + k_sum_bytes));
            bytes_.erase(0, sum + k_sum_bytes);
            return fields;
        }
        pollfd waiting{.fd = socket_, .events = POLLIN, .revents = 0};
        if (socket_ < 0 || ::poll(&waiting, 1, limit_ms) != 1) return std::nullopt;
        std::array<char, 65'536> buffer{};
        const ssize_t got = ::recv(socket_, buffer.data(), buffer.size(), 0);
        if (got <= 0) {
            close();
            return std::nullopt;
        }
        bytes_.append(buffer.data(), static_cast<std::size_t>(got));
    }
}

bool FixClient::take(FixFields& message) {
    const std::uint64_t number = number_of(message, 34);
    const bool duplicate = has(message, 43, "Y");
    const std::string& type = message[35];
    if (type == "4" && has(message, 123, "Y")) {
        if (number == next_incoming_) next_incoming_ = number_of(message, 36);
        return false;
    }
    if (number < next_incoming_) {
        repeated_ += duplicate ? 0 : 1;
        return false;
    }
    if (number > next_incoming_) {
        if (asked_to_ < number) send(fmt::format("35=2|7={}|16=0", next_incoming_));
        asked_to_ = std::max(asked_to_, number);
        if (type == "2") answer_resend(message);
        return false;
    }
    ++next_incoming_;
    if (type == "1") send("35=0|112=" + message[112]);
    if (type == "2") answer_resend(message);
    return type.size() != 1 || std::string_view{"0125A"}.find(type) == std::string_view::npos;
}

std::optional<FixFields> FixClient::receive_within(int limit_ms) {
    while (auto message = read_within(limit_ms))
        if (take(*message)) return message;
    return std::nullopt;
}

bool FixClient::receive_all_until_now(const std::function<void(const FixFields&)>& hear) {
    const std::string id = fmt::format("until {}", next_outgoing_);
    send("35=1|112=" + id);
    std::uint64_t answer = 0;
    while (answer == 0 || next_incoming_ <= answer) {
        auto message = read();
        if (!message) return false;
        if (has(*message, 35, "0") && has(*message, 112, id)) answer = number_of(*message, 34);
        if (take(*message)) hear(*message);
    }
    return true;
}

void FixClient::answer_resend(const FixFields& request) {
    const std::uint64_t end = next_outgoing_;
    std::uint64_t gap = 0;
    for (std::uint64_t number = number_of(request, 7); number < end; ++number) {
        const auto found = sent_.find(number);
        if (found == sent_.end()) {
            if (gap == 0) gap = number;
            continue;
        }
        if (gap != 0)
            send_numbered(gap, fmt::format("35=4|43=Y|122={}|123=Y|36={}", time_text(), number));
        gap = 0;
        std::string again = found->second;
        again.insert(std::min(again.find('|'), again.size()),
                     fmt::format("|43=Y|122={}", time_text()));
        send_numbered(number, again);
    }
    if (gap != 0) send_numbered(gap, fmt::format("35=4|43=Y|122={}|123=Y|36={}", time_text(), end));
}

}  // namespace damrak::testing
