#include "market/store/order_store.h"

#include <doctest/doctest.h>

#include <array>
#include <nlohmann/json.hpp>
#include <thread>

#include "market/store/agent_store.h"
#include "market/store/event_store.h"
#include "market/store/idempotency_store.h"
#include "market/store/message_store.h"
#include "market/store/relay_store.h"
#include "market/store/works_store.h"
#include "tests/support/order_actions.h"
#include "tests/support/postgres.h"
#include "tests/support/temp_dir.h"

using namespace a2h;
using namespace a2h::market;
using nlohmann::json;

namespace {

constexpr UnixMs kNow = 1'760'000'000'000;

/// Runs the rest of the test case once for each database.
db::Dialect each_dialect() {
    db::Dialect dialect{};
    SUBCASE("SQLite") {
        dialect = db::Dialect::Sqlite;
    }
    SUBCASE("PostgreSQL") {
        dialect = db::Dialect::Postgresql;
    }
    return dialect;
}

/// A seller with a service post, a buyer with a demand post, and a stranger.
struct Trade {
    test::TempDir dir;
    std::string url;  ///< of a PostgreSQL; empty: SQLite
    std::unique_ptr<db::Database> database;

    explicit Trade(db::Dialect dialect) {
        if (dialect == db::Dialect::Postgresql) url = test::shared_postgres().create_database();
        database = open();
        for (const char* id : {"ag_seller", "ag_buyer", "ag_stranger"})
            add_agent(id);
        add_works("service", "ag_seller", 3);
        add_works("demand", "ag_buyer", 2);
    }

    /// The rows as another process has them.
    std::unique_ptr<db::Database> open() const {
        auto opened =
            url.empty() ? db::open_sqlite(dir.path() / "market.db") : db::open_postgresql(url);
        REQUIRE_MESSAGE(opened.has_value(), opened.error().message);
        return std::move(*opened);
    }
    void add_agent(const std::string& id) {
        Agent agent;
        agent.agent_id = id;
        agent.name = id;
        agent.public_key = "pk " + id;
        REQUIRE(database->write_as<Agent>(
            [&](db::Transaction& transaction) { return store::add_agent(transaction, agent); }));
    }
    void add_works(const std::string& id, const std::string& owner, int type) {
        Works works;
        works.works_id = id;
        works.agent_id = owner;
        works.type = type;
        works.title = id;
        REQUIRE(database->write(
            [&](db::Transaction& transaction) { return store::add_works(transaction, works); }));
    }
    Result<void> add(const Order& order) {
        return database->write(
            [&](db::Transaction& transaction) { return store::add_order(transaction, order); });
    }
    Result<Order> move(const std::string& id, const std::string& agent, OrderAction action,
                       UnixMs now_ms = kNow) {
        return database->write_as<Order>([&](db::Transaction& transaction) {
            return store::move_order(transaction, id, agent, action, now_ms);
        });
    }
    std::optional<Order> find(const std::string& id, const std::string& agent = "ag_seller") {
        return *database->read_as<std::optional<Order>>([&](db::Transaction& transaction) {
            return store::find_order(transaction, id, agent);
        });
    }
    OrderPage list(const OrderQuery& query) {
        return *database->read_as<OrderPage>(
            [&](db::Transaction& transaction) { return store::list_orders(transaction, query); });
    }
    /// All that waits, in the order in which it was queued.
    std::vector<Event> events() {
        static constexpr auto kEvent =
            sql::table<Event>("event", A2H_COLUMNS(Event, event_id, target_id, message_id, trace_id,
                                                   payload_json, created_at_ms));
        static const std::string kSql = kEvent.select("order by event_id");
        return *database->read_as<std::vector<Event>>(
            [](db::Transaction& transaction) { return transaction.statement(kSql).all(kEvent); });
    }
    /// Sets a state of the order that no action could reach.
    void set_state(const std::string& id, OrderState state) {
        REQUIRE(database->write_as<std::int64_t>([&](db::Transaction& transaction) {
            return transaction.execute("update trade_order set state = $1 where order_id = $2",
                                       {std::string(to_string(state)), id});
        }));
    }
};

Order order(const std::string& id = "WKS1", int type = 3, UnixMs created_at_ms = kNow) {
    return {.order_id = id,
            .provider_id = "ag_seller",
            .customer_id = "ag_buyer",
            .title = "修电脑",
            .content = "今天",
            .price = {28000, "CNY"},
            .product_id = type == 3 ? "service" : "demand",
            .order_type = type,
            .state = OrderState::PendingConfirm,
            .created_at_ms = created_at_ms,
            .updated_at_ms = created_at_ms};
}

struct Allowed {
    OrderState from;
    OrderAction action;
    OrderRole role;
    OrderState to;
};

constexpr std::array kMoves{
    Allowed{OrderState::PendingConfirm, OrderAction::Confirm, OrderRole::Customer,
            OrderState::Confirmed},
    Allowed{OrderState::PendingConfirm, OrderAction::Reject, OrderRole::Customer,
            OrderState::Rejected},
    Allowed{OrderState::PendingConfirm, OrderAction::Cancel, OrderRole::Provider,
            OrderState::Cancelled},
    Allowed{OrderState::Confirmed, OrderAction::ConfirmReceived, OrderRole::Provider,
            OrderState::Paid},
    Allowed{OrderState::Paid, OrderAction::ConfirmServiceCompleted, OrderRole::Customer,
            OrderState::Completed},
};

const Allowed* find_move(OrderAction action, OrderRole role) {
    for (const Allowed& move : kMoves) {
        if (move.action == action && move.role == role) return &move;
    }
    return nullptr;
}

const char* agent_of(OrderRole role) {
    return role == OrderRole::Provider ? "ag_seller" : "ag_buyer";
}

}  // namespace

