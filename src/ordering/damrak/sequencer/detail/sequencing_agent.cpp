#include <damrak/sequencer/detail/sequencing_agent.hpp>

#include <algorithm>
#include <limits>
#include <ranges>

#include <damrak/base/assert.hpp>

namespace damrak::sequencer {

void SequencingAgent::begin(journal::JournalWriter& writer, const journal::Progress& progress) {
    writer_ = &writer;
    progress_ = progress;
    next_checkpoint_ = progress_.commands() + k_checkpoint_interval;
    no_expiry_before_ = partition_->next_expiry();
}

std::size_t SequencingAgent::do_work(std::int64_t now_ns) {
    const Timestamp system{now_ns};
    const Timestamp now = clock_ == nullptr ? system : clock_->at(system);
    std::size_t done = 0;
    while (done < k_commands_a_step && !stopped()) {
        const bool check = !current_ && !more_follows_ && progress_.commands() >= next_checkpoint_;
        if (check ? !keep_checkpoint() : !place_next(now)) break;
        ++done;
    }
    if (done > 0) announce();
    return done;
}

std::int64_t SequencingAgent::next_step_ns(std::int64_t now_ns) const {
    constexpr std::int64_t k_never = std::numeric_limits<std::int64_t>::max();
    if (stopped()) return k_never;
    if (current_ || more_follows_ || progress_.commands() >= next_checkpoint_) return now_ns;
    // A clock of its own may be faster than the system's.
    if (clock_ != nullptr && no_expiry_before_.value != k_never) return now_ns;
    return no_expiry_before_.value;
}

void SequencingAgent::call_shards(std::span<Runner* const> runners) {
    shards_.clear();
    for (std::size_t i = 0; i < runners.size(); ++i)
        shards_.push_back({.runner = runners[i],
                           .commands = rings_->commands[i].get(),
                           .announced = rings_->commands[i]->published()});
}

// Once for all commands of a step.
void SequencingAgent::announce() {
    for (Shard& shard : shards_) {
        const std::uint64_t published = shard.commands->published();
        if (published == shard.announced) continue;
        shard.announced = published;
        shard.runner->call();
    }
}

bool SequencingAgent::place_next(Timestamp now) {
    if (!more_follows_) return (current_ || take_next(now)) && place();
    if (!has_room_for_slice()) return false;
    end_slice(partition_->resume_alone());
    return true;
}

bool SequencingAgent::take_next(Timestamp now) {
    if (no_expiry_before_ <= now) [[unlikely]] {
        current_ = journal::Record{};
        current_->command.kind = CommandKind::tick;
        current_->command.timestamp = now;
        return true;
    }
    return take_from(rings_->inbound);
}

bool SequencingAgent::take_from(RecordRing& ring) {
    const auto waiting = ring.front();
    if (waiting.empty()) return false;
    const bool is_attachment =
        waiting.front().command.kind == static_cast<CommandKind>(journal::k_attachment_kind);
    (is_attachment ? attachment_ : current_) = waiting.front();
    ring.release(1);
    // Its command follows it, or will do so at once.
    return !is_attachment || take_from(ring);
}

// False if it cannot be done now.
bool SequencingAgent::place() {
    const Command& command = current_->command;
    const std::size_t shard = partition_->shard_of(command.instrument);
    Notice* const notice = rings_->notices.claim();
    if (notice == nullptr || rings_->commands[shard]->claim() == nullptr) return false;
    if (attachment_ && !keep_attachment()) [[unlikely]]
        return false;
    journal::Record* const record = claim();
    if (record == nullptr) return false;
    if (command.kind >= CommandKind::session_opened) [[unlikely]]
        return place_session(*notice, *record);
    if (partition_->is_independent(command)) [[likely]]
        return send(shard, *notice, *record);
    if (!is_idle()) return false;
    if (is_own_tick() && !is_due()) {
        current_.reset();
        return true;
    }
    return partition_->is_independent_after_look(command) ? send(shard, *notice, *record)
                                                          : apply_alone(*notice, *record);
}

bool SequencingAgent::keep_checkpoint() {
    journal::Record* const record = is_idle() ? claim() : nullptr;
    if (record == nullptr) return false;
    *record = journal::checkpoint(progress_.last_timestamp(), partition_->state_hash());
    writer_->publish();
    next_checkpoint_ = progress_.commands() + k_checkpoint_interval;
    return true;
}

// The attachment's command is placed next, whatever it has to wait for.
bool SequencingAgent::keep_attachment() {
    const journal::RecordHead& head = attachment_->head;
    if (head.session != current_->head.session ||
        head.inbound_sequence != current_->head.inbound_sequence)
        return true;
    journal::Record* const record = claim();
    if (record == nullptr) return false;
    *record = *attachment_;
    record->command.timestamp = std::max(current_->command.timestamp, progress_.last_timestamp());
    writer_->publish();
    attachment_.reset();
    return true;
}

bool SequencingAgent::place_session(Notice& notice, journal::Record& record) {
    stamp(record, notice, Notice::k_no_source);
    progress_.note_session(record.command, notice.origin.session);
    rings_->notices.publish();
    current_.reset();
    return true;
}

bool SequencingAgent::send(std::size_t shard, Notice& notice, journal::Record& record) {
    stamp(record, notice, static_cast<std::uint32_t>(shard));
    const Command& command = record.command;
    progress_.note_applied(command);
    if (command.time_in_force == TimeInForce::gtd && command.kind == CommandKind::new_order)
        no_expiry_before_ = std::min(no_expiry_before_, command.order.expire_time);
    journal::Record* const slot = rings_->commands[shard]->claim();
    slot->head = current_->head;
    slot->command = command;
    rings_->commands[shard]->publish();
    rings_->notices.publish();
    current_.reset();
    return true;
}

bool SequencingAgent::apply_alone(Notice& notice, journal::Record& record) {
    if (!has_room_for_slice()) return false;
    stamp(record, notice, static_cast<std::uint32_t>(rings_->events.size() - 1));
    progress_.note_applied(record.command);
    rings_->notices.publish();
    current_.reset();
    end_slice(partition_->apply_alone(record.command));
    return true;
}

bool SequencingAgent::has_room_for_slice() {
    return own_events().has_room(partition_->config().maximum_events + std::size_t{1});
}

void SequencingAgent::end_slice(const Slice& slice) {
    publish(slice, own_events());
    more_follows_ = slice.more;
    if (!more_follows_) no_expiry_before_ = partition_->next_expiry();
}

// The next segment is prepared ahead of time; if it is not ready, trading waits for it.
journal::Record* SequencingAgent::claim() {
    journal::Record* const record = writer_->claim();
    if (record == nullptr && writer_->standing() == journal::Standing::refused)
        stopped_.store(true, std::memory_order_release);
    return record;
}

// Appends the current command to the journal, and puts its stamp into the notice.
void SequencingAgent::stamp(journal::Record& record, Notice& notice, std::uint32_t source) {
    const journal::RecordHead& head = current_->head;
    record.head.session = head.session;
    record.head.inbound_sequence = head.inbound_sequence;
    record.head.tag = head.tag;
    record.head.delay_ns = head.delay_ns;
    record.command = current_->command;
    record.command.timestamp = std::max(record.command.timestamp, progress_.last_timestamp());
    notice.stamp = {SequenceNumber{writer_->publish()}, record.command.timestamp};
    notice.origin = {
        .session = {head.session}, .inbound_sequence = head.inbound_sequence, .tag = {head.tag}};
    notice.source = source;
    notice.asked_for = (head.flags & k_asked_for) != 0;
}

bool SequencingAgent::is_own_tick() const {
    return current_->command.kind == CommandKind::tick && (current_->head.flags & k_asked_for) == 0;
}

// Whether an order expires by the time of the tick.
bool SequencingAgent::is_due() {
    no_expiry_before_ = partition_->next_expiry();
    return no_expiry_before_ <= current_->command.timestamp;
}

// All submitted work is done, and its results are visible to this thread.
bool SequencingAgent::is_idle() const {
    return std::ranges::all_of(
        rings_->commands, [](const auto& ring) { return ring->released() == ring->published(); });
}

}  // namespace damrak::sequencer
