// An order desk on QuickFIX, to stand for the client that a firm would test against the exchange.
// It reads lines from standard input and prints what it receives:
//
//   buy 100 TEST 10.00     a limit order, good till cancelled
//   sell 100 TEST 10.05
//   cancel                 the last order
//   wait 2                 until two more messages have come, 10 seconds at most
//
//   build/release/examples/quickfix_client examples/quickfix/client.cfg
//
// C++14, as QuickFIX's headers are.
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <mutex>
#include <sstream>
#include <string>

#include <quickfix/Application.h>
#include <quickfix/FileStore.h>
#include <quickfix/Session.h>
#include <quickfix/SessionSettings.h>
#include <quickfix/SocketInitiator.h>
#include <quickfix/fix44/NewOrderSingle.h>
#include <quickfix/fix44/OrderCancelRequest.h>

namespace {

class Desk : public FIX::Application {
  public:
    void onCreate(const FIX::SessionID& session) override { session_ = session; }
    void onLogon(const FIX::SessionID&) override { tell("logged on"); }
    void onLogout(const FIX::SessionID&) override { tell("logged out"); }
    void toAdmin(FIX::Message&, const FIX::SessionID&) override {}
    void toApp(FIX::Message&, const FIX::SessionID&) noexcept override {}
    void fromAdmin(const FIX::Message& message, const FIX::SessionID&) noexcept override {
        const std::string type = message.getHeader().getField(FIX::FIELD::MsgType);
        if (type == "3") tell("reject" + fields(message, {45, 371, 373, 58}));
        if (type == "5" && message.isSetField(58)) tell("logout 58=" + message.getField(58));
    }
    void fromApp(const FIX::Message& message, const FIX::SessionID&) noexcept override {
        const std::string type = message.getHeader().getField(FIX::FIELD::MsgType);
        tell((type == "8" ? "report" : "message " + type) +
             fields(message, {150, 39, 11, 41, 54, 38, 44, 32, 31, 14, 151, 58}));
    }

    /// Returns whether the line was understood.
    bool obey(const std::string& line) {
        std::istringstream words(line);
        std::string verb, quantity, symbol, price;
        words >> verb >> quantity >> symbol >> price;
        if (verb == "wait") return wait(std::atoi(quantity.c_str()));
        if (verb == "cancel") return cancel();
        if ((verb != "buy" && verb != "sell") || price.empty()) return false;
        side_ = verb == "buy" ? FIX::Side_BUY : FIX::Side_SELL;
        symbol_ = symbol;
        name_ = next_name();
        FIX44::NewOrderSingle order(FIX::ClOrdID(name_), FIX::Side(side_),
                                    FIX::TransactTime(FIX::UtcTimeStamp{}),
                                    FIX::OrdType(FIX::OrdType_LIMIT));
        order.setField(FIX::HandlInst('1'));  // FIX.4.2 demands one
        order.setField(FIX::FIELD::Symbol, symbol_);
        order.setField(FIX::FIELD::OrderQty, quantity);
        order.setField(FIX::FIELD::Price, price);
        order.setField(FIX::TimeInForce(FIX::TimeInForce_GOOD_TILL_CANCEL));
        return FIX::Session::sendToTarget(order, session_);
    }
    bool wait(int messages) {
        std::unique_lock<std::mutex> lock(mutex_);
        seen_ += messages;
        return came_.wait_for(lock, std::chrono::seconds(10),
                              [this] { return reported_ >= seen_; });
    }

  private:
    static std::string fields(const FIX::Message& message, std::initializer_list<int> tags) {
        std::string text;
        for (const int tag : tags)
            if (message.isSetField(tag))
                text += " " + std::to_string(tag) + "=" + message.getField(tag);
        return text;
    }
    void tell(const std::string& what) {
        const std::lock_guard<std::mutex> lock(mutex_);
        std::printf("%s\n", what.c_str());
        std::fflush(stdout);
        ++reported_;
        came_.notify_all();
    }
    /// Never the same twice, even after a restart.
    static std::string next_name() {
        const auto now = std::chrono::system_clock::now().time_since_epoch();
        const auto us = std::chrono::duration_cast<std::chrono::microseconds>(now).count();
        return "Q" + std::to_string(us);
    }
    bool cancel() {
        const std::string name = next_name();
        FIX44::OrderCancelRequest request(FIX::OrigClOrdID(name_), FIX::ClOrdID(name),
                                          FIX::Side(side_), FIX::TransactTime(FIX::UtcTimeStamp{}));
        request.setField(FIX::FIELD::Symbol, symbol_);
        name_ = name;
        return FIX::Session::sendToTarget(request, session_);
    }

    FIX::SessionID session_;
    std::string name_, symbol_;
    char side_ = FIX::Side_BUY;
    std::mutex mutex_;
    std::condition_variable came_;
    int reported_ = 0;
    int seen_ = 0;
};

int run(const char* file) {
    const FIX::SessionSettings settings(file);
    Desk desk;
    FIX::FileStoreFactory store(settings);
    FIX::SocketInitiator initiator(desk, store, settings);
    initiator.start();
    int failed = desk.wait(1) ? 0 : 1;
    if (failed != 0) std::printf("no logon within 10 seconds\n");
    for (std::string line; failed == 0 && std::getline(std::cin, line);)
        if (!desk.obey(line)) {
            std::printf("not done: %s\n", line.c_str());
            failed = 1;
        }
    initiator.stop();
    return failed;
}

}  // namespace

int main(int argc, char** argv) {
    if (argc != 2) {
        std::fprintf(stderr, "usage: quickfix_client SETTINGS < orders\n");
        return 2;
    }
    try {
        return run(argv[1]);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s\n", error.what());
        return 1;
    }
}