TEST_CASE(
    "five combinations of action, state and role move an order, and five repeat a move (R13)") {
    Trade trade(each_dialect());
    REQUIRE(trade.add(order()));
    int moved = 0;
    int repeated = 0;
    for (const OrderState from : kOrderStates) {
        for (const OrderAction action : test::kOrderActions) {
            for (const OrderRole role : {OrderRole::Customer, OrderRole::Provider}) {
                CAPTURE(to_string(from));
                CAPTURE(to_string(action));
                CAPTURE(static_cast<int>(role));
                trade.set_state("WKS1", from);
                const auto events_before = trade.events().size();
                const auto result = trade.move("WKS1", agent_of(role), action);
                const Allowed* move = find_move(action, role);
                const auto told = trade.events().size() - events_before;
                if (move == nullptr) {
                    REQUIRE_FALSE(result);
                    CHECK(result.error().code == ErrorCode::PermissionDenied);
                } else if (from == move->from) {
                    ++moved;
                    REQUIRE(result);
                    CHECK(result->state == move->to);
                    CHECK(told == 2);
                    continue;
                } else if (from == move->to) {
                    ++repeated;
                    REQUIRE(result);
                    CHECK(result->state == from);
                } else {
                    REQUIRE_FALSE(result);
                    CHECK(result.error().code == ErrorCode::Conflict);
                }
                CHECK(told == 0);
                CHECK(trade.find("WKS1")->state == from);
            }
        }
    }
    CHECK(moved == 5);
    CHECK(repeated == 5);
}

TEST_CASE("each side is notified of a new order and of each move, with its own role") {
    Trade trade(each_dialect());
    REQUIRE(trade.add(order()));
    REQUIRE(trade.move("WKS1", "ag_buyer", OrderAction::Confirm, kNow + 1));
    const auto events = trade.events();
    REQUIRE(events.size() == 4);
    CHECK(events[0].target_id == "ag_seller");
    CHECK(events[1].target_id == "ag_buyer");
    const json to_buyer = json::parse(events[3].payload_json);
    CHECK(to_buyer["type"] == "order.event");
    CHECK(to_buyer["orderId"] == "WKS1");
    CHECK(to_buyer["order"]["action"] == "confirm");
    CHECK(to_buyer["order"]["status"] == "CONFIRMED");
    CHECK(to_buyer["order"]["currentType"] == 1);
    CHECK(to_buyer["order"]["peerId"] == "ag_seller");
    CHECK(events[2].message_id != events[3].message_id);
    // A text of one side is not sent under the market's signature.
    CHECK(events[3].payload_json.find("修电脑") == std::string::npos);
}

TEST_CASE("an order that is refused leaves nothing") {
    Trade trade(each_dialect());
    const auto refused = [&](const Order& each) {
        const auto result = trade.add(each);
        REQUIRE_FALSE(result);
        CHECK_FALSE(trade.find(each.order_id));
        CHECK(trade.events().empty());
        return result.error().code;
    };
    auto to_nobody = order();
    to_nobody.customer_id = "ag_nobody";
    CHECK(refused(to_nobody) == ErrorCode::NotFound);
    auto to_oneself = order();
    to_oneself.customer_id = "ag_seller";
    CHECK(refused(to_oneself) == ErrorCode::InvalidArgument);
    auto without_product = order();
    without_product.product_id = "none";
    CHECK(refused(without_product) == ErrorCode::NotFound);
}

