#include <doctest/doctest.h>

#include "market/search/tokens.h"

using namespace a2h::market::search;
using Tokens = std::vector<std::string>;

TEST_CASE("letters and digits are words, folded") {
    CHECK(document_tokens("Logo-Design, 3D ＰＰＴ!") == Tokens{"logo", "design", "3d", "ppt"});
    CHECK(document_tokens("Straße") == Tokens{"strasse"});
    CHECK(document_tokens(" …—!? ").empty());
}

TEST_CASE("Chinese is overlapping pairs and the last character") {
    CHECK(document_tokens("手工红茶") == Tokens{"手工", "工红", "红茶", "茶"});
    CHECK(document_tokens("茶") == Tokens{"茶"});
    CHECK(document_tokens("红茶。绿茶") == Tokens{"红茶", "茶", "绿茶", "茶"});
    CHECK(document_tokens("做PPT的") == Tokens{"做", "ppt", "的"});
}

TEST_CASE("symbols are left out, and text that is not UTF-8 ends the tokens") {
    CHECK(document_tokens(std::string(200, 'x')).empty());
    CHECK(document_tokens("ok \xff more") == Tokens{"ok"});
}

TEST_CASE("a query's words become phrases") {
    CHECK(query_phrases("红茶") == std::vector<Phrase>{{{"红茶"}, false}});
    CHECK(query_phrases("手工茶") == std::vector<Phrase>{{{"手工", "工茶"}, false}});
    CHECK(query_phrases("茶") == std::vector<Phrase>{{{"茶"}, true}});
    CHECK(query_phrases("logo 设计") == std::vector<Phrase>{{{"logo"}, false}, {{"设计"}, false}});
    CHECK(query_phrases("\"*'():;").empty());
}

TEST_CASE("a query has at most 16 phrases") {
    std::string many;
    for (int i = 0; i < 40; ++i)
        many += "w" + std::to_string(i) + " ";
    CHECK(query_phrases(many).size() == 16);
}

TEST_CASE("an FTS5 query names columns, phrases and facets, and nothing breaks out of it") {
    CHECK(fts5_query(query_phrases("手工茶"), "title", {type_token(3)}) ==
          R"({title} : "手工 工茶" AND {facet} : "type3")");
    CHECK(fts5_query(query_phrases("茶"), "title content", {}) == R"({title content} : "茶"*)");
    CHECK(fts5_query(query_phrases("a\" OR \"b"), "title", {}) ==
          R"({title} : "a" AND {title} : "or" AND {title} : "b")");
}

TEST_CASE("agent ids that differ in case are different tokens of one word") {
    CHECK(agent_token("ag_a") == "agent61675f61");
    CHECK(agent_token("ag_a") != agent_token("ag_A"));
}

TEST_CASE("a tsvector has positions and weights, and no phrase across title and content") {
    CHECK(ts_vector({"a", "b"}, {"b"}) == "'a':1A 'b':2A,4B");
    CHECK(ts_query(query_phrases("手工茶"), false) == "('手工' <-> '工茶')");
    CHECK(ts_query(query_phrases("茶 x"), true) == "('茶':A*) & ('x':A)");
    CHECK(ts_query(query_phrases("a'b"), false) == "('a') & ('b')");
}
