// One connection of a simulated client, as both ends should see it: the client's requests, the
// messages that it is owed according to the journal, and whether it receives exactly these. Plain
// memory; a message costs a comparison.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <damrak/domain/identifiers.hpp>
#include <damrak/domain/origin.hpp>
#include <damrak/wire/binary/messages.hpp>

namespace damrak::simulation {

using wire::binary::Header;
using wire::binary::Message;
using wire::binary::Version;

/// Description of a fault; empty if all is well.
using Finding = std::optional<std::string>;

[[nodiscard]] std::string describe(const Message& message);

enum class Asked : std::uint8_t { hello, logout, new_order, cancel, modify, nonsense };

/// A client's request with one number. `asked` determines which fields count.
struct Request {
    Asked asked{};
    wire::binary::NewOrder order{};
    wire::binary::ModifyOrder target{};  ///< of a cancel or modify
    /// Answer of the session itself, without the journal; its time is not compared.
    std::optional<Message> refusal{};
    bool invalid = false;    ///< as an order: the engine must reject it
    bool journaled = false;  ///< the journal has it
};

/// A message that follows from the journal.
struct Answer {
    Message message;
    std::uint64_t record = 0;   ///< from which it follows
    std::uint64_t request = 0;  ///< that it answers; zero: a trade
    /// The trade is owed to another connection, and to this one only if that one ended: the journal
    /// does not record when the exchange noticed the end.
    bool instead = false;
    std::shared_ptr<bool> told{};  ///< of a trade: whether someone received it
};

class Conversation {
  public:
    Conversation(std::uint64_t client, Version version) : client_(client), version_(version) {}

    [[nodiscard]] Version version() const { return version_; }
    [[nodiscard]] std::uint64_t client() const { return client_; }

    // For the client's end.
    void ask(Request request) { requests_.push_back(std::move(request)); }
    /// Checks a message that arrived.
    [[nodiscard]] Finding hear(const Header& header, const Message& message);
    [[nodiscard]] std::size_t unanswered() const { return requests_.size() - answered_; }
    /// Whether all journaled messages were received.
    [[nodiscard]] bool is_reported() const { return next_unreported() == nullptr; }
    /// The last record that the client knows to be durable.
    [[nodiscard]] std::uint64_t acknowledged() const { return acknowledged_; }
    [[nodiscard]] const Request* oldest_unanswered() const {
        return unanswered() == 0 ? nullptr : &requests_[answered_];
    }
    [[nodiscard]] const Message* next_unreported() const;

    // For the journal's end.
    SessionId session{};
    ParticipantId participant{};
    /// Number n has index n - 1.
    [[nodiscard]] Request* find_request(std::uint64_t number) {
        return number - 1 < requests_.size() ? &requests_[number - 1] : nullptr;
    }
    std::size_t tell(Answer answer) {
        answers_.push_back(std::move(answer));
        return answers_.size() - 1;
    }
    [[nodiscard]] Answer& answer(std::size_t index) { return answers_[index]; }

  private:
    [[nodiscard]] Finding hear_next(const Message& heard, std::uint64_t request);
    [[nodiscard]] Finding hear_answer(const Message& message);
    void pass_over_trades_of_others(const Message& message);

    std::uint64_t client_;
    Version version_;
    std::vector<Request> requests_;
    std::vector<Answer> answers_;
    std::size_t answered_ = 0;  ///< requests
    std::size_t heard_ = 0;     ///< answers received
    std::uint32_t messages_ = 0;
    std::uint64_t trades_ = 0;  ///< received
    std::uint64_t acknowledged_ = 0;
    bool over_ = false;
};

}  // namespace damrak::simulation