TEST_CASE("the product fits the type of the order and belongs to the right side") {
    Trade trade(each_dialect());
    trade.add_works("service of the buyer", "ag_buyer", 3);
    trade.add_works("demand of the seller", "ag_seller", 2);
    trade.add_works("discussion", "ag_seller", 4);
    CHECK(trade.add(order("WKS1", 3)));
    CHECK(trade.add(order("WKS2", 2)));
    for (const char* product : {"demand", "service of the buyer", "discussion"}) {
        auto wrong = order("WKS3", 3);
        wrong.product_id = product;
        CHECK(trade.add(wrong).error().code == ErrorCode::InvalidArgument);
    }
    for (const char* product : {"service", "demand of the seller", "discussion"}) {
        auto wrong = order("WKS3", 2);
        wrong.product_id = product;
        CHECK(trade.add(wrong).error().code == ErrorCode::InvalidArgument);
    }
}

TEST_CASE("an order does not exist for a third agent") {
    Trade trade(each_dialect());
    REQUIRE(trade.add(order()));
    CHECK_FALSE(trade.find("WKS1", "ag_stranger"));
    const auto moved = trade.move("WKS1", "ag_stranger", OrderAction::Confirm);
    const auto none = trade.move("WKS2", "ag_stranger", OrderAction::Confirm);
    REQUIRE_FALSE(moved);
    CHECK(moved.error().code == ErrorCode::NotFound);
    CHECK(moved.error().message == none.error().message);
}

TEST_CASE("lists show one role, newest first, in pages that do not overlap") {
    Trade trade(each_dialect());
    for (int i = 0; i < 5; ++i)
        REQUIRE(trade.add(order("WKS" + std::to_string(i), 3, kNow + i / 2)));
    REQUIRE(trade.move("WKS1", "ag_buyer", OrderAction::Reject));
    const auto ids = [&](OrderQuery query) {
        std::vector<std::string> found;
        for (const Order& each : trade.list(query).orders)
            found.push_back(each.order_id);
        return found;
    };
    using Ids = std::vector<std::string>;
    OrderQuery sales{.agent_id = "ag_seller", .role = OrderRole::Provider, .state = {}};
    CHECK(ids(sales) == Ids{"WKS4", "WKS2", "WKS3", "WKS0", "WKS1"});
    sales.limit = 2;
    sales.offset = 2;
    CHECK(ids(sales) == Ids{"WKS3", "WKS0"});
    CHECK(trade.list(sales).total == 5);
    CHECK(ids({.agent_id = "ag_seller", .role = OrderRole::Customer, .state = {}}).empty());
    CHECK(
        ids({.agent_id = "ag_buyer", .role = OrderRole::Customer, .state = OrderState::Rejected}) ==
        Ids{"WKS1"});
}

TEST_CASE("two processes that race for an order: one wins, the other is refused") {
    Trade trade(each_dialect());
    const auto other = trade.open();
    for (int i = 0; i < 40; ++i) {
        const std::string id = "WKS" + std::to_string(i);
        REQUIRE(trade.add(order(id)));
        std::optional<Result<Order>> confirmed;
        std::optional<Result<Order>> cancelled;
        {
            const std::jthread buyer(
                [&] { confirmed = trade.move(id, "ag_buyer", OrderAction::Confirm); });
            const std::jthread seller([&] {
                cancelled = other->write_as<Order>([&](db::Transaction& transaction) {
                    return store::move_order(transaction, id, "ag_seller", OrderAction::Cancel,
                                             kNow);
                });
            });
        }
        REQUIRE(confirmed->has_value() != cancelled->has_value());
        const auto& loser = confirmed->has_value() ? *cancelled : *confirmed;
        CHECK(loser.error().code == ErrorCode::Conflict);
        CHECK(trade.find(id)->state ==
              (confirmed->has_value() ? OrderState::Confirmed : OrderState::Cancelled));
    }
    CHECK(trade.events().size() == 40 * 4);
}

