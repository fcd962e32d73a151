#include <damrak/http/client.hpp>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>

#include <boost/beast/http/parser.hpp>
#include <boost/beast/http/string_body.hpp>
#include <fmt/format.h>
#include <poll.h>

#include <damrak/net/address.hpp>
#include <damrak/net/tcp.hpp>

namespace damrak::http {

namespace {

namespace bhttp = boost::beast::http;
using boost::system::error_code;

constexpr std::uint64_t k_largest_answer_bytes = std::uint64_t{16} << 20U;
constexpr std::size_t k_most_unparsed_bytes = 65'536;  // a head, or that of a chunk
constexpr std::size_t k_read_bytes = 16'384;

using Done = std::expected<void, std::string>;
using Parser = bhttp::response_parser<bhttp::string_body>;

std::string text_of(const Question& question) {
    std::string text =
        fmt::format("{} {} HTTP/1.1\r\nHost: localhost:{}\r\nConnection: close\r\n",
                    question.json.empty() ? "GET" : "POST", question.path, question.port);
    if (!question.json.empty())
        text += fmt::format("Content-Type: application/json\r\nContent-Length: {}\r\n",
                            question.json.size());
    return text + "\r\n" + question.json;
}

// A connection with one time limit for everything.
class Conversation {
  public:
    Conversation(net::Descriptor socket, std::chrono::milliseconds patience)
        : socket_(std::move(socket)),
          patience_(patience),
          end_(std::chrono::steady_clock::now() + patience) {}

    [[nodiscard]] Done connect() const {
        for (;;) {
            const auto connected = net::connected(socket_);
            if (!connected) return std::unexpected{connected.error()};
            if (*connected) return {};
            if (auto ready = wait(POLLOUT); !ready) return ready;
        }
    }
    [[nodiscard]] Done send(std::string_view text) const {
        auto bytes = std::as_bytes(std::span{text});
        while (!bytes.empty()) {
            const net::Moved sent = net::send(socket_, bytes);
            if (sent.closed) return std::unexpected{std::string{k_closed}};
            bytes = bytes.subspan(sent.bytes);
            if (bytes.empty()) break;
            if (auto ready = wait(POLLOUT); !ready) return ready;
        }
        return {};
    }
    [[nodiscard]] Done receive(Parser& parser) const {
        std::string unparsed;
        while (!parser.is_done()) {
            if (auto ready = wait(POLLIN); !ready) return ready;
            std::array<std::byte, k_read_bytes> read{};
            const net::Moved got = net::receive(socket_, read);
            if (got.closed && !parser.got_some()) return std::unexpected{std::string{k_closed}};
            unparsed.append(reinterpret_cast<const char*>(read.data()), got.bytes);
            error_code error;
            while (!error && !parser.is_done() && !unparsed.empty())
                unparsed.erase(0, parser.put(boost::asio::buffer(unparsed), error));
            if (error == bhttp::error::need_more) error = {};
            if (unparsed.size() > k_most_unparsed_bytes) error = bhttp::error::buffer_overflow;
            if (!error && got.closed) parser.put_eof(error);
            if (error) return std::unexpected{error.message()};
        }
        return {};
    }

  private:
    static constexpr std::string_view k_closed = "the connection was closed";

    [[nodiscard]] Done wait(short events) const {
        const auto left =
            std::chrono::ceil<std::chrono::milliseconds>(end_ - std::chrono::steady_clock::now())
                .count();
        pollfd watched{.fd = socket_.number(), .events = events, .revents = 0};
        if (left > 0 && ::poll(&watched, 1, static_cast<int>(left)) != 0) return {};
        return std::unexpected{fmt::format("no answer came within {:g} seconds",
                                           std::chrono::duration<double>{patience_}.count())};
    }

    net::Descriptor socket_;
    std::chrono::milliseconds patience_;
    std::chrono::steady_clock::time_point end_;
};

}  // namespace

std::expected<Answer, std::string> ask(const Question& question) {
    const auto found = net::resolve(question.address, question.port);
    if (!found) return std::unexpected{found.error()};
    const auto failed = [&](std::string_view why) {
        return std::unexpected{fmt::format("cannot ask {} over HTTP: {}",
                                           net::host_and_port(question.address, question.port),
                                           why)};
    };
    auto socket = net::connect_tcp(found->host(), question.port);
    if (!socket) return failed(socket.error());
    const Conversation with{*std::move(socket), question.patience};
    Parser parser;
    parser.eager(true);
    parser.body_limit(k_largest_answer_bytes);
    Done done = with.connect();
    if (done) done = with.send(text_of(question));
    if (done) done = with.receive(parser);
    if (!done) return failed(done.error());
    const auto& response = parser.get();
    const auto type = response[bhttp::field::content_type];
    return Answer{.status = response.result_int(),
                  .content_type = {type.data(), type.size()},
                  .body = response.body()};
}

}  // namespace damrak::http
