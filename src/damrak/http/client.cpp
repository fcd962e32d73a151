#include <damrak/http/client.hpp>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/core/tcp_stream.hpp>
#include <boost/beast/http.hpp>
#include <fmt/format.h>

#include <damrak/net/address.hpp>

namespace damrak::http {

namespace {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace bhttp = beast::http;
using boost::system::error_code;

constexpr std::uint64_t k_largest_answer_bytes = std::uint64_t{16} << 20U;

}  // namespace

std::expected<Answer, std::string> ask(const Question& question) {
    const auto found = net::resolve(question.address, question.port);
    if (!found) return std::unexpected{found.error()};
    const asio::ip::tcp::endpoint where{asio::ip::make_address(found->host()), question.port};
    asio::io_context context{1};
    beast::tcp_stream stream{context};
    stream.expires_after(question.patience);
    bhttp::request<bhttp::string_body> request{
        question.json.empty() ? bhttp::verb::get : bhttp::verb::post, question.path, 11};
    request.set(bhttp::field::host, fmt::format("localhost:{}", question.port));
    request.keep_alive(false);
    if (!question.json.empty()) {
        request.set(bhttp::field::content_type, "application/json");
        request.body() = question.json;
    }
    request.prepare_payload();

    beast::flat_buffer buffer;
    bhttp::response_parser<bhttp::string_body> parser;
    parser.body_limit(k_largest_answer_bytes);
    error_code failed;
    const auto read = [&](const error_code& error, std::size_t /*bytes*/) {
        failed = error;
        if (!error)
            bhttp::async_read(stream, buffer, parser,
                              [&](const error_code& end, std::size_t) { failed = end; });
    };
    stream.async_connect(where, [&](const error_code& error) {
        failed = error;
        if (!error) bhttp::async_write(stream, request, read);
    });
    context.run();
    if (failed)
        return std::unexpected{fmt::format("cannot ask {} over HTTP: {}",
                                           net::host_and_port(question.address, question.port),
                                           failed.message())};
    const auto& response = parser.get();
    const auto type = response[bhttp::field::content_type];
    return Answer{.status = response.result_int(),
                  .content_type = {type.data(), type.size()},
                  .body = response.body()};
}

}  // namespace damrak::http
