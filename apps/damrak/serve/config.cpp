#include "serve/config.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <fstream>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <damrak/exchange/settings_table.hpp>
#include <damrak/http/bearer_token.hpp>

#include "serve/config_reader.hpp"

namespace damrak::app {

namespace {

template <class T>
void read_list(ConfigTable& root, const gateway::SettingList<T>& list, ServeSettings& settings) {
    auto tables = root.sections(list.name);
    if (!tables) return;
    const auto rows = list.rows(settings);
    std::vector<T> all;
    for (ConfigTable& table : *tables) {
        T one = list.first(settings);
        table.read(rows, one);
        if (const auto misfit = list.complete(settings, one))
            table.refuse(misfit->key, misfit->what);
        table.finish();
        for (const T& other : all)
            if (const auto misfit = list.clash(one, other)) table.refuse(misfit->key, misfit->what);
        all.push_back(std::move(one));
    }
    list.set(settings, std::move(all));
}

// Read to its end, so that a pipe will do as well as a file on a disk.
std::expected<std::string, std::string> whole_file(const std::filesystem::path& file) {
    constexpr std::size_t k_most = std::size_t{16} << 20U;
    const auto failure = [&](std::string_view what) {
        return std::unexpected{fmt::format("{}: {}", file.string(), what)};
    };
    if (std::filesystem::is_directory(file))
        return failure("is a directory; expected a file in TOML");
    std::ifstream stream{file, std::ios::binary};
    if (!stream) return failure(fmt::format("cannot be opened: {}", std::strerror(errno)));
    std::string text;
    std::array<char, 65'536> part{};
    while (stream.read(part.data(), part.size()), stream.gcount() > 0) {
        text.append(part.data(), static_cast<std::size_t>(stream.gcount()));
        if (text.size() > k_most) return failure("is no configuration: it has more than 16 MiB");
    }
    if (stream.bad()) return failure(fmt::format("cannot be read: {}", std::strerror(errno)));
    return text;
}

// Does not quote it: a user who writes a colon may have written a password.
std::string check_trading_user(const std::string& text) {
    return text.contains(':')
               ? "expected the name of a user; page.trading_password has its password"
               : "";
}

std::string check_token(const std::string& text) {
    return text.empty() || http::BearerToken::is_sound(text)
               ? ""
               : "expected 32 to 256 letters, digits and -._~+/=";
}

}  // namespace

const std::vector<gateway::Setting<ServeSettings>>& serve_rows() {
    static const auto all = [] {
        std::vector<gateway::Setting<ServeSettings>> rows;
        for (const auto& row : exchange::setting_rows()) rows.emplace_back(row);
        for (const auto& row : own_rows()) rows.push_back(row);
        return rows;
    }();
    return all;
}

const std::vector<gateway::Setting<ServeSettings>>& own_rows() {
    static const auto own = [] {
        gateway::Rows<ServeSettings> rows;
        rows.section("run");
        rows.truth("demo_market", &ServeSettings::demo_market,
                   "let a few built-in participants trade")
            .by_flag("--demo-market");
        const auto tls = [](auto member) { return gateway::at(&ServeSettings::http_tls, member); };
        rows.section("http");
        rows.text("tls_certificate", tls(&net::TlsFiles::certificate),
                  "file of the HTTP certificate (PEM); enables HTTPS, and disables HTTP")
            .by_flag("--http-tls-certificate");
        rows.text("tls_key", tls(&net::TlsFiles::key), "file of the key of the HTTP certificate")
            .by_flag("--http-tls-key");
        rows.section("operator");
        rows.text("token", &ServeSettings::operator_token,
                  "the operator's token, instead of the one in DATA/operator-token; figures are "
                  "then only for those who present it")
            .unset_at(std::string{})
            .is_secret()
            .checked(check_token);
        rows.section("page");
        rows.text("trading_user", &ServeSettings::trading_user,
                  "OUCH user as whom viewers of the live page trade; empty: they cannot trade")
            .checked(check_trading_user);
        rows.text("trading_password", &ServeSettings::trading_password,
                  "password of that user, if it has one")
            .unset_at(std::string{})
            .is_secret();
        return rows.take();
    }();
    return own;
}

std::vector<ConfigSection> config_sections() {
    std::vector<ConfigSection> sections;
    for (const auto& row : serve_rows()) {
        if (!row.in_file) continue;
        auto at = std::ranges::find(sections, row.section(), &ConfigSection::name);
        if (at == sections.end()) at = sections.insert(at, {row.section(), {}});
        at->rows.push_back(&row);
    }
    return sections;
}

std::expected<void, std::string> read_config(const std::filesystem::path& file,
                                             ServeSettings& settings) {
    const auto text = whole_file(file);
    if (!text) return std::unexpected{text.error()};
    toml::table parsed;
    try {
        parsed = toml::parse(*text, file.string());
    } catch (const toml::parse_error& error) {
        return std::unexpected{fmt::format("{}:{}: {}", file.string(), error.source().begin.line,
                                           error.description())};
    }
    ConfigError error{file.string(), settings.places};
    ConfigTable root{parsed, "", error};
    root.read(serve_rows(), settings);
    exchange::for_each_list([&](const auto& list) { read_list(root, list, settings); });
    root.finish();
    if (!error.empty()) return std::unexpected{error.message()};
    return {};
}

}  // namespace damrak::app
