#include <damrak/http/detail/response_head.hpp>

#include <string_view>

#include <boost/beast/http/status.hpp>
#include <fmt/format.h>

namespace damrak::http::detail {

std::string head_of(const Answer& answer, const Framing& framing, const char* allowed) {
    const auto reason =
        boost::beast::http::obsolete_reason(boost::beast::http::int_to_status(answer.status));
    std::string head = fmt::format("HTTP/1.1 {} {}\r\n", answer.status,
                                   std::string_view{reason.data(), reason.size()});
    const auto add = [&](std::string_view name, std::string_view value) {
        head.append(name).append(": ").append(value).append("\r\n");
    };
    const auto add_known = [&](std::string_view name, std::string_view value) {
        if (!value.empty()) add(name, value);
    };
    add("Content-Type", answer.content_type);
    add("Cache-Control", answer.cache_control);
    add_known("ETag", answer.etag);
    if (!answer.gzip_body.empty()) add("Vary", "Accept-Encoding");
    if (framing.gzip) add("Content-Encoding", "gzip");
    add_known("WWW-Authenticate", answer.www_authenticate);
    add("X-Content-Type-Options", "nosniff");
    add_known("Content-Security-Policy", answer.content_security_policy);
    if (!answer.content_security_policy.empty()) add("Referrer-Policy", "no-referrer");
    add_known("Set-Cookie", answer.set_cookie);
    if (answer.status == 503) add("Retry-After", "1");
    if (answer.status == 405) add("Allow", allowed);
    if (!framing.keep_alive) add("Connection", "close");
    if (framing.chunked) add("Transfer-Encoding", "chunked");
    if (framing.length) add("Content-Length", fmt::format_int{*framing.length}.str());
    return head += "\r\n";
}

Answer busy(std::string_view things, budget::Refusal why) {
    return {.status = 503,
            .content_type = "application/json",
            .body = fmt::format(R"({{"error": {{"code": "busy", "message": )"
                                R"("too many {}: {}: try again in a second"}}}})"
                                "\n",
                                things, budget::text(why))};
}

std::string whole(const Answer& answer) {
    return head_of(answer, {.length = answer.body.size()}, "") + answer.body;
}

}  // namespace damrak::http::detail
