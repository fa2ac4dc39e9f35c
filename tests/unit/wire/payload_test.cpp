#include "core/wire/payload.h"

#include <doctest/doctest.h>

#include "core/wire/crypto.h"

using namespace a2h::wire;

TEST_CASE("a payload shows its text, ids and attachment") {
    const PayloadView view = view_payload(
        R"({"text":"hi","orderId":"WKS1","worksId":"w1","payment_qr":"https://q",
            "payment_qr_type":"alipay","attachment":{"url":"https://f","name":"a.pdf",
            "mime_type":"application/pdf","size":3}})");
    CHECK(view.type == "text");
    CHECK(view.text == "hi");
    CHECK(view.order_id == "WKS1");
    CHECK(view.works_id == "w1");
    CHECK(view.payment_qr == "https://q");
    CHECK(view.payment_qr_type == "alipay");
    CHECK(view.attachment_url == "https://f");
    CHECK(view.attachment_name == "a.pdf");
    CHECK(view.attachment_mime == "application/pdf");
}

TEST_CASE("the deprecated image is a payment QR unless there is one") {
    CHECK(view_payload(R"({"image":"https://old"})").payment_qr == "https://old");
    CHECK(view_payload(R"({"image":"https://old","payment_qr":"https://new"})").payment_qr ==
          "https://new");
}

TEST_CASE("an offer's amount is decimal text, whether it came as text or number") {
    const auto amount = [](const char* payload) { return view_payload(payload).offer_amount; };
    CHECK(amount(R"({"price":{"amount":5000,"currency":"CNY"}})") == "5000");
    CHECK(amount(R"({"price":{"amount":19.90}})") == "19.9");
    CHECK(amount(R"({"price":{"amount":"280.00"}})") == "280.00");
    CHECK(amount(R"({"price":{"amount":null}})") == "");
    CHECK(amount(R"({"price":280})") == "");
    CHECK(view_payload(R"({"type":"offer","price":{"currency":"CNY"}})").offer_currency == "CNY");
}

TEST_CASE("wrongly typed fields are absent and nothing throws") {
    const PayloadView view = view_payload(
        R"({"type":1,"text":["x"],"orderId":{},"worksId":null,"payment_qr":true,"attachment":[1],
            "price":"no"})");
    CHECK(view.type == "text");
    CHECK(view.text == "");
    CHECK(view.order_id == "");
    CHECK(view.works_id == "");
    CHECK(view.payment_qr == "");
    CHECK(view.attachment_url == "");
    CHECK(view.offer_amount == "");
    for (const char* text : {"", "null", "[]", "7", "{", "\xff"}) {
        CHECK(view_payload(text).type == "text");
        CHECK(view_payload(text).text == "");
    }
}

TEST_CASE("a text payload is canonical and leaves empty ids out") {
    CHECK(text_payload("a\"b\n") == R"({"text":"a\"b\n"})");
    CHECK(text_payload("hi", "WKS1", "w1") == R"({"orderId":"WKS1","text":"hi","worksId":"w1"})");
    CHECK(text_payload("", "", "w1") == R"({"text":"","worksId":"w1"})");
}

TEST_CASE("the platform's request signature gives the published vector") {
    CHECK(platform_signature("test-key-0001", "GET", "/findu-user/api/v1/user/profile/public",
                             "ag_test", 1760000000) ==
          "f4f248c0578c1f54adea09207758401f72b48971155766b6c2fdcc8fc378119e");
}

TEST_CASE("the nonce signature covers method, query, agent, time, nonce and body") {
    CHECK(nonce_signature_text("POST", "/v1/agents?x=1", "ag_test", 1760000000, "00ff", "abc") ==
          "POST\n/v1/agents?x=1\nag_test\n1760000000\n00ff\n" + sha256_hex("abc"));
}