TEST_CASE("a stored answer is found for a day and then makes room") {
    Trade trade(each_dialect());
    const auto keep = [&](const std::string& answer, UnixMs now_ms) {
        return trade.database->write([&](db::Transaction& transaction) {
            return store::keep_answer(transaction, "ag_buyer", "k", {"hash", answer}, now_ms);
        });
    };
    const auto find = [&](UnixMs now_ms, const std::string& agent = "ag_buyer") {
        return *trade.database->read_as<std::optional<KeptAnswer>>(
            [&](db::Transaction& transaction) {
                return store::find_answer(transaction, agent, "k", now_ms);
            });
    };
    constexpr UnixMs kDay = 24 * 3600 * 1000;
    REQUIRE(keep("1", kNow));
    CHECK(find(kNow + kDay)->answer_json == "1");
    CHECK_FALSE(find(kNow + kDay, "ag_seller"));
    CHECK_FALSE(find(kNow + kDay + 1));
    CHECK(keep("2", kNow + kDay).error().code == ErrorCode::Conflict);
    CHECK(keep("2", kNow + kDay + 1));
    CHECK(find(kNow + kDay + 1)->answer_json == "2");
    CHECK(*trade.database->write_as<std::int64_t>([&](db::Transaction& transaction) {
        return store::forget_old_answers(transaction, kNow + 2 * kDay + 2);
    }) == 1);
}

TEST_CASE("an event to nobody or of any size is refused") {
    Trade trade(each_dialect());
    const auto announce = [&](const std::string& target, const std::string& payload) {
        return trade.database->write([&](db::Transaction& transaction) {
            return store::announce(transaction, target, payload, kNow);
        });
    };
    CHECK(announce("ag_buyer", "{}"));
    CHECK(announce("ag_nobody", "{}").error().code == ErrorCode::Conflict);
    CHECK(announce("ag_buyer", std::string(kEventPayloadBytesMax + 1, ' ')).error().code ==
          ErrorCode::InvalidArgument);
    CHECK(trade.events().size() == 1);
}

TEST_CASE("many events for one agent delay no other, and the market tells each what waits") {
    Trade trade(each_dialect());
    for (const char* target : {"ag_buyer", "ag_buyer", "ag_buyer", "ag_seller"}) {
        REQUIRE(trade.database->write([&](db::Transaction& transaction) {
            return store::announce(transaction, target, "{}", kNow);
        }));
    }
    const auto all = trade.events();
    REQUIRE(all.size() == 4);
    const auto heads = *trade.database->read_as<std::vector<Event>>(
        [](db::Transaction& transaction) { return store::oldest_events(transaction, 2); });
    REQUIRE(heads.size() == 2);
    CHECK(heads[0].event_id == all[0].event_id);
    CHECK(heads[1].event_id == all[3].event_id);
    const auto waiting = [&](const char* target) {
        return *trade.database->read_as<store::WaitingEvents>([&](db::Transaction& transaction) {
            return store::waiting_events(transaction, target);
        });
    };
    CHECK(waiting("ag_buyer").oldest == all[0].event_id);
    CHECK(waiting("ag_buyer").newest == all[2].event_id);
    CHECK(waiting("ag_seller").oldest == all[3].event_id);
    CHECK(waiting("ag_stranger").newest == 0);
}

TEST_CASE("the first message of a sender with an id is kept (R1)") {
    Trade trade(each_dialect());
    const auto record = [&](const std::string& sender, const std::string& target,
                            const std::string& envelope) {
        REQUIRE(trade.database->write([&](db::Transaction& transaction) {
            return store::record_message(transaction,
                                         {sender, target, "msg_1", "trace_1", envelope, kNow});
        }));
    };
    record("ag_buyer", "ag_seller", "first");
    record("ag_buyer", "ag_seller", "second");
    record("ag_seller", "ag_buyer", "answer");
    record("ag_seller", "ag_nobody", "lost");
    const auto page = *trade.database->read_as<MessagePage>([](db::Transaction& transaction) {
        return store::list_messages(transaction, "ag_buyer_ag_seller", 0, 0, 10);
    });
    CHECK(page.total == 2);
    REQUIRE(page.messages.size() == 2);
    CHECK(page.messages[0].envelope_json == "answer");
    CHECK(page.messages[1].envelope_json == "first");
}

