#include "quickfix_row.hpp"

#include <cstdio>

#include <quickfix/Application.h>
#include <quickfix/DataDictionaryProvider.h>
#include <quickfix/FileStore.h>
#include <quickfix/FixFields.h>
#include <quickfix/Message.h>
#include <quickfix/Responder.h>
#include <quickfix/Session.h>
#include <quickfix/TimeRange.h>

namespace damrak_quickfix {

namespace {

class SendOnly : public FIX::Responder {
  public:
    SendOnly(Row::Send to, void* receiver) : send_(to), receiver_(receiver) {}
    bool send(const std::string& bytes) override {
        send_(receiver_, bytes.data(), bytes.size());
        return true;
    }
    void disconnect() override {}

  private:
    Row::Send send_;
    void* receiver_;
};

// The other side's answer to the logon.
std::string logon() {
    FIX::Message message;
    message.getHeader().setField(FIX::BeginString("FIXT.1.1"));
    message.getHeader().setField(FIX::MsgType("A"));
    message.getHeader().setField(FIX::MsgSeqNum(1));
    message.getHeader().setField(FIX::SenderCompID("EXECUTOR"));
    message.getHeader().setField(FIX::TargetCompID("CLIENT1"));
    message.getHeader().setField(FIX::SendingTime(FIX::UtcTimeStamp(), 3));
    message.setField(FIX::EncryptMethod(0));
    message.setField(FIX::HeartBtInt(30));
    message.setField(FIX::DefaultApplVerID("9"));
    std::string text;
    message.toString(text);
    return text;
}

FIX::Group party(const char* id, int role) {
    FIX::Group group(453, 448);
    group.setField(FIX::PartyID(id));
    group.setField(FIX::PartyIDSource('D'));
    group.setField(FIX::PartyRole(role));
    return group;
}

}  // namespace

struct Row::State {
    State(const std::string& folder, Send to, void* receiver)
        : responder(to, receiver),
          stores(folder),
          session(application, stores, FIX::SessionID("FIXT.1.1", "CLIENT1", "EXECUTOR"),
                  FIX::DataDictionaryProvider(),
                  FIX::TimeRange(FIX::UtcTimeOnly(0, 0, 0), FIX::UtcTimeOnly(0, 0, 0)), 30,
                  nullptr) {
        session.setSenderDefaultApplVerID("9");
        session.setTimestampPrecision(9);
        session.setResponder(&responder);
        session.next();
        session.next(logon(), FIX::UtcTimeStamp());

        order.getHeader().setField(FIX::MsgType("D"));
        order.getHeader().setField(FIX::SenderSubID("SNDR_SUB"));
        order.getHeader().setField(FIX::TargetSubID("SRVR_SUB"));
        order.setField(FIX::Symbol("NOKIA.HE"));
        order.setField(FIX::Side('1'));
        order.setField(FIX::OrdType('2'));
        order.setField(FIX::TimeInForce('0'));
        order.addGroup(party("PARTY1", 1));
        order.addGroup(party("PARTY2", 3));
    }

    FIX::NullApplication application;
    SendOnly responder;
    FIX::FileStoreFactory stores;
    FIX::Session session;
    FIX::Message order;  ///< only changing fields are set again
};

Row::Row(const std::string& folder, Send to, void* receiver)
    : state_(new State(folder, to, receiver)) {}
Row::~Row() = default;

bool Row::logged_on() const { return state_->session.isLoggedOn(); }

void Row::send(const Order& order) {
    FIX::Message& message = state_->order;
    message.setField(FIX::ClOrdID(std::to_string(order.sequence)));
    message.setField(FIX::OrderQty(order.quantity));
    message.setField(FIX::Price(order.price));
    message.setField(FIX::TransactTime(FIX::UtcTimeStamp(order.seconds, order.nanoseconds, 9), 9));
    state_->session.send(message);
}

}  // namespace damrak_quickfix
