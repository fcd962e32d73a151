// The receivers of the indirect outputs, in a file of their own so that the compiler cannot inline
// them.
#include <damrak/lab/books/outputs.hpp>

#include <memory>

namespace damrak::lab {

namespace {

class TapeListener : public VirtualListener::Listener {
  public:
    explicit TapeListener(Tape& tape) : tape_(&tape) {}
    void on_trade(const Trade& trade) override { tape_->write(trade); }

  private:
    Tape* tape_;
};

}  // namespace

VirtualListener::VirtualListener(Tape& tape) : listener_(std::make_unique<TapeListener>(tape)) {}

Callback::Callback(Tape& tape) : on_trade_([&tape](const Trade& trade) { tape.write(trade); }) {}

}  // namespace damrak::lab
