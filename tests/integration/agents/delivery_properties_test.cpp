// The properties of agents that concern delivery, between two real a2hd at one market: every
// message, to a known or unknown agent, is delivered once, in order, unchanged and in its sender's
// name, and its sender becomes the reader's contact. One of the homes is killed on the way.
#include <doctest/doctest.h>

#include <map>
#include <random>
#include <set>

#include "tests/integration/agents/scene.h"

using namespace a2h;
using namespace a2h::test;
using nlohmann::json;

namespace {

constexpr std::uint32_t kSeed = 20'251'122;
constexpr int kMessages = 1'000;
constexpr int kMadeInEach = 4;

struct Town : TwoHomes {
    std::mt19937 random{kSeed};
    std::vector<std::string> at_here{here_id()};
    std::vector<std::string> at_there{there_id()};
    /// The messages of each pair, in order.
    std::map<std::pair<std::string, std::string>, std::vector<std::string>> said;

    Town() {
        for (int i = 0; i < kMadeInEach; ++i) {
            at_here.push_back(made(here, here_id()));
            at_there.push_back(made(there, there_id()));
        }
    }

    std::string made(Daemon& daemon, const std::string& maker) {
        const json answer =
            call_as(daemon, maker, "agent.spawn",
                    {{"role_id", "writer"}, {"task_brief", brief("write")}, {"register", true}});
        REQUIRE_MESSAGE(answer["ok"] == true, answer.dump());
        REQUIRE_MESSAGE(answer["data"]["registered"] == true, answer.dump());
        return answer["data"]["agent_id"];
    }
    template <typename T>
    const T& one_of(const std::vector<T>& all) {
        return all[std::uniform_int_distribution<std::size_t>(0, all.size() - 1)(random)];
    }
    /// Texts that commit to nothing, with characters between them that break careless code.
    std::string words() {
        static const std::vector<std::string> kParts = {
            "lamp",   "river",  "天空",  "云",  "\"",   "\\",   "{",  "}", "\n",
            "\t",     "🙂",   "é",     "<b>", "'",    "tree", "[",  "]", "null",
            "\u00e9", "window", "from:", "窗",  "blue", ":",    "the"};
        std::string text = "About";
        const int count = std::uniform_int_distribution<int>(1, 12)(random);
        for (int i = 0; i < count; ++i)
            text += " " + one_of(kParts);
        return text;
    }
    void write(Daemon& daemon, const std::string& from, const std::string& to) {
        // An id of its own, as a new request has it.
        std::string number = std::to_string(said[{from, to}].size());
        number.insert(0, 12 - number.size(), '0');
        const std::string text = words();
        const json answer = call_as(daemon, from, "send",
                                    {{"target_agent_id", to},
                                     {"message_type", "collaboration_request"},
                                     {"extra_payload",
                                      {{"request_id", "00000000-0000-4000-8000-" + number},
                                       {"request", text},
                                       {"from", "somebody else"}}}});
        if (answer["ok"] != true) approve_when_taken(daemon, from, answer);
        said[{from, to}].push_back(text);
    }
    /// While a request of the other side is open, the human is asked (R46).
    static void approve_when_taken(Daemon& daemon, const std::string& from, const json& answer) {
        REQUIRE_MESSAGE(answer["error"].contains("approval_id"), answer.dump());
        std::string id = answer["error"]["approval_id"];
        // A new message of the other side renews the question (R45).
        REQUIRE(eventually([&] {
            if (approve(daemon, id, from)["ok"] == true) return true;
            const json now = data_as(daemon, from, "approval.list", {{"approval_id", id}});
            id = now["approvals"][0].value("next_approval_id", id);
            return false;
        }));
    }
    /// The messages of `writer` that `reader` has, oldest first.
    std::vector<std::string> heard(Daemon& daemon, const std::string& reader,
                                   const std::string& writer) {
        std::vector<std::string> texts;
        for (int page = 1;; ++page) {
            const json data = data_as(daemon, reader, "inbox.history",
                                      {{"peer_id", writer}, {"page", page}, {"limit", 100}});
            for (const json& item : data["items"]) {
                if (item["direction"] == "in" && item["type"] == "collaboration_request") {
                    texts.insert(texts.begin(), item["payload"]["request"]);
                }
            }
            if (data["more"] != true) return texts;
        }
    }
};

}  // namespace

TEST_CASE("messages to an agent of another home arrive once, in order, with their sender") {
    Town town;
    REQUIRE(eventually([&] {
        for (const std::string& id : town.at_here)
            if (town.here.status(id)["connection"]["connected"] != true) return false;
        for (const std::string& id : town.at_there)
            if (town.there.status(id)["connection"]["connected"] != true) return false;
        return true;
    }));
    for (int i = 0; i < kMessages; ++i) {
        const bool outward = std::bernoulli_distribution(0.5)(town.random);
        const std::string& near = town.one_of(town.at_here);
        const std::string& far = town.one_of(town.at_there);
        if (outward) {
            town.write(town.here, near, far);
        } else {
            town.write(town.there, far, near);
        }
        if (i == kMessages / 2) {
            town.there.kill();
            town.there.start();
        }
    }
    for (const auto& [pair, texts] : town.said) {
        const auto& [writer, reader] = pair;
        const bool read_there = std::count(town.at_there.begin(), town.at_there.end(), reader) == 1;
        Daemon& daemon = read_there ? town.there : town.here;
        CHECK(eventually([&, &reader = reader, &writer = writer, &texts = texts] {
            return town.heard(daemon, reader, writer).size() >= texts.size();
        }));
        CHECK(town.heard(daemon, reader, writer) == texts);
        CHECK(data_as(daemon, reader, "contact.get", {{"peer_id", writer}})["contact"]["source"] ==
              "first_message");
    }
}
