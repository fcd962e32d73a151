#include "support/simulation/witness.hpp"

#include <algorithm>
#include <span>

#include <fmt/format.h>

#include "support/describe.hpp"

namespace damrak::simulation {

namespace {

std::span<const std::byte> bytes_of(const journal::Record& record) {
    return std::as_bytes(std::span{&record, 1});
}

reference::Settings settings_of(const EngineConfig& config) {
    return {.maximum_instruments = config.maximum_instruments,
            .maximum_participants = config.maximum_participants,
            .maximum_orders = config.maximum_orders,
            .maximum_extensions = config.maximum_extensions,
            .maximum_accounts = config.maximum_accounts};
}

}  // namespace

Witness::State::State(const EngineConfig& config)
    : model(settings_of(config)), engine(config, recorder) {}

Witness::Witness(const EngineConfig& config)
    : config_(config), state_(std::make_unique<State>(config)) {}

void Witness::attach(SessionId session, Conversation& conversation) {
    conversation.session = session;
    sessions_[session] = &conversation;
}

Conversation* Witness::find(SessionId session) const {
    const auto found = sessions_.find(session);
    return found == sessions_.end() ? nullptr : found->second;
}

void Witness::part() {
    sessions_.clear();
    logins_.clear();
    reader_.reset();
}

Finding Witness::follow(journal::FileSystem& files, const std::filesystem::path& folder) {
    if (!reader_) {
        auto opened = journal::JournalReader::open(files, folder, records_.size() + 1);
        if (!opened) return records_.empty() ? std::nullopt : Finding{opened.error()};
        reader_ = std::move(*opened);
    }
    for (auto batch = reader_->next(); !batch.empty(); batch = reader_->next())
        for (const journal::Record& record : batch)
            if (Finding finding = take(record))
                return fmt::format("record {}: {}\n  {}", record.head.sequence, *finding,
                                   describe(record.command));
    if (reader_->stop() == journal::JournalReader::Stop::end) return std::nullopt;
    return "the journal cannot be read: " + reader_->trouble();
}

Finding Witness::return_to(journal::FileSystem& files, const std::filesystem::path& folder,
                           std::uint64_t kept) {
    const std::vector<journal::Record> before = std::move(records_);
    records_.clear();
    if (kept < before.size()) {
        trades_ = 0;
        state_ = std::make_unique<State>(config_);
        for (std::uint64_t i = 0; i < kept; ++i)
            if (Finding finding = take(before[i])) return finding;
    } else {
        records_ = before;
    }
    const auto contents = journal::look_into(files, folder);
    if (!contents) return contents.error();
    if (kept == 0 || contents->segments.empty()) return std::nullopt;
    const std::uint64_t first = contents->segments.front().header.first_sequence;
    auto reader = journal::JournalReader::open(files, folder, *contents, first);
    if (!reader) return reader.error();
    std::uint64_t compared = first - 1;
    for (auto batch = reader->next(); !batch.empty(); batch = reader->next())
        for (const journal::Record& record : batch) {
            if (compared >= kept) return std::nullopt;  // added by the start
            if (!std::ranges::equal(bytes_of(record), bytes_of(before[compared++])))
                return fmt::format("record {} differs from the one before the crash", compared);
        }
    if (compared >= kept) return std::nullopt;
    return fmt::format("the journal ends after {} of {} records", compared, kept);
}

Finding Witness::take(const journal::Record& record) {
    records_.push_back(record);
    if (record.head.sequence != records_.size())
        return fmt::format("it comes as number {}", records_.size());
    if (record.command.timestamp < state_->last) return "time goes back";
    state_->last = record.command.timestamp;
    if (record.head.kind >= journal::k_first_journal_kind) return std::nullopt;
    Conversation* const asker = find({record.head.session});
    if (asker != nullptr)
        if (Finding finding = check_request(record, *asker)) return finding;
    return journal::is_engine_kind(record.head.kind) ? take_command(record) : take_session(record);
}

// Every request in the journal was sent, and none is in it twice.
Finding Witness::check_request(const journal::Record& record, Conversation& asker) const {
    const Command& command = record.command;
    if (command.kind == CommandKind::mass_cancel || command.kind == CommandKind::session_closed)
        return std::nullopt;  // including the end of a connection
    Request* const request = asker.find_request(record.head.inbound_sequence);
    if (request == nullptr) return "nobody asked for it";
    if (std::exchange(request->journaled, true)) return "it was requested once";
    if (request->refusal) return "the session was to refuse it";
    const wire::binary::NewOrder& order = request->order;
    const wire::binary::ModifyOrder& target = request->target;
    constexpr std::int64_t k_units = wire::binary::k_price_units;
    bool same = false;
    switch (request->asked) {
        case Asked::hello:
            same = command.kind == CommandKind::session_opened;
            break;
        case Asked::new_order:
            same = command.kind == CommandKind::new_order &&
                   command.client_order_id == order.client_order_id;
            if (request->invalid)
                same = same && has_flag(command, CommandFlags::k_number_refused);
            else
                same = same && command.instrument == order.instrument &&
                       command.quantity.value == static_cast<std::int64_t>(order.quantity) &&
                       command.price.value == static_cast<std::int64_t>(order.price_e2) * k_units &&
                       command.side == (order.side == 0 ? Side::buy : Side::sell);
            break;
        case Asked::cancel:
            same = command.kind == CommandKind::cancel_order && command.order_id == target.order_id;
            break;
        case Asked::modify:
            same = command.order_id == target.order_id &&
                   (command.kind == CommandKind::replace_order ||
                    (command.kind == CommandKind::cancel_order && target.quantity == 0)) &&
                   command.quantity.value == static_cast<std::int64_t>(target.quantity);
            break;
        default:
            break;
    }
    return same ? std::nullopt : Finding{"it is not what was requested"};
}

Finding Witness::take_session(const journal::Record& record) {
    const SessionId session{record.head.session};
    Conversation* const conversation = find(session);
    if (conversation == nullptr) return std::nullopt;
    if (record.command.kind == CommandKind::session_opened) {
        conversation->participant = record.command.participant;
        logins_[record.command.participant].push_back(conversation);
        conversation->tell({.message = wire::binary::HelloAck{{session.value}, 1},
                            .record = record.head.sequence,
                            .request = record.head.inbound_sequence});
        return std::nullopt;
    }
    leave(*conversation);
    Request* const request = conversation->find_request(record.head.inbound_sequence);
    if (request != nullptr && request->asked == Asked::logout && !request->journaled) {
        request->journaled = true;
        conversation->tell({.message = wire::binary::LogoutAck{{session.value}, 1},
                            .record = record.head.sequence,
                            .request = record.head.inbound_sequence});
    } else {
        sessions_.erase(session);  // its connection is gone; after a logout it stays
    }
    return std::nullopt;
}

void Witness::leave(Conversation& conversation) {
    std::erase(logins_[conversation.participant], &conversation);
}

Finding Witness::take_command(const journal::Record& record) {
    const Command& command = record.command;
    State& state = *state_;
    state.model.apply(command, events_);
    state.recorder.events.clear();
    state.engine.apply(command);
    if (state.recorder.events != events_)
        return fmt::format("the engine says\n{}  and the reference\n{}",
                           describe(state.recorder.events), describe(events_));
    if (Finding finding = state.audit.follow(command, events_)) return finding;
    tell_answers(record);
    return std::nullopt;
}

}  // namespace damrak::simulation
