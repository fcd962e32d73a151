// The journal of a market in virtual time: a real one, or none. A run that is not kept needs none,
// since its setup and its seed give the same run again; the sequencer is the same either way.
// One thread; a branch more a command than the journal itself.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>

#include <damrak/journal/record.hpp>
#include <damrak/journal/writer.hpp>

namespace damrak::market_kernel {

class OptionalJournal {
  public:
    /// Keeps nothing.
    OptionalJournal() = default;
    /// `work` does what the journal's helper threads do elsewhere, when the next segment is not
    /// ready. The writer must outlive this.
    OptionalJournal(journal::JournalWriter& writer, std::function<void()> work)
        : writer_(&writer), work_(std::move(work)) {}

    [[nodiscard]] journal::Record* claim() {
        if (writer_ == nullptr) return &record_;
        journal::Record* place = writer_->claim();
        if (place == nullptr && writer_->standing() == journal::Standing::stalled) [[unlikely]] {
            work_();
            place = writer_->claim();
        }
        return place;
    }
    std::uint64_t publish() { return writer_ == nullptr ? ++appended_ : writer_->publish(); }
    [[nodiscard]] journal::Standing standing() const {
        return writer_ == nullptr ? journal::Standing::ready : writer_->standing();
    }
    [[nodiscard]] journal::DurableState durable_state() const { return journal::DurableState::all; }
    [[nodiscard]] std::uint64_t appended_position() const {
        return writer_ == nullptr ? appended_ : writer_->appended_position();
    }
    /// Why nothing can be appended.
    [[nodiscard]] std::string refusal() const {
        return writer_ == nullptr ? "" : writer_->refusal();
    }

  private:
    journal::JournalWriter* writer_ = nullptr;
    std::function<void()> work_;
    journal::Record record_{};
    std::uint64_t appended_ = 0;
};

}  // namespace damrak::market_kernel
