#include "support/fix_exchange.hpp"

#include <algorithm>
#include <array>

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <damrak/fix_codec/decode.hpp>
#include <damrak/fix_codec/dictionary.hpp>
#include <damrak/journal/recovery.hpp>

#include "support/commands.hpp"
#include "support/fix_text.hpp"

namespace damrak::testing {

namespace {

// 2026-03-02 09:00:00 UTC.
constexpr Timestamp k_start{1'772'442'000'000'000'000};

std::string text_of(Timestamp time) {
    return fmt::format("{:%Y%m%d-%H:%M:%S}", fmt::gmtime(time.value / 1'000'000'000));
}

bool is_fixt(std::string_view version) { return version.starts_with("FIX.5"); }

std::string with_checksum(std::string message) {
    unsigned sum = 0;
    for (const char c : message) sum += static_cast<unsigned char>(c);
    return message + fix_bytes(fmt::format("10={:03}|", sum % 256));
}

bool has_tag(std::string_view fields, std::string_view tag) {
    return fields.starts_with(fmt::format("{}=", tag)) ||
           fields.find(fmt::format("|{}=", tag)) != std::string_view::npos;
}

fix_codec::ApplVersion appl_version_of(std::string_view version) {
    using fix_codec::ApplVersion;
    for (auto one = ApplVersion::fix40; one <= ApplVersion::fix50sp2;
         one = static_cast<ApplVersion>(static_cast<std::uint8_t>(one) + 1))
        if (fix_codec::name(one) == version) return one;
    ADD_FAILURE() << version << " is no version";
    return ApplVersion::fix44;
}

}  // namespace

void FixTestListener::on_event(const Event& event, const Origin& origin,
                               const CommandStamp& stamp) const {
    market->on_event(event, stamp);
    application->reports().on_event(event, origin, stamp);
}
void FixTestListener::on_command_end(const Origin& origin) const {
    application->on_command_end(origin);
}

FixExchange::FixExchange(gateway::fix::FixApplicationConfig config)
    : now(k_start),
      engine_{.maximum_instruments = 64, .maximum_participants = 64},
      participants_(engine_),
      snapshots_(engine_.maximum_instruments) {
    engine_.maximum_orders = 10'000;
    config.folder = folder_ / "fix";
    application_ = std::make_unique<FixTestApplication>(
        std::move(config), engine_, participants_,
        FixTestApplication::Storing{.open = [this](const std::filesystem::path&) {
            return std::expected<std::unique_ptr<session::fix::MemoryStore>, std::string>{
                std::make_unique<session::fix::MemoryStore>(session::fix::MemoryStoreSettings{},
                                                            now)};
        }});
    listener_.application = application_.get();
    listener_.market = &market_;
    application_->show(snapshots_);
    exchange_ = std::make_unique<FixTestExchange>(engine_, listener_);
    auto& files = journal::real_files();
    const auto data = folder_ / "data";
    auto recovery = journal::recover(files, data, {}, [](auto) {});
    EXPECT_TRUE(recovery) << recovery.error();
    auto opened = journal::Journal::open(files, {.directory = data, .segment_bytes = 1U << 20U},
                                         *recovery, {.instance = {1, 2}, .engine = engine_}, now);
    EXPECT_TRUE(opened) << opened.error();
    journal_ = std::move(*opened);
    const auto application_opened = application_->open(files, now);
    EXPECT_TRUE(application_opened) << application_opened.error();
    application_->attach(*exchange_);
    exchange_->start(journal_->writer(), now);
    add_instrument(1, "AAPL");
    add_instrument(4, "TEST");
}

FixExchange::~FixExchange() = default;

void FixExchange::add_instrument(std::uint32_t id, std::string_view symbol) {
    submit(instrument_command(id, test_stock(symbol)));
}

void FixExchange::submit(const Command& command, const Tag& tag) {
    EXPECT_TRUE(exchange_->submit(command, {.tag = tag}, now));
}

void FixExchange::tell_market() {
    // One turn to fetch the requested data, one to send it.
    for (int i = 0; i < 2; ++i) {
        now.value += 1'000'000;
        market_.on_turn(exchange_->engine(), true, now.value);
    }
    tell_market_of_the_past();
}

void FixExchange::tell_market_of_the_past() { application_->tell_market(now); }

FixTrader::FixTrader(FixExchange& exchange, std::string version, std::string comp_id)
    : exchange_(&exchange),
      version_(std::move(version)),
      comp_id_(std::move(comp_id)),
      memory_(std::size_t{1} << 20U) {
    connect();
    static_cast<void>(told());
}

FixTestApplication::Sessions::Admitted FixExchange::admit(std::span<const std::byte> bytes,
                                                          session::OutputBuffer& out,
                                                          gateway::ConnectionNumber connection) {
    return application_->sessions().admit(
        bytes, out, {.connection = connection, .host = comers_host, .now = now},
        [](ParticipantId) { return std::expected<void, budget::Refusal>{}; });
}

FixTestApplication::Sessions::Admitted FixTrader::begin_logon(FixExchange& exchange,
                                                              std::string_view comp_id,
                                                              gateway::ConnectionNumber connection,
                                                              session::OutputBuffer& out) {
    const std::string body = fix_bytes(fmt::format("35=A|34=1|49={}|52={}|56=DAMRAK|98=0|108=30|",
                                                   comp_id, text_of(exchange.now)));
    const std::string message =
        with_checksum(fix_bytes(fmt::format("8=FIX.4.4|9={}|", body.size())) + body);
    return exchange.admit(std::as_bytes(std::span{message}), out, connection);
}

FixTestApplication::Sessions::Admitted FixTrader::begin_logon(
    FixExchange& exchange, std::string_view comp_id, gateway::ConnectionNumber connection) {
    std::vector<std::byte> memory(std::size_t{1} << 16U);
    session::OutputBuffer out{std::span{memory}};
    return begin_logon(exchange, comp_id, connection, out);
}

std::string FixTrader::refusal(FixExchange& exchange, std::string_view comp_id, std::string& told) {
    std::vector<std::byte> memory(std::size_t{1} << 16U);
    session::OutputBuffer out{std::span{memory}};
    const auto admitted = begin_logon(exchange, comp_id, gateway::ConnectionNumber{2}, out);
    const auto said = out.readable();
    session::fix::SessionTools tools;
    fix_codec::Message logout;
    static_cast<void>(
        tools.decoder.scan({reinterpret_cast<const char*>(said.data()), said.size()}, logout));
    told = said.empty() ? std::string_view{} : logout.text_or_empty(58);
    return std::string{admitted.why};
}

FixTrader::~FixTrader() {
    if (client_ != nullptr) disconnect();
}

void FixTrader::connect() {
    out_ = std::make_unique<session::OutputBuffer>(std::span{memory_});
    const std::string version =
        is_fixt(version_) ? fmt::format("|1137={}", fix_codec::text(appl_version_of(version_)))
                          : std::string{};
    send_numbered(sequence_++, "35=A|98=0|108=30" + version, {});
}

void FixTrader::disconnect() {
    exchange_->application().sessions().leave(*client_, exchange_->now);
    client_ = nullptr;
}

void FixTrader::send(std::string_view fields) { send_numbered(sequence_++, fields, {}); }

void FixTrader::send_again(std::uint64_t sequence, std::string_view fields) {
    send_numbered(sequence, fields, fmt::format("|43=Y|122={}", text_of(exchange_->now)));
}

void FixTrader::send_numbered(std::uint64_t sequence, std::string_view fields,
                              std::string_view header) {
    const std::size_t type_end = std::min(fields.find('|'), fields.size());
    std::string body =
        fmt::format("{}|34={}|49={}|52={}|56=DAMRAK{}{}", fields.substr(0, type_end), sequence,
                    comp_id_, text_of(exchange_->now), header, fields.substr(type_end));
    const std::string_view type = fields.substr(3, type_end - 3);
    const bool is_order = type == "D" || type == "G";
    if (is_order && version_ <= "FIX.4.3" && !has_tag(body, "21")) body += "|21=1";
    if ((is_order || type == "F" || type == "q") && version_ >= "FIX.4.2" && !has_tag(body, "60"))
        body += fmt::format("|60={}", text_of(exchange_->now));
    body = fix_bytes(body + "|");
    std::string message =
        fix_bytes(
            fmt::format("8={}|9={}|", is_fixt(version_) ? "FIXT.1.1" : version_, body.size())) +
        body;
    message = with_checksum(std::move(message));
    const auto bytes = std::as_bytes(std::span{message});
    if (client_ == nullptr) {
        const auto admitted = exchange_->admit(bytes, *out_, gateway::ConnectionNumber{1});
        client_ = admitted.client;
        ASSERT_NE(client_, nullptr) << admitted.why;
        exchange_->application().sessions().connect(*client_, *out_,
                                                    {.connection = gateway::ConnectionNumber{1},
                                                     .host = exchange_->comers_host,
                                                     .now = exchange_->now});
    }
    exchange_->application().set_time(exchange_->now);
    const auto received = client_->session.receive(bytes, exchange_->now);
    EXPECT_EQ(received.consumed_bytes, bytes.size()) << message;
}

std::vector<std::string> FixTrader::told() {
    std::vector<std::string> lines;
    const auto bytes = out_->readable();
    std::span text{reinterpret_cast<const char*>(bytes.data()), bytes.size()};
    session::fix::SessionTools tools;
    fix_codec::Decoder& decoder = tools.decoder;
    fix_codec::Message message;
    while (!text.empty()) {
        const auto scan = decoder.scan(text, message);
        EXPECT_EQ(scan.status, fix_codec::Scan::Status::message);
        if (scan.status != fix_codec::Scan::Status::message) break;
        last_ = with_bars({text.data(), scan.bytes});
        if (const auto wrong =
                fix_codec::Dictionary::of(appl_version_of(version_)).validate(message))
            ADD_FAILURE() << "tag " << wrong->tag << ": " << fix_codec::text(wrong->reason)
                          << " in " << last_;
        lines.push_back(describe(message));
        text = text.subspan(scan.bytes);
    }
    out_->consume(bytes.size() - text.size());
    exchange_->application().take_touched([](gateway::ConnectionNumber) {});
    return lines;
}

std::string FixTrader::describe(const fix_codec::Message& message) const {
    static constexpr std::array<fix_codec::Tag, 32> k_shown{
        43,  45, 372, 371, 373, 380, 20, 150, 39, 103, 434, 102, 378, 530, 531, 532,
        533, 11, 41,  55,  54,  38,  40, 44,  99, 32,  31,  14,  151, 6,   584, 912};
    static constexpr std::array<std::string_view, 8> k_whole{"W", "X", "Y", "f",
                                                             "h", "y", "d", "N"};
    static constexpr std::array<fix_codec::Tag, 9> k_header{8, 9, 10, 34, 35, 43, 49, 52, 56};
    std::string line{message.msg_type()};
    if (std::ranges::find(k_whole, message.msg_type()) != k_whole.end()) {
        for (const fix_codec::Field& field : message.fields())
            if (std::ranges::find(k_header, field.tag) == k_header.end())
                line += fmt::format(" {}={}", field.tag, message.value(field));
        return line;
    }
    for (const fix_codec::Tag tag : k_shown)
        if (const auto value = message.text(tag)) line += fmt::format(" {}={}", tag, *value);
    if (const auto text = message.text(58)) line += fmt::format(" \"{}\"", *text);
    return line;
}

}  // namespace damrak::testing