TEST_CASE("messages to an agent are listed after a position, oldest first") {
    Trade trade(each_dialect());
    const auto record = [&](const std::string& sender, const std::string& target,
                            const std::string& id, const std::string& envelope = "{}",
                            UnixMs at_ms = kNow) {
        REQUIRE(trade.database->write([&](db::Transaction& transaction) {
            return store::record_message(transaction,
                                         {sender, target, id, "trace_1", envelope, at_ms});
        }));
    };
    const auto list = [&](std::int64_t after, std::int64_t limit, UnixMs since_ms = 0) {
        return *trade.database->read_as<IncomingPage>([&](db::Transaction& transaction) {
            return store::list_incoming(transaction, "ag_seller", after, since_ms, limit);
        });
    };
    const auto ids = [](const IncomingPage& page) {
        std::vector<std::string> found;
        for (const RecordedMessage& message : page.messages)
            found.push_back(message.message_id);
        return found;
    };
    using Ids = std::vector<std::string>;
    CHECK(list(0, 10).messages.empty());
    CHECK(list(0, 10).after == 0);
    record("ag_buyer", "ag_seller", "1");
    record("ag_seller", "ag_buyer", "answer");
    record("ag_stranger", "ag_seller", "2", "{}", kNow - 1);
    record("ag_buyer", "ag_stranger", "other");
    record("ag_buyer", "ag_seller", "3");
    const IncomingPage first = list(0, 2);
    CHECK(ids(first) == Ids{"1", "2"});
    CHECK(first.more);
    const IncomingPage second = list(first.after, 2);
    CHECK(ids(second) == Ids{"3"});
    CHECK_FALSE(second.more);
    CHECK(list(second.after, 2).messages.empty());
    CHECK(list(second.after, 2).after == second.after);
    CHECK(ids(list(0, 10, kNow)) == Ids{"1", "3"});
    // A position from another database counts as the beginning.
    CHECK(ids(list(1'000, 10)) == Ids{"1", "2", "3"});

    const std::string large(store::kIncomingBytesMax / 2, 'x');
    for (const char* id : {"4", "5", "6", "7"})
        record("ag_stranger", "ag_seller", id, large);
    const IncomingPage cut = list(second.after, 10);
    CHECK(ids(cut) == Ids{"4", "5", "6"});
    CHECK(cut.more);
    CHECK(ids(list(cut.after, 10)) == Ids{"7"});
}

TEST_CASE("messages are deleted by their age, the oldest first and never more than asked for") {
    Trade trade(each_dialect());
    for (int i = 0; i < 10; ++i) {
        REQUIRE(trade.database->write([&](db::Transaction& transaction) {
            return store::record_message(transaction, {"ag_buyer", "ag_seller", std::to_string(i),
                                                       "trace_1", "{}", kNow + 9 - i});
        }));
    }
    const auto total = [&](UnixMs since_ms) {
        return trade.database
            ->read_as<MessagePage>([&](db::Transaction& transaction) {
                return store::list_messages(transaction, "ag_buyer_ag_seller", since_ms, 0, 10);
            })
            ->total;
    };
    const auto remove = [&](UnixMs before_ms, std::int64_t limit) {
        return *trade.database->write_as<std::int64_t>([&](db::Transaction& transaction) {
            return store::delete_messages(transaction, before_ms, limit);
        });
    };
    CHECK(total(kNow + 4) == 6);
    CHECK(remove(kNow + 4, 3) == 3);
    CHECK(total(0) == 7);
    CHECK(total(kNow + 3) == 7);
    CHECK(remove(kNow + 4, 3) == 1);
    CHECK(remove(kNow + 4, 3) == 0);
    CHECK(total(0) == 6);
}

TEST_CASE("one process holds the relay until it releases it or its lease ends") {
    Trade trade(each_dialect());
    const auto take = [&](const std::string& holder, UnixMs now_ms) {
        return *trade.database->write_as<bool>([&](db::Transaction& transaction) {
            return store::take_relay_lease(transaction, holder, now_ms);
        });
    };
    const UnixMs over = kNow + std::chrono::milliseconds(store::kRelayLease).count();
    CHECK(take("a", kNow));
    CHECK_FALSE(take("b", over - 1));
    CHECK(take("b", over));
    CHECK_FALSE(take("a", over));
    REQUIRE(trade.database->write(
        [](db::Transaction& transaction) { return store::release_relay_lease(transaction, "b"); }));
    CHECK(take("a", over));
    // A clock that was set back makes no lease longer than it was.
    const UnixMs back = over - 5 * 3'600'000;
    CHECK_FALSE(take("b", back));
    CHECK(take("b", back + (over - kNow)));
}
