#include <damrak/market_stream/market_stream.hpp>

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include <damrak/archive/day_json.hpp>
#include <damrak/base/assert.hpp>
#include <damrak/http/origin.hpp>

namespace damrak::market_stream {

namespace {

using SteadyClock = std::chrono::steady_clock;

constexpr std::size_t k_reading_bytes = 262'144;
static_assert(k_reading_bytes >= feed::FeedSession::k_longest_frame);

constexpr std::string_view k_json_protocol = "damrak.json";
constexpr std::string_view k_binary_protocol = "damrak.binary";

/// The first known one of the protocols that a client offers; empty: none is known.
std::string_view chosen_protocol(std::string_view offered) {
    while (!offered.empty()) {
        const std::size_t end = std::min(offered.find(','), offered.size());
        std::string_view one = offered.substr(0, end);
        one.remove_prefix(std::min(one.find_first_not_of(" \t"), one.size()));
        one = one.substr(0, one.find_last_not_of(" \t") + 1);
        if (one == k_json_protocol || one == k_binary_protocol) return one;
        offered.remove_prefix(std::min(end + 1, offered.size()));
    }
    return {};
}

/// A viewer has one subscription for each.
struct Place {
    Channel channel{};
    std::string symbol;
    explicit Place(const Topic& topic) : channel(topic.channel), symbol(topic.symbol) {}
    friend auto operator<=>(const Place&, const Place&) = default;
};

http::WebSocket::Message message_of(std::string text) {
    return std::make_shared<const std::string>(std::move(text));
}

std::unexpected<RequestError> refused(const Topic& topic, std::string code, std::string message) {
    return std::unexpected{
        RequestError{std::move(code), std::move(message), std::string{name(topic.channel)}}};
}

}  // namespace

class MarketStream::Viewer final : public http::WebSocketUser {
  public:
    Viewer(MarketStream& stream, http::WebSocket& socket, bool is_binary, ViewerRights rights)
        : stream_(&stream),
          socket_(&socket),
          number_(++stream.viewers_so_far_),
          is_binary_(is_binary),
          rights_(rights) {
        stream_->viewers_.push_back(this);
        stream_->viewers_count_.store(stream_->viewers_.size(), std::memory_order_relaxed);
    }
    ~Viewer() override {
        for (const auto& [place, topic] : subscriptions_) stream_->leave(*this, topic);
        std::erase_if(stream_->asked_,
                      [this](const auto& one) { return one.second.viewer == this; });
        std::erase(stream_->viewers_, this);
        stream_->viewers_count_.store(stream_->viewers_.size(), std::memory_order_relaxed);
    }
    Viewer(const Viewer&) = delete;
    Viewer& operator=(const Viewer&) = delete;

    void on_text(std::string_view message) override {
        const auto request = parse_request(message, is_binary_);
        if (!request) return send(text_of(request.error()));
        const auto answered = std::visit([&](const auto& one) { return take(one); }, *request);
        if (!answered) return send(text_of(answered.error()));
        if (!answered->empty()) send(*answered);
    }
    [[nodiscard]] bool may_trade() const { return rights_.may_trade; }

    void send(std::string text) { send(message_of(std::move(text)), http::WebSocket::Form::text); }
    void send(http::WebSocket::Message message, http::WebSocket::Form form) {
        socket_->send(std::move(message), form);
    }
    [[nodiscard]] bool is_slow() const { return unsent_bytes() > k_maximum_unsent_bytes; }
    [[nodiscard]] std::size_t unsent_bytes() const { return socket_->unsent_bytes(); }
    [[nodiscard]] std::uint64_t number() const { return number_; }

    /// The topic of its subscription in this place; null if there is none.
    [[nodiscard]] const Topic* find(const Topic& topic) const {
        const auto found = subscriptions_.find(Place{topic});
        return found == subscriptions_.end() ? nullptr : &found->second;
    }
    void add(const Topic& topic) { subscriptions_.insert_or_assign(Place{topic}, topic); }
    void remove(const Topic& topic) { subscriptions_.erase(Place{topic}); }
    [[nodiscard]] std::size_t subscriptions() const { return subscriptions_.size(); }
    [[nodiscard]] std::size_t levels() const {
        std::size_t levels = 0;
        for (const auto& [place, topic] : subscriptions_) levels += topic.levels;
        return levels;
    }

