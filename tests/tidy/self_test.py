#!/usr/bin/env python3
"""Each rule of tidy.py finds its bad file, and a good tree passes."""

import tempfile
import unittest
from pathlib import Path

import special
import targets
from tidy import Tidy


def catalogue(language, **texts):
    header = (f'msgid ""\nmsgstr ""\n"Language: {language}\\n"\n"MIME-Version: 1.0\\n"\n'
              '"Content-Type: text/plain; charset=UTF-8\\n"\n'
              '"Content-Transfer-Encoding: 8bit\\n"\n')
    return header + "".join(f'\nmsgid "cli.{key}"\nmsgstr "{text}"\n'
                            for key, text in texts.items())


GOOD = {
    "core/base/a.h": "#pragma once\n\nint one();\n",
    "core/base/a.cpp": '#include "core/base/a.h"\n\nint one() {\n    return 1;\n}\n',
    "core/store/s.h": '#pragma once\n#include "core/base/a.h"\n',
    "core/store/s.cpp": '#include "core/store/s.h"\n\n#include <SQLiteCpp/Database.h>\n',
    "cli/main.cpp": '#include "core/base/a.h"\nauto t = text(language, "cli.hello");\n',
    "locales/en/cli.po": catalogue("en", hello="Hello {name}"),
    "locales/zh_CN/cli.po": catalogue("zh_CN", hello="你好，{name}"),
}


def body(lines):
    return "    int x = 0;\n" * lines


# What a feature tells the general parts about itself.
REGISTERED = {
    "daemon/trade/actions.cpp":
        'constexpr std::string_view kOrderCreate = "order.create";\n'
        'constexpr std::string_view kOrderSubmitAction = "order.submit";\n'
        'constexpr std::string_view kSpawnAction = "agent.spawn";\n'
        'constexpr std::string_view kOrderCause = "order_lost:";\n'
        'constexpr consent::MandateKind kPaying[] = {{mandate_kind("order.pay"), check},\n'
        '                                            {mandate_kind("message.accept")}};\n'
        "constexpr consent::ActionRow kRows[] = {\n"
        "    {.action = kOrderCreate, .mandates = kPaying, .end = end_order}};\n"
        'constexpr notify::KindRow kNews[] = {{.kind = "order.lost", .key = "notify.lost"}};\n'
        'void f(N& news) { news.kind = "order.found"; }\n',
    "daemon/agents/rows.cpp":
        "constexpr EnumName<TaskMessageType> kTypes[] = {{TaskMessageType::Report, "
        '"task_report"}};\n',
    "daemon/decide/rules.cpp": 'auto id = "guard.new";\n',
}

MAP = ("# Mail\n\nIt has `news`.\n\n| file | contents |\n|---|---|\n"
       "| `way`, `way_ahead.h` | the steps |\n| `core/wire/mail`, `envelope` | their JSON |\n\n"
       "| looked for | place |\n|---|---|\n| what is `elsewhere` | `news.cpp` |\n")

