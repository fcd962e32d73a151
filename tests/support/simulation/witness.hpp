// Reads the journal behind the exchange and derives all expected results from it: the slow
// reference engine gives the events, and from these follow the messages that every client is owed.
// Checks each record. It shares no code with sessions, gateway and sequencer.
//
// A record costs two engines, one of them the slow one.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <damrak/engine/engine_config.hpp>
#include <damrak/journal/reader.hpp>
#include <damrak/journal/record.hpp>

#include "support/differential/event_audit.hpp"
#include "support/recorded_engine.hpp"
#include "support/reference/reference_engine.hpp"
#include "support/simulation/conversation.hpp"

namespace damrak::simulation {

class Witness {
  public:
    explicit Witness(const EngineConfig& config);

    /// The exchange assigned this id to the conversation.
    void attach(SessionId session, Conversation& conversation);

    /// Reads further records. Returns the first fault, if any.
    [[nodiscard]] Finding follow(journal::FileSystem& files, const std::filesystem::path& folder);
    /// The exchange stopped in any way: its clients receive nothing more.
    void part();
    /// It restarted with this part of the journal, which must equal what was read before.
    [[nodiscard]] Finding return_to(journal::FileSystem& files, const std::filesystem::path& folder,
                                    std::uint64_t kept);

    [[nodiscard]] std::uint64_t records() const { return records_.size(); }
    [[nodiscard]] std::uint64_t state_hash() const { return state_->engine.state_hash(); }
    [[nodiscard]] std::uint64_t trades() const { return trades_; }
    /// Compares the book built from events with the model's.
    [[nodiscard]] Finding compare_books() const {
        return state_->audit.compare(state_->model.state());
    }

  private:
    /// How an order was entered: the request, and the connection.
    struct Entered {
        ClientOrderId name{};
        SessionId session{};
    };
    struct State {
        explicit State(const EngineConfig& config);
        reference::ReferenceEngine model;
        differential::EventAudit audit;
        EventRecorder recorder;
        EngineInto<EventRecorder> engine;
        std::map<OrderId, Entered> entered;
        Timestamp last{};
    };

    [[nodiscard]] Finding take(const journal::Record& record);
    [[nodiscard]] Finding take_session(const journal::Record& record);
    [[nodiscard]] Finding take_command(const journal::Record& record);
    [[nodiscard]] Finding check_request(const journal::Record& record, Conversation& asker) const;
    void tell_answers(const journal::Record& record);
    void tell_own(const Event& event, const journal::Record& record, Conversation& asker,
                  const Request& request);
    void tell_trade(const Event& event, const journal::Record& record);
    [[nodiscard]] Conversation* find(SessionId session) const;
    void leave(Conversation& conversation);

    EngineConfig config_;
    std::vector<journal::Record> records_;
    std::unique_ptr<State> state_;
    std::vector<Event> events_;
    std::map<SessionId, Conversation*> sessions_;
    std::map<ParticipantId, std::vector<Conversation*>> logins_;  ///< the latest last
    std::optional<journal::JournalReader> reader_;
    std::optional<std::size_t> open_ack_;  ///< of version 2: reports the outcome of its order
    std::uint64_t trades_ = 0;
};

}  // namespace damrak::simulation