  private:
    [[nodiscard]] RequestResult<std::string> take(const Subscribe& request) {
        Topic topic = request.topic;
        topic.has_figures = topic.channel == Channel::exchange && rights_.sees_figures;
        if (const auto done = stream_->subscribe(*this, topic); !done)
            return std::unexpected{done.error()};
        return answer_text("subscribed", topic);
    }
    [[nodiscard]] RequestResult<std::string> take(const Unsubscribe& request) {
        const Topic* const found = find(request.topic);
        if (found == nullptr)
            return refused(request.topic, "not_subscribed", "there is no such subscription");
        const Topic topic = *found;
        remove(topic);
        stream_->leave(*this, topic);
        return answer_text("unsubscribed", topic);
    }

    // Orders are answered by reports.
    [[nodiscard]] RequestResult<std::string> take(const EnterOrder& request) {
        if (!may_trade()) return not_allowed();
        const auto number = stream_->config_.trading->enter(request);
        if (!number) return std::unexpected{number.error()};
        stream_->asked_[*number] = {.viewer = this, .request = request.request};
        return {};
    }
    [[nodiscard]] RequestResult<std::string> take(const ReplaceOrder& request) {
        if (!may_trade()) return not_allowed();
        return changed(request, stream_->config_.trading->replace(request));
    }
    [[nodiscard]] RequestResult<std::string> take(const CancelOrder& request) {
        if (!may_trade()) return not_allowed();
        return changed(request, stream_->config_.trading->cancel(request));
    }
    [[nodiscard]] RequestResult<std::string> changed(const auto& request,
                                                     const RequestResult<void>& done) {
        if (!done) return std::unexpected{done.error()};
        stream_->asked_[request.order] = {.viewer = this, .request = request.request};
        return {};
    }
    static std::unexpected<RequestError> not_allowed() {
        return std::unexpected{
            RequestError{"not_allowed", "only who has shown the operator's token may trade"}};
    }