BAD = {
    "arrow": [
        {"core/base/b.cpp": '#include "core/store/s.h"\n'},
        {"cli/b.cpp": '#include "core/store/s.h"\n'},
        *({path: '#include "core/domain/a.h"\n', "core/domain/a.h": "#pragma once\n"}
          for path in ("core/http/b.cpp", "core/web/b.cpp", "core/json/b.cpp",
                       "core/elsewhere/b.cpp")),
        {"core/json/b.cpp": '#include "daemon/kernel/a.h"\n',
         "daemon/kernel/a.h": "#pragma once\n"},
    ],
    "include": [
        {"daemon/kernel/b.cpp": "#include <daemon/trade/coordinator.h>\n",
         "daemon/trade/coordinator.h": "#pragma once\n"},
        {"daemon/kernel/b.cpp": '#include "../trade/coordinator.h"\n',
         "daemon/trade/coordinator.h": "#pragma once\n"},
        {"daemon/kernel/b.cpp": "#include <../trade/coordinator.h>\n",
         "daemon/trade/coordinator.h": "#pragma once\n"},
        {"daemon/kernel/b.cpp": '#include "daemon/kernel/../trade/coordinator.h"\n',
         "daemon/trade/coordinator.h": "#pragma once\n"},
        {"daemon/kernel/b.cpp": '#include "c.h"\n', "daemon/kernel/c.h": "#pragma once\n"},
        {"core/base/b.h": "#pragma once\n#include <core/base/a.h>\n"},
        {"core/base/b.cpp": "#include HEADER\n"},
        {"daemon/kernel/b.cpp": '#include "daemon/kernel/words.cpp"\n',
         "daemon/kernel/words.cpp": "int one();\n"},
        {"daemon/kernel/b.cpp": '#include "/tmp/words.h"\n'},
        {"daemon/kernel/b.cpp": '#include "daemon/kernel/steps.def"\n',
         "daemon/kernel/steps.def": '#include "daemon/web/site.h"\n'},
        *({path: "int one();\n"} for path in ("daemon/kernel/b.hpp", "daemon/kernel/b.inc",
                                               "daemon/kernel/b.cc")),
        *({"daemon/kernel/b.cpp": line + ' "daemon/kernel/c.h"\n',
           "daemon/kernel/c.h": "#pragma once\n"} for line in (
               "/* */ #include", "/* \n */ #include", "#\\\ninclude", "#inclu\\\nde", "%:include",
               "#include_next", "# /* */ include", "/**/%:include")),
        {"daemon/kernel/b.h.in": '#pragma once\n#include "c.h"\n',
         "daemon/kernel/c.h": "#pragma once\n"},
    ],
    "fenced": [{"daemon/kernel/b.cpp": "#include <SQLiteCpp/Database.h>\n"}],
    "heavy": [{"daemon/kernel/b.h": "#pragma once\n#include <nlohmann/json.hpp>\n"}],
    "pragma-once": [{"core/base/b.h": "int two();\n"}],
    "own-header": [{"core/base/a.cpp": '#include <string>\n#include "core/base/a.h"\n'}],
    "file-length": [{"core/base/b.cpp": "int x;\n" * 801},
                    {"docs/architecture.md": "line\n" * 401}],
    "function-length": [
        {"core/base/b.cpp": "namespace a {\nvoid f() {\n" + body(70) + "}\n}\n"},
        {"core/base/b.cpp": "A::A(int x) : x_{x}, y_(1) {\n" + body(70) + "}\n"},
        {"core/base/b.cpp": "A::A(int x)\n    : x_([this] { f(); }),\n      y_([this] { g(); }) {\n"
                            + body(70) + "}\n"},
        {"core/base/b.cpp": "A::A(int x)\n    : x_([this] { f(); }),\n      y_{[this] {\n"
                            + body(70) + "      }} {}\n"},
        {"core/base/b.cpp": "struct A {\n    int f() const {\n" + body(70) + "    }\n};\n"},
        {"core/base/b.cpp": "namespace a {\nA::A(int x) : x_(x) {\n" + body(70) + "}\n}\n"},
        {"core/base/b.cpp": "class A {\n    explicit A(int x) : x_(x) {\n" + body(70)
                            + "    }\n};\n"},
        {"core/base/b.cpp": "A::A(int x) noexcept(true) : x_([] {}) {\n" + body(70) + "}\n"},
        {"core/base/b.cpp": "const auto k = [] {\n" + body(70) + "}();\n"},
        {"core/base/b.cpp": "const auto k = [](F<void()> f) -> B<int> {\n" + body(70) + "}(f);\n"},
        {"core/base/b.cpp": 'constexpr Row kRows[] = {{"a", [] {\n' + body(70) + "}}};\n"},
        {"core/base/b.cpp": "auto x = table(row(1), [](int) mutable {\n" + body(70) + "});\n"},
        {"core/base/b.cpp": "struct A {\n    F<void()> f{[this] {\n" + body(70) + "    }};\n};\n"},
        {"core/base/b.cpp": "struct A {\n    F f = [this] {\n" + body(70) + "    };\n};\n"},
        {"core/base/b.cpp": 'extern "C" void f(int) {\n' + body(70) + "}\n"},
        {"core/base/b.cpp": "struct stat f(int) {\n" + body(70) + "}\n"},
        {"core/base/b.cpp": "template <typename T = F<void()>>\nint f(T t = {}) {\n" + body(69)
                            + "}\n"},
        {"core/base/b.cpp": "bool A::operator==(const A& a) const {\n" + body(70) + "}\n"},
        {"core/base/b.cpp": "const auto k = []<typename T>(T t) requires X<T> {\n" + body(70)
                            + "};\n"},
        {"core/base/b.cpp": "const auto k = []<typename T> requires X<T> (T t) {\n" + body(70)
                            + "};\n"},
        {"core/base/b.cpp": "const auto k = [](int i) -> int requires (X<1>) {\n" + body(70)
                            + "};\n"},
        {"core/base/b.cpp": "const auto k = [](int i) static {\n" + body(70) + "};\n"},
        {"core/base/b.cpp": "int f(int i) requires X<1> == true {\n" + body(70) + "}\n"},
        {"core/base/b.cpp": "int f(int i) requires (X<1> == true) {\n" + body(70) + "}\n"},
        {"core/base/b.cpp": "E<kA == 1, int> f() {\n" + body(70) + "}\n"},
        {"core/base/b.cpp": "void f() <%\n" + body(70) + "%>\n"},
        {"tests/tools/b.py": "def f():\n" + "    x = 1\n" * 70},
        *({"daemon/web/app/b.js": begin + "\n" + "        one();\n" * 70 + end + "\n"}
          for begin, end in (("export function f(a) {", "}"), ("    async f() {", "    }"),
                             ("const f = (a) => {", "};"))),
        {"core/base/b.cpp": "#define A2H_X \\\n" + "    int x; \\\n" * 70 + "    int y;\n"},
    ],
    "room": [
        {"daemon/a/x.h": '#pragma once\n#include "daemon/b/y.h"\n',
         "daemon/b/y.h": "#pragma once\n",
         "daemon/b/z.cpp": '#include "daemon/a/x.h"\n'},
        {"daemon/a/x.h": '#pragma once\n#include "daemon/a/y.h"\n',
         "daemon/a/y.h": '#pragma once\n#include "daemon/a/x.h"\n'},
        {"daemon/consent/x.h": '#pragma once\n#include "daemon/agents/y.h"\n',
         "daemon/agents/y.h": "#pragma once\n"},
        {"daemon/model/x.h": '#pragma once\n#include "daemon/decide/y.h"\n',
         "daemon/decide/y.h": "#pragma once\n",
         "daemon/kernel/z.h": "#pragma once\n"},
        {"daemon/consent/x.h.in": '#pragma once\n#include "daemon/agents/y.h"\n',
         "daemon/agents/y.h": "#pragma once\n"},
        {"daemon/nowhere/x.h": "#pragma once\n"},
        {"daemon/x.h": "#pragma once\n"},
    ],
    "target": [
        {"daemon/card/CMakeLists.txt": "a2h_library(a2h_card\n    SOURCES card.cpp\n"
                                       "            ../mail/decider.cpp\n    DEPENDS a2h_wire)\n"},
        {"daemon/card/CMakeLists.txt": "a2h_library(a2h_cards SOURCES card.cpp)\n"},
        *({"daemon/consent/CMakeLists.txt": "a2h_library(a2h_consent SOURCES a.cpp)\n" + more,
           "daemon/collab/words.cpp": "int one();\n",
           "daemon/collab/CMakeLists.txt": "a2h_library(a2h_collab FOLDER)\n"} for more in (
               "target_sources(a2h_consent PRIVATE ../collab/words.cpp)\n",
               "target_sources(a2h_consent PRIVATE\n"
               "    ${CMAKE_SOURCE_DIR}/daemon/collab/words.cpp)\n",
               'target_sources(a2h_consent PRIVATE "$<1:../collab/words.cpp>")\n',
               "set(words ../collab/words)\ntarget_sources(a2h_consent PRIVATE ${words}.cpp)\n",
               "target_sources(a2h_consent PRIVATE ${somewhere}/words.cpp)\n",
               "file(GLOB more ../collab/*.cpp)\n",
               'file(GLOB more CONFIGURE_DEPENDS "${CMAKE_SOURCE_DIR}/daemon/*/w*.cpp")\n',
               'file(GLOB more "${CMAKE_CURRENT_SOURCE_DIR}/../collab/*")\n',
               "file(GLOB_RECURSE more *.cpp)\n",
               "aux_source_directory(../collab more)\n",
               "include(../collab/sources.cmake)\n",
               "add_subdirectory(../collab more)\n",
               "list(TRANSFORM names PREPEND ../collab/)\n",
               "target_sources(a2h_consent PRIVATE [[../collab/words.cpp]])\n",
               "target_sources(a2h_consent PRIVATE [=[../collab/words.cpp]=])\n",
               "string(CONCAT file ../collab /words .cpp)\n"
               "target_sources(a2h_consent PRIVATE ${file})\n",
               "set(file ../collab)\nstring(APPEND file /words.cpp)\n"
               "target_sources(a2h_consent PRIVATE ${file})\n",
               "string(JOIN / file .. collab words.cpp)\n"
               "target_sources(a2h_consent PRIVATE ${file})\n",
               "add_library(a2h_more STATIC b.cpp)\n",
               "a2h_program(a2h_more SOURCES b.cpp)\n",
               "a2h_program(a2h_more SOURCES a.cpp)\n",
           )),
        {"market/store/CMakeLists.txt": "a2h_library(a2h_market_store SOURCES a.cpp)\n"
                                        "target_sources(a2h_market_store PRIVATE ../db/b.cpp)\n"},
        {"market/nowhere/CMakeLists.txt": "a2h_library(a2h_market_nowhere SOURCES a.cpp)\n"},
        {"daemon/doctor/more/CMakeLists.txt": "a2h_library(a2h_doctor_more SOURCES a.cpp)\n"},
        {"daemon/doctor/CMakeLists.txt": "a2h_library(a2h_doctor SOURCES home/a.cpp)\n"},
        {"core/store/CMakeLists.txt": "a2h_library(a2h_store SOURCES s.cpp ../base/a.cpp)\n",
         "core/base/CMakeLists.txt": "a2h_library(a2h_base FOLDER)\n"},
        {"tests/fuzz/CMakeLists.txt":
             "list(APPEND sources ${CMAKE_SOURCE_DIR}/daemon/leading/lease_answer.cpp)\n"},
        {"tests/unit/store/CMakeLists.txt": "a2h_test(unit_store SOURCES a_test.cpp\n"
                                            "    ../../../core/store/s.cpp)\n"},
        {"cmake/more.cmake":
             "target_sources(a2h_cli PRIVATE ${CMAKE_SOURCE_DIR}/core/store/s.cpp)\n"},
        {"market/broker/CMakeLists.txt": "a2h_library(a2h_market_broker SOURCES access.cpp)\n"},
    ],
    "link": [
        *({"daemon/kernel/CMakeLists.txt": f"a2h_library(a2h_kernel SOURCES a.cpp {depends})\n"
                                           + more,
           "daemon/notify/CMakeLists.txt":
               "add_library(a2h_makers INTERFACE)\na2h_embed(pages FILES a.html)\n"
               "a2h_library(a2h_notify FOLDER DEPENDS a2h_makers a2h_card)\n"}
          for depends, more in (
              ("DEPENDS a2h_web", ""),
              ("PRIVATE_DEPENDS a2h_web", ""),
              ("DEPENDS a2h_makers", ""),
              ("DEPENDS a2h_embedded_pages", ""),
              ("DEPENDS a2h_web_json_files", ""),
              ("", "target_link_libraries(a2h_kernel PRIVATE ${more})\n"),
              ("", "target_link_libraries(a2h_kernel PRIVATE a2h_web)\n"),
              ("", 'target_link_libraries(a2h_kernel PRIVATE "$<1:a2h_web>")\n'),
              ("", "target_link_libraries(a2h_kernel PUBLIC $<LINK_ONLY:a2h_web>)\n"),
              ("", "target_sources(a2h_kernel PRIVATE $<TARGET_OBJECTS:a2h_web>)\n"),
              ("", "set(where web)\ntarget_link_libraries(a2h_kernel PRIVATE a2h_${where})\n"),
              ("", "list(APPEND more a2h_web)\n"),
              ("", "link_libraries(a2h_web)\n"),
              ("", "target_link_libraries(a2h_kernel PRIVATE a2h_market_db)\n"),
              ("", "set_property(TARGET a2h_kernel APPEND PROPERTY LINK_LIBRARIES x)\n"),
              ("", "target_include_directories(a2h_kernel PRIVATE ${CMAKE_SOURCE_DIR}/daemon)\n"),
              ("", "target_include_directories(a2h_kernel PRIVATE ..)\n"),
              ("", "include_directories(..)\n"),
              ("", "set_target_properties(a2h_kernel PROPERTIES INCLUDE_DIRECTORIES ..)\n"),
              ("", "set(CMAKE_INCLUDE_CURRENT_DIR ON)\n"),
              ("", "target_compile_options(a2h_kernel PRIVATE -include daemon/web/site.h)\n"),
              ("", 'target_compile_options(a2h_kernel PRIVATE "SHELL:-include web/site.h")\n'),
              ("", 'set(CMAKE_CXX_FLAGS "-O2 -include web/site.h")\n'),
              ("", "add_compile_options($<1:-I..>)\n"),
              ("", "set_source_files_properties(a.cpp PROPERTIES COMPILE_FLAGS -imacros)\n"),
              ("", "target_precompile_headers(a2h_kernel PRIVATE a.h)\n"),
          )),
        *({place: text} for place in ("CMakeLists.txt", "cmake/more.cmake", "daemon/CMakeLists.txt",
                                      "tests/CMakeLists.txt")
          for text in ("target_link_libraries(a2h_consent PUBLIC a2h_kernel)\n",
                       "set_property(TARGET a2h_consent APPEND PROPERTY CXX_STANDARD 20)\n")),
        {"daemon/CMakeLists.txt": "add_compile_options(-include daemon/web/site.h)\n"},
        {"market/api/CMakeLists.txt": "a2h_library(a2h_market_api SOURCES a.cpp "
                                      "DEPENDS a2h_market_relay)\n"},
        {"core/base/CMakeLists.txt": "a2h_library(a2h_base FOLDER DEPENDS a2h_kernel)\n"},
        # What a room includes comes from no other library.
        {"daemon/model/CMakeLists.txt": "a2h_library(a2h_model SOURCES x.cpp)\n",
         "daemon/model/x.cpp": '#include "daemon/kernel/y.h"\n',
         "daemon/kernel/y.h": "#pragma once\n"},
        {"daemon/kernel/CMakeLists.txt": "a2h_library(a2h_kernel SOURCES x.cpp)\n",
         "daemon/kernel/x.cpp": '#include "core/store/s.h"\n',
         "core/store/CMakeLists.txt": "a2h_library(a2h_store SOURCES s.cpp)\n"},
        # A room links what it includes, and no more.
        {"daemon/kernel/CMakeLists.txt":
             "a2h_library(a2h_kernel SOURCES x.cpp DEPENDS a2h_store)\n",
         "daemon/kernel/x.cpp": '#include "core/base/a.h"\n'},
    ],
    "width": [{"core/base/b.cpp": "// " + "字" * 98 + "\n"},
              {"docs/architecture.md": "x" * 121 + "\n"}],
    "special": [
        {"daemon/consent/b.cpp": 'bool f(const A& a) { return a.action == "order.create"; }\n'},
        {"daemon/notify/b.cpp": 'bool f(const A& a) { return a->kind != "report"; }\n'},
        {"daemon/mail/b.cpp": 'bool f(const D& d) { return d.rule_id == "guard.rate"; }\n'},
        {"daemon/mail/b.cpp": 'bool f(const M& m) { return m.cause == "tool:negotiation"; }\n'},
        {"daemon/consent/b.cpp": 'bool f(const P& p) { return p.type == "accept"; }\n'},
        {"daemon/consent/b.cpp":
             'bool f(const J& j) { return wire::text_member(j, "type") == "new"; }\n'},
        *({path: f"bool f(const A& a) {{\n    {line}\n}}\n", **REGISTERED} for path, line in (
            ("daemon/consent/b.cpp", "return a.action == trade::kOrderCreate;"),
            ("daemon/consent/b.cpp", 'return a.action.starts_with("order");'),
            ("daemon/consent/b.cpp", 'return a.action.find("order.") == 0;'),
            ("daemon/consent/b.cpp", 'return a.action.substr(0, 5) == "order";'),
            ("daemon/consent/b.cpp", 'return "order" == a.action.substr(0, 5);'),
            ("daemon/consent/b.cpp", 'return a.action.compare("order.create") == 0;'),
            ("daemon/consent/b.cpp", 'return "order." + a.what == a.action;'),
            ("daemon/consent/b.cpp", "return is_order(a);"),
            ("daemon/consent/b.cpp", "return is_order_action(a);"),
            ("daemon/consent/b.cpp", 'return has({"text", "accept"}, text_member(a, "type"));'),
            ("daemon/consent/b.cpp",
             "switch (a.type) { case AgentMessageType::StatusReport: return true; }"),
            ("daemon/consent/b.cpp",
             "switch (of(a)) { case OrderAction::Confirm: return true; }"),
            ("daemon/effects/b.cpp", 'return a.type == kinds.at("task_report");'),
            ("daemon/kernel/b.cpp", 'return std::set{"order.create"}.contains(a.action);'),
            ("daemon/notify/b.cpp", 'return one_of(a.kind, "order.lost");'),
            ("daemon/notify/b.cpp", 'return one_of(a.kind, "order.found");'),
            ("daemon/outcome/b.cpp", 'return one_of(a.rule_id, "guard.new");'),
            ("daemon/answers/executor.cpp", "return carriers.contains(kOrderSubmitAction);"),
            ("daemon/mail/dispatcher.cpp", 'return one_of(a.mandate, "order.pay");'),
            ("daemon/card/b.cpp", 'return one_of(a.action, "order.create");'),
            ("daemon/web/b.cpp", 'return one_of(a.action, "order.create");'),
            ("daemon/answers/answers.cpp", "return action == agents::kSpawnAction;"),
            ("daemon/answers/button_answers.cpp", 'return act == "agent.spawn";'),
            ("daemon/answers/answers.cpp",
             'static const std::set<std::string> k{"order.pay", "x"}; return k.contains(act);'),
            ("daemon/answers/b.cpp", 'constexpr std::array kAll = {"x", "order.create"};'),
            ("daemon/mail/way.cpp", 'return message_type == "demand_invitation";'),
            ("daemon/mail/late_mail.cpp", 'return said.message_type == "anything";'),
            ("daemon/mail/dispatcher.cpp", "return a.cause.starts_with(trade::kOrderCause);"),
            ("daemon/mail/receiver.cpp", 'return what(a) == "order.create";'),
            ("daemon/mail/receiver.cpp", "return kOrderSubmitAction != what(a);"),
            ("daemon/upkeep/b.cpp", "return kAll.contains(kSpawnAction);"),
            ("daemon/web/app/b.js", 'return a.action === "order.create";'),
            ("daemon/web/app/b.js", 'return a.action !== "anything";'),
            ("daemon/web/app/b.js", 'return ["order.create", "x"].includes(of(a));'),
            ("daemon/web/app/b.js", 'return a.action.startsWith("order.");'),
            ("daemon/web/app/b.js", 'return item.type && item.type !== "chat.request";'),
            ("daemon/operations/market.cpp", 'return a.action == "order.create";'),
            ("daemon/mail/receiver.cpp", 'return a.cause.starts_with("order:");'),
            ("daemon/consent/b.cpp", 'return a.cause.starts_with("order_lost:");'),
            ("daemon/consent/b.cpp", 'return a.request.contains("order_id");'),
            ("daemon/consent/b.cpp", 'return a.request.find("order_id") != a.request.end();'),
            ("daemon/consent/b.cpp", 'return a.action == "agent." "spawn";'),
            ("daemon/consent/b.cpp", 'return a.action == "agent."\n        "spawn";'),
            ("daemon/consent/b.cpp", 'return a.action == std::string("agent.") + "spawn";'),
            ("daemon/consent/b.cpp", 'return a.action == std::string("order") + ".create";'),
            ("daemon/consent/b.cpp", 'return of(std::string{"order."} + std::string("create"));'),
            ("daemon/consent/b.cpp", 'return a.requested_by == "tool:anything";'),
            ("daemon/consent/b.cpp", 'return a.requested_by.starts_with("tool:order");'),
            ("daemon/mail/receiver.cpp", 'return a.by.starts_with("tool:order.create");'),
            ("daemon/consent/b.cpp", "return typeid(a) == typeid(Order);"),
            ("daemon/consent/b.cpp", "return is_haggling(a);"),
            ("daemon/consent/b.cpp", "return bargain::take(a);"),
            ("daemon/consent/b.cpp", "return concerns_order(a);"),
            ("daemon/outcome/b.cpp", "return dynamic_cast<const collab::DemandMail*>(&a);"),
            ("daemon/decide/b.cpp", 'return a.by.starts_with("rule:order.");'),
            ("core/store/b.cpp", 'return db.is_true("select 1 where by glob "\n'
                                 "        \"'rule:order.*' limit 1\");"),
            ("core/store/b.cpp", 'return db.is_true("select 1 from inbox where "\n'
                                 "        \"json_extract(payload_json, '$.type') \"\n"
                                 "        \"in ('order.event', 'rfp.event')\");"),
            ("core/store/outbox_store.cpp",
             "return db.is_true(\"select coalesce(json_extract(a, '$.type'), '') = 'offer'\");"),
            ("core/store/inbox_store.cpp",
             "return db.is_true(\"select message_type <> 'task_report' from inbox\");"),
        )),
        *({path: f'#include "core/store/{store}_store.h"\n'} for path, store in (
            ("daemon/consent/b.cpp", "bargain"), ("daemon/outcome/b.cpp", "invitation"))),
        # An exception that is needed no more.
        {"daemon/web/api.cpp": "int x;\n"},
    ],
    "title": [
        {"docs/security.md": "| what holds | `a test that does not exist` |\n"},
        {"docs/security.md": "| what holds | `it holds` |\n", "docs/security.zh_CN.md": "\n",
         "tests/unit/base/b.cpp": 'TEST_CASE("it holds") {}\n'},
        *({"tests/unit/base/b.cpp": line + " {}\n"} for line in (
            'TEST_CASE("Who has one trade does not cover another by liking it")',
            "TEST_CASE_FIXTURE(Invited, \"Who copies a negotiation's id does not come before\")",
            'TEST_CASE_FIXTURE(Fixture,\n                  "What was sent is not due any more")',
            'TEST_CASE("R46: whatever a peer writes, nothing is sent")',
            'TEST_CASE(\n    "of two processes one wins, "\n    "and the other is told")',
            'void f() {\n    SUBCASE("nobody who fits")',
            'TEST_CASE("Whoever asks is answered? No.")',
        )),
    ],
    "only": [
        {"daemon/consent/b.cpp":
             "void f(OutboxMessage& m) {\n    m.message_id = new_message_id(now_ms);\n}\n"},
        {"daemon/consent/b.cpp":
             'void f() {\n    store::append_audit(db, id,\n        "voted", {});\n}\n'},
        {"daemon/consent/b.cpp": 'bool f(const AuditRow& row) { return row.what == "asked"; }\n'},
        {"daemon/mail/b.cpp": 'const Event event{0, agent_id, "approval.asked"};\n'},
        {"daemon/mail/b.cpp": "auto event = Event{.id = 0,\n                   .kind = kind};\n"},
    ],
    "ruling": [
        {"docs/rulings.md": "- R1 One.\n- R2 Two,\n  as R1 says.\n- R2 Another.\n"},
        *({"docs/rulings.md": "- R1 One.\n- R3 Three.\n", path: text} for path, text in (
            ("docs/architecture.md", "Mail is kept (R1, R2).\n"),
            ("docs/rulings.md", "- R1 One, unlike R30.\n"),
            ("core/base/b.h", "#pragma once\n\n/// Source:  R2.\nint two();\n"),
            ("tests/unit/base/b.cpp", 'TEST_CASE("R2: a message is kept") {}\n'),
        )),
    ],
    "leftover": [
        {"core/base/b.cpp": "// FIX" "ME\n"},
        {"core/base/b.cpp": "// TO" "DO: later\n"},
        {"core/base/b.cpp": "// return old(value);\n"},
        {"core/base/b.cpp": "auto f = std::end" "l;\n"},
    ],
    "locale": [
        {"cli/b.cpp": 'auto t = text(language, "cli.nothing");\n'},
        {"locales/zh_CN/cli.po": catalogue("zh_CN", hello="你好")},
        {"locales/en/cli.po": catalogue("en", hello="Hello {name}", more="More")},
        {"locales/en/web.po": catalogue("en")},
        {"locales/fr/cli.po": catalogue("fr", hello="Bonjour {name}")},
        {"locales/zh_CN/cli.po": catalogue("zh_CN", hello="{name}") + "#, fuzzy\n"},
    ],
    "words": [
        {"cli/b.cpp": 'void f() {\n    std::puts("nothing was found");\n}\n'},
        {"cli/b.cpp": 'auto text = "There is no daemon.";\n'},
        {"cli/b.cpp": 'void f() {\n    std::cout << id << " was sent to them\\n";\n}\n'},
        {"mcp/b.cpp": 'void f() {\n    app.add_flag("--all", all, "show all of them");\n}\n'},
        *({"daemon/reading/b.cpp": line + "\n"} for line in (
            'bool f(T t) { return t.ends_with("teach "); }',
            'bool f(T t) { return t.text.find("teach") != npos; }',
            'bool f(T word) { return word == "teach"; }',
            'bool f(T word) { return "teach" == word; }',
            'constexpr std::string_view kVerbs[] = {"teach", "show"};',
            'constexpr std::array<std::string_view, 2> kVerbs = {\n    "to", "teach"};',
        )),
        {"daemon/decide/decider.cpp": 'auto text = "同意";\n'},
        {"daemon/notify/b.cpp": 'auto title = "Your agent needs an answer";\n'},
        {"daemon/web/b.cpp": 'auto html = "<p>no answer yet</p>";\n'},
        {"daemon/web/app/b.js": 'title.textContent = "Open questions";\n'},
        {"daemon/web/app/b.js": "title.textContent = `${count} open questions`;\n"},
        {"daemon/web/app/b.js": "title.textContent = '待办';\n"},
        {"daemon/web/app/index.html": "<p>please wait here</p>\n"},
    ],
    "map": [
        {"daemon/mail/README.md": MAP, "daemon/mail/way.cpp": "int one();\n"},
        {"daemon/mail/README.md": MAP, "daemon/mail/way_ahead.h": "#pragma once\n"},
        {"daemon/mail/README.md": MAP, "daemon/mail/way.cpp": "int one();\n",
         "daemon/mail/way_ahead.h": "#pragma once\n", "daemon/mail/news.h": "#pragma once\n"},
    ],
    "glossary": [
        {"docs/glossary.zh_CN.md": "| listing | 帖子 | 在市场上 | 商品、挂牌 |\n",
         "docs/seller.zh_CN.md": "发布商品。\n"},
        {"docs/glossary.zh_CN.md": "| you | 您 | 称呼 | 你 |\n",
         "locales/zh_CN/cli.po": catalogue("zh_CN", hello="你好，你是 {name}")},
    ],
    "foreign": [{"README.md": "See /work" "/shared for more.\n"}],
}


