#include <damrak/http/web_socket_connection.hpp>

#include <chrono>
#include <deque>
#include <exception>
#include <memory>
#include <utility>

#include <boost/beast/core/flat_buffer.hpp>
#include <boost/beast/websocket.hpp>
#include <fmt/format.h>

#include <damrak/http/detail/pace.hpp>

namespace damrak::http {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace websocket = beast::websocket;
using boost::system::error_code;
using SteadyClock = std::chrono::steady_clock;
using std::chrono::seconds;

namespace {

/// Pings and pongs that a client may send in a second.
constexpr std::size_t k_maximum_control_frames = 100;
/// For a client to answer the close frame.
constexpr seconds k_closing_patience{5};

}  // namespace

class WebSocketConnection final : public WebSocket,
                                  public std::enable_shared_from_this<WebSocketConnection> {
  public:
    WebSocketConnection(Stream stream, budget::Row::Place place, WebSocketConnections& all)
        : stream_(std::move(stream)),
          place_(std::move(place)),
          all_(&all),
          pace_(stream_.get_executor(), all.config_->reads_per_second) {
        all_->open_.insert(this);
    }
    WebSocketConnection(const WebSocketConnection&) = delete;
    WebSocketConnection& operator=(const WebSocketConnection&) = delete;
    ~WebSocketConnection() { all_->open_.erase(this); }

    void accept(const WebSocketConnections::UpgradeRequest& request, WebSocketWelcome welcome) {
        stream_.next_layer().expire_never();
        // Beast would drop a silent client without a close frame: look_after() does it instead.
        stream_.set_option(
            websocket::stream_base::timeout{.handshake_timeout = k_closing_patience,
                                            .idle_timeout = websocket::stream_base::none(),
                                            .keep_alive_pings = false});
        stream_.read_message_max(config().maximum_message_bytes);
        stream_.auto_fragment(false);
        stream_.set_option(websocket::stream_base::decorator(
            [name = std::move(welcome.subprotocol)](websocket::response_type& response) {
                if (!name.empty()) response.set(beast::http::field::sec_websocket_protocol, name);
            }));
        stream_.control_callback(
            [this](websocket::frame_type, beast::string_view) { on_control_frame(); });
        stream_.async_accept(request, [self = shared_from_this(),
                                       open = std::move(welcome.open)](const error_code& error) {
            if (error) return;
            self->heard_ = SteadyClock::now();
            self->user_ = open(*self);
            self->read();
        });
    }

    void send(Message message, Form form) override {
        if (closing_) return;
        unsent_ += message->size();
        queue_.emplace_back(std::move(message), form);
        if (queue_.size() == 1) write();
    }
    [[nodiscard]] std::size_t unsent_bytes() const override { return unsent_; }

    void close(std::uint16_t code, std::string_view reason) override {
        if (closing_) return;
        closing_ = true;
        closing_begin_ = SteadyClock::now();
        // The first message is being written.
        if (queue_.size() > 1) queue_.erase(queue_.begin() + 1, queue_.end());
        stream_.async_close({static_cast<websocket::close_code>(code),
                             beast::string_view{reason.data(), reason.size()}},
                            [self = shared_from_this()](const error_code&) {});
    }

    /// Asks a silent client for a sign of life, and ends the connection if there is none.
    void look_after(SteadyClock::time_point now) {
        const auto patience = config().patience;
        if (!user_) return;  // not accepted yet: Beast's time limit
        if (!queue_.empty() && now - write_begin_ > patience) return end();
        if (closing_) {
            // The close frame itself may wait for a client that takes nothing.
            if (now - closing_begin_ > 2 * k_closing_patience) end();
        } else if (now - heard_ > patience) {
            close(1008, fmt::format("no frame came for {:g} seconds, not even the answer to a ping",
                                    std::chrono::duration<double>{patience}.count()));
        } else if (now - heard_ > patience / 2 && pinged_ < heard_ && !is_pinging_) {
            ping(now);
        }
    }

  private:
    [[nodiscard]] const WebSocketConfig& config() const { return *all_->config_; }
    void end() { stream_.next_layer().close(); }

    // Any part of a message counts, so that endless small fragments are no way around the limit.
    void read() {
        pace_.wait([self = shared_from_this()] { self->read_some(); });
    }
    void read_some() {
        stream_.async_read_some(buffer_, config().maximum_message_bytes,
                                [self = shared_from_this()](const error_code& error, std::size_t) {
                                    self->on_read(error);
                                });
    }
    void on_read(const error_code& error) {
        heard_ = SteadyClock::now();
        if (error) return;  // closed, broken, or a frame against the rules: Beast has answered it
        if (stream_.is_message_done()) {
            if (stream_.got_binary()) return close(1003, "only text is read here");
            take_message();
        }
        if (!closing_) read();
    }
    void take_message() {
        const auto bytes = buffer_.data();
        try {
            user_->on_text({static_cast<const char*>(bytes.data()), bytes.size()});
        } catch (const std::exception&) {
            close(1011, "the service failed");
        }
        buffer_.consume(bytes.size());
    }
    void ping(SteadyClock::time_point now) {
        pinged_ = now;
        is_pinging_ = true;
        stream_.async_ping(
            {}, [self = shared_from_this()](const error_code&) { self->is_pinging_ = false; });
    }
    void on_control_frame() {
        const auto now = SteadyClock::now();
        heard_ = now;
        if (now - control_begin_ > seconds{1}) {
            control_begin_ = now;
            control_frames_ = 0;
        }
        if (++control_frames_ > k_maximum_control_frames) end();
    }

    void write() {
        write_begin_ = SteadyClock::now();
        const auto& [message, form] = queue_.front();
        stream_.binary(form == Form::binary);
        stream_.async_write(asio::buffer(*message),
                            [self = shared_from_this()](const error_code& error, std::size_t) {
                                self->on_written(error);
                            });
    }
    void on_written(const error_code& error) {
        unsent_ -= queue_.front().first->size();
        queue_.pop_front();
        if (closing_) unsent_ = 0;
        if (error || closing_) return;
        if (!queue_.empty()) write();
    }

    /// Without compression, which is not offered.
    websocket::stream<Stream, false> stream_;
    budget::Row::Place place_;
    WebSocketConnections* all_;
    Pace pace_;
    std::unique_ptr<WebSocketUser> user_;
    beast::flat_buffer buffer_;
    SteadyClock::time_point heard_{};  ///< the last frame, or part of a message
    SteadyClock::time_point pinged_{};
    bool is_pinging_ = false;  ///< a ping is being sent
    SteadyClock::time_point control_begin_{};
    std::size_t control_frames_ = 0;
    /// The first is being written.
    std::deque<std::pair<Message, Form>> queue_;
    SteadyClock::time_point write_begin_{};
    std::size_t unsent_ = 0;
    bool closing_ = false;
    SteadyClock::time_point closing_begin_{};
};

void WebSocketConnections::serve(Stream stream, budget::Row::Place place,
                                 const UpgradeRequest& request, WebSocketWelcome welcome) {
    std::make_shared<WebSocketConnection>(std::move(stream), std::move(place), *this)
        ->accept(request, std::move(welcome));
}

void WebSocketConnections::look_after_all() {
    const auto now = SteadyClock::now();
    for (WebSocketConnection* const one : open_) one->look_after(now);
}

}  // namespace damrak::http