    MarketStream* stream_;
    http::WebSocket* socket_;
    std::uint64_t number_;
    bool is_binary_;
    ViewerRights rights_;
    std::map<Place, Topic> subscriptions_;
};

MarketStream::MarketStream(StreamConfig config)
    : config_(std::move(config)), memory_(k_reading_bytes) {}

MarketStream::~MarketStream() { DAMRAK_ASSERT(viewers_.empty()); }

std::expected<http::WebSocketWelcome, http::Answer> MarketStream::welcome(
    const http::Request& request, ViewerRights rights) {
    rights.may_trade = rights.may_trade && config_.trading != nullptr;
    if (!http::is_of_own_page(request))
        return std::unexpected{http::Answer{
            .status = 403, .body = "Origin: only pages of this service may open the stream\n"}};
    const std::string_view protocol = chosen_protocol(request.web_socket_protocols);
    if (protocol.empty() && !request.web_socket_protocols.empty())
        return std::unexpected{
            http::Answer{.status = 400,
                         .body = fmt::format("Sec-WebSocket-Protocol: there are {} and {}\n",
                                             k_json_protocol, k_binary_protocol)}};
    return http::WebSocketWelcome{
        .subprotocol = std::string{protocol},
        .open = [this, is_binary = protocol == k_binary_protocol, rights](http::WebSocket& socket) {
            auto viewer = std::make_unique<Viewer>(*this, socket, is_binary, rights);
            viewer->send(hello(rights.may_trade));
            if (rights.may_trade)
                for (ViewerOrder& order : config_.trading->orders())
                    viewer->send(text_of({.order = std::move(order), .what = "present"}, {}));
            return viewer;
        }};
}

void MarketStream::tick() {
    ++ticks_;
    follow_session();
    read_messages();
    if (market_.instruments().size() != told_instruments_) greet_all();
    publish();
    slow_viewers_.store(static_cast<std::uint64_t>(std::ranges::count_if(
                            viewers_, [](const Viewer* one) { return one->is_slow(); })),
                        std::memory_order_relaxed);
    if (config_.trading != nullptr) tell_reports();
}

std::vector<MarketStream::SlowViewer> MarketStream::slow() const {
    std::vector<SlowViewer> found;
    for (const Viewer* const one : viewers_)
        if (one->is_slow()) found.push_back({one->number(), one->unsent_bytes()});
    return found;
}

void MarketStream::tell_reports() {
    for (const OrderReport& report : config_.trading->take_reports()) {
        const auto asked = asked_.find(report.order.number);
        const std::string text = text_of(report, std::nullopt);
        for (Viewer* const one : viewers_) {
            if (!one->may_trade()) continue;
            const bool is_its = asked != asked_.end() && asked->second.viewer == one;
            one->send(is_its ? text_of(report, asked->second.request) : text);
        }
        // What is sent is not answered yet.
        if (asked != asked_.end() && report.what != "sent") asked_.erase(asked);
    }
}

std::string MarketStream::metrics() const {
    return fmt::format(
        "# HELP damrak_stream_viewers Viewers of /v1/stream.\n"
        "# TYPE damrak_stream_viewers gauge\n"
        "damrak_stream_viewers {}\n"
        "# HELP damrak_stream_slow_viewers Viewers that read too slowly at present.\n"
        "# TYPE damrak_stream_slow_viewers gauge\n"
        "damrak_stream_slow_viewers {}\n"
        "# HELP damrak_stream_messages_total Snapshots and changes sent to viewers.\n"
        "# TYPE damrak_stream_messages_total counter\n"
        "damrak_stream_messages_total {}\n"
        "# HELP damrak_stream_left_out_total Changes not sent to viewers that read too slowly.\n"
        "# TYPE damrak_stream_left_out_total counter\n"
        "damrak_stream_left_out_total {}\n",
        viewers(), slow_viewers(), messages_.load(std::memory_order_relaxed),
        left_out_.load(std::memory_order_relaxed));
}

// The last messages of an earlier session are published before the next one begins.
void MarketStream::follow_session() {
    auto session = config_.session ? config_.session() : nullptr;
    if (session == nullptr) return;
    if (reader_ && reader_->session().id() == session->id()) return;
    if (reader_ && reader_->next() <= reader_->messages()) return;
    reader_.emplace(std::move(session), 1);
    market_ = MarketState{};
    for (auto& [topic, entry] : topics_) {
        entry.feed.reset();
        for (Subscription& one : entry.subscriptions) one.is_in_step = false;
    }
    greet_all();
}

void MarketStream::read_messages() {
    if (!reader_) return;
    const auto end = SteadyClock::now() + config_.reading_time;
    do {
        const std::uint64_t first = reader_->next();
        const auto frames = reader_->read(memory_);
        if (frames.empty()) return;
        market_.on_messages(first, frames);
        if (market_.has_to_recount()) market_.recount(reader_->at(1), memory_);
    } while (SteadyClock::now() < end);
}

// Continues where the time of the last tick ended, with at least one topic.
void MarketStream::publish() {
    const auto end = SteadyClock::now() + config_.publishing_time;
    auto next = next_topic_ ? topics_.lower_bound(*next_topic_) : topics_.begin();
    for (std::size_t left = topics_.size(); left > 0; --left, ++next) {
        if (next == topics_.end()) next = topics_.begin();
        if (left < topics_.size() && SteadyClock::now() > end) {
            next_topic_ = next->first;
            return;
        }
        publish(next->second);
    }
    next_topic_.reset();
}

void MarketStream::publish(TopicEntry& entry) {
    const http::WebSocket::Form form = entry.feed.form();
    const auto send = [&](Subscription& to, const TopicFeed::Message& message) {
        to.viewer->send(message, form);
        to.is_in_step = true;
        messages_.fetch_add(1, std::memory_order_relaxed);
    };
    if (const TopicFeed::Message changes = next_message(entry); changes != nullptr)
        for (Subscription& one : entry.subscriptions) {
            if (!one.is_in_step) continue;
            one.is_in_step = !one.viewer->is_slow();
            if (one.is_in_step)
                send(one, changes);
            else
                left_out_.fetch_add(1, std::memory_order_relaxed);
        }
    TopicFeed::Message snapshot;
    for (Subscription& one : entry.subscriptions) {
        if (one.is_in_step || one.viewer->is_slow()) continue;
        if (snapshot == nullptr) snapshot = entry.feed.snapshot();
        if (snapshot == nullptr) return;
        send(one, snapshot);
    }
}

TopicFeed::Message MarketStream::next_message(TopicEntry& entry) {
    if (ticks_ < entry.due) return nullptr;
    const Topic& topic = entry.feed.topic();
    entry.due = ticks_ + topic.interval_ms / static_cast<std::uint64_t>(k_tick.count());
    if (topic.channel != Channel::exchange) return entry.feed.changes(market_);
    if (!config_.operations) return nullptr;
    entry.feed.publish(config_.operations(topic.has_figures), market_);
    for (Subscription& one : entry.subscriptions) one.is_in_step = false;
    return nullptr;
}

void MarketStream::greet_all() {
    told_instruments_ = market_.instruments().size();
    const std::string text = hello(false);
    for (Viewer* const one : viewers_) one->send(one->may_trade() ? hello(true) : text);
}

std::string MarketStream::hello(bool may_trade) const {
    std::string json = R"({"type":"hello","version":1,"session":)";
    const auto id = reader_ ? std::optional{reader_->session().id()} : std::nullopt;
    json += id ? fmt::format(R"("{}","date":{})", id->text(), id->date) : R"(null,"date":0)";
    json += fmt::format(R"(,"sequence":{},"interval_ms":{},"trading":{},"instruments":[)",
                        market_.sequence(), k_tick.count(), may_trade);
    for (const Instrument& one : market_.instruments()) {
        json += json.back() == '[' ? R"({"symbol":)" : R"(,{"symbol":)";
        archive::append_string(json, one.symbol);
        json += fmt::format(R"(,"locate":{},"state":"{}"}})", one.locate, name(one.state));
    }
    json += "]}";
    return json;
}

RequestResult<void> MarketStream::subscribe(Viewer& viewer, const Topic& topic) {
    if (topic.channel != Channel::exchange) {
        if (!reader_) return refused(topic, "no_session", "no trading day has begun yet");
        if (market_.find(topic.symbol) == nullptr) {
            std::string shown;
            archive::append_string(shown, topic.symbol);
            return refused(topic, "unknown_symbol",
                           fmt::format("symbol: {} is not an instrument of session {}", shown,
                                       reader_->session().id().text()));
        }
    }
    const Topic* const found = viewer.find(topic);
    const std::optional<Topic> old = found == nullptr ? std::nullopt : std::optional{*found};
    if (!old && viewer.subscriptions() == k_maximum_subscriptions)
        return refused(
            topic, "too_many",
            fmt::format("a connection has at most {} subscriptions", k_maximum_subscriptions));
    const std::size_t levels = viewer.levels() - (old ? old->levels : 0) + topic.levels;
    if (levels > k_maximum_levels_of_viewer)
        return refused(topic, "too_many",
                       fmt::format("levels: a connection has at most {} in all, not {}",
                                   k_maximum_levels_of_viewer, levels));
    if (old) leave(viewer, *old);
    viewer.add(topic);
    topics_.try_emplace(topic, topic).first->second.subscriptions.push_back({.viewer = &viewer});
    return {};
}

void MarketStream::leave(Viewer& viewer, const Topic& topic) {
    const auto found = topics_.find(topic);
    auto& subscriptions = found->second.subscriptions;
    std::erase_if(subscriptions, [&](const Subscription& one) { return one.viewer == &viewer; });
    if (subscriptions.empty()) topics_.erase(found);
}

}  // namespace damrak::market_stream