def findings(files):
    with tempfile.TemporaryDirectory() as root:
        for path, text in files.items():
            file = Path(root, path)
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text, "utf-8")
        return Tidy(root).run()


def but_unused_arrows(found):
    """A small tree uses hardly any of the arrows."""
    return [line for line in found if not line.startswith("tests/tidy/rooms.py:")]


class TidyTest(unittest.TestCase):
    def test_a_good_tree_has_no_findings(self):
        self.assertEqual(findings(GOOD), [])

    def test_every_rule_finds_its_bad_file(self):
        for rule, cases in BAD.items():
            for files in cases:
                with self.subTest(rule=rule, files=list(files)):
                    found = findings({**GOOD, **files})
                    if rule != "room":
                        found = but_unused_arrows(found)
                    self.assertEqual({line.split("[")[1].split("]")[0] for line in found}, {rule})

    def test_a_function_of_70_lines_and_a_line_of_100_characters_are_fine(self):
        function = "void f() {\n" + body(68) + "}\n"
        self.assertEqual(findings({**GOOD, "core/base/b.cpp": function * 3}), [])
        self.assertEqual(findings({**GOOD, "core/base/b.cpp": "// " + "字" * 97 + "\n"}), [])
        table = "const std::map<std::string, void (*)(int)> kRows = {\n" + '    {"a", f},\n' * 90
        self.assertEqual(findings({**GOOD, "core/base/b.cpp": table + "};\n"}), [])
        table = table.replace(" = {", "{")
        self.assertEqual(findings({**GOOD, "core/base/b.cpp": table + "};\n"}), [])
        row = '    {"a", [] {\n' + body(60) + "    }},\n"
        table = "constexpr Row kRows[] = {\n" + row * 3 + "};\n"
        self.assertEqual(findings({**GOOD, "core/base/b.cpp": table}), [])
        raw = 'auto json = R"({"a":\n"' + "x" * 120 + '"})";\n'
        self.assertEqual(findings({**GOOD, "core/base/b.cpp": raw}), [])

    def test_braces_in_texts_and_comments_do_not_count(self):
        code = 'const char* t = R"({{{)";\n// }}}\nvoid f() {\n    g("{", \'{\');\n}\n'
        code += "int x;\n" * 90
        self.assertEqual(findings({**GOOD, "core/base/b.cpp": code}), [])

    def test_a_target_of_its_own_files_is_fine(self):
        for path, text in {
            "daemon/doctor/home/CMakeLists.txt": "a2h_library(a2h_doctor_home SOURCES a.cpp)\n",
            "daemon/app/CMakeLists.txt":
                "a2h_library(a2h_app\n    SOURCES app.cpp  # not ../mail/way.cpp\n    DEPENDS b)\n"
                "a2h_program(a2hd SOURCES main.cpp DEPENDS a2h_app)\n",
            "daemon/notify/CMakeLists.txt":
                'file(GLOB kinds RELATIVE "${CMAKE_CURRENT_SOURCE_DIR}" *_a.cpp)\n'
                "add_library(a2h_makers INTERFACE)\na2h_library(a2h_notify FOLDER DEPENDS c)\n"
                'set_source_files_properties(a.cpp PROPERTIES X "${CMAKE_BINARY_DIR}/b.cpp")\n',
            "cli/CMakeLists.txt": "a2h_library(a2h_cli SOURCES agents.cpp demo/asking.cpp)\n",
            "tests/unit/reading/CMakeLists.txt":
                "a2h_test(unit_reading SOURCES ${CMAKE_SOURCE_DIR}/tests/unit/decide/fixtures.cpp\n"
                "    ../../integration/crash/world.cpp)\n",
            "daemon/model/CMakeLists.txt":
                "a2h_library(a2h_model SOURCES x.cpp DEPENDS a2h_kernel a2h_wire)\n"
                "target_compile_options(a2h_model PRIVATE -Wno-include)\n",
            "market/db/CMakeLists.txt":
                "a2h_library(a2h_market_db SOURCES x.cpp)\n"
                "target_include_directories(a2h_market_db PRIVATE ${CMAKE_SOURCE_DIR})\n",
        }.items():
            with self.subTest(path=path):
                self.assertEqual(findings({**GOOD, path: text}), [])

    def test_a_table_may_name_files_by_pattern_and_those_of_other_folders(self):
        readme = MAP.replace("`way_ahead.h`", "`way_*`")
        self.assertEqual(findings({**GOOD, "daemon/mail/README.md": readme,
                                   "daemon/mail/way.cpp": "int one();\n",
                                   "daemon/mail/way_ahead.h": "#pragma once\n"}), [])
        self.assertEqual(findings({**GOOD, "daemon/web/README.md": MAP}), [])

    def test_a_sentence_or_a_question_is_the_name_of_a_test(self):
        for name in ("An interest is no capability", "Who asks?", "Whole files are sent",
                     "R46: a person who asks is answered", "Often enough is enough"):
            with self.subTest(name=name):
                code = f'TEST_CASE("{name}") {{}}\n'
                self.assertEqual(findings({**GOOD, "tests/unit/base/b.cpp": code}), [])

    def test_general_code_may_use_what_is_no_name_of_a_feature(self):
        for path, line in (
            ("daemon/trade/b.cpp", 'return a.action == kOrderCreate || is_order(a);'),
            ("daemon/consent/b.cpp", 'return is_question(a) && a.state.starts_with("done");'),
            ("daemon/consent/b.cpp", "// an order.create\n    return row_of(a.action).is_void;"),
            ("daemon/consent/b.cpp", 'return a.news.contains("agent_id") || a.text.find("on: ");'),
            ("daemon/mail/receiver.cpp", 'return member(a, "order_id") == id;'),
            ("daemon/web/app/b.js", 'return t("accept") + a.type && line.kind === "peer";'),
            ("daemon/notify/b.cpp", 'return a.text == "open" || event.type == "block_actions";'),
            ("core/store/b.cpp", "return db.is_true(\"select json_extract(p, '$.type') = ?1 \"\n"
                                 "        \"and message_type = 'chat.request' from inbox\");"),
            ("core/store/demand_store.cpp",
             "return db.is_true(\"select message_type = 'offer_response' from inbox\");"),
        ):
            with self.subTest(path=path):
                code = f"bool f(const A& a) {{\n    {line}\n}}\n"
                self.assertEqual(
                    but_unused_arrows(findings({**GOOD, **REGISTERED, path: code})), [])
        own = ('constexpr notify::KindRow kNews[] = {{.kind = "pin.locked"}};\n'
               'void f(N& news) { news.kind = "pin.locked"; }\n')
        self.assertEqual(findings({**GOOD, "daemon/consent/b.cpp": own}), [])

    def test_a_ruling_is_named_by_its_number(self):
        rulings = {"docs/rulings.md": "- R1 One.\n- R22 Two, as R1.\n"}
        for text in ("// R1, R22 and R22's words; PR2 and R2D are no rulings\n",
                     'auto id = "x-R2";\n'):
            with self.subTest(text=text):
                self.assertEqual(findings({**GOOD, **rulings, "core/base/b.cpp": text}), [])

    def test_exceptions_become_fewer_and_never_more(self):
        self.assertLessEqual(sum(count for count, _ in special.EXCEPTIONS.values()), 12)
        self.assertLessEqual(sum(count for count, _ in special.STORE_EXCEPTIONS.values()), 9)
        self.assertLessEqual(len(targets.EXCEPTIONS), 6)

    def test_what_is_logged_read_or_not_words_is_fine(self):
        for path, text in {
            "cli/b.cpp": 'void f() {\n    log::warn("The daemon is gone", {{"why", "it fell"}});\n'
                         '}\n// There is no daemon.\nauto key = "cli.no_daemon";\n',
            "daemon/reading/amounts.cpp": 'auto ten = "十";\n',
            "daemon/reading/b.cpp": 'constexpr V kRoleNames[] = {"filler", "wants"};\n'
                                    'bool f(N n) { return n.find("same") != 0; }\n',
            "daemon/web/app/b.js": 'h("p", { class: "dim small" }, t("open"));\n// Open ones\n',
            "daemon/web/app/index.html": "<noscript><p>no script here 没有脚本</p></noscript>\n",
            "core/http/b.cpp": '#include <nlohmann/json.hpp>\n\n#include "generated/tables.h"\n',
            "daemon/web/b.cpp": 'auto html = "<a href=\\"?lang=zh\\">中文</a>";\n',
        }.items():
            with self.subTest(path=path):
                self.assertEqual(findings({**GOOD, path: text}), [])


if __name__ == "__main__":
    unittest.main()
