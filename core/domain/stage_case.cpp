#include "core/domain/stage_case.h"

#include "core/base/check.h"

namespace a2h {

std::string_view to_string(CaseKind value) {
    switch (value) {
        case CaseKind::Draft:
            return "draft";
        case CaseKind::Reply:
            return "reply";
        case CaseKind::Holding:
            return "holding";
    }
    A2H_CHECK(false);
}

std::optional<CaseKind> parse_case_kind(std::string_view text) {
    if (text == "draft") return CaseKind::Draft;
    if (text == "reply") return CaseKind::Reply;
    if (text == "holding") return CaseKind::Holding;
    return std::nullopt;
}

std::string_view to_string(CaseStage value) {
    switch (value) {
        case CaseStage::Context:
            return "context";
        case CaseStage::Agent:
            return "agent";
        case CaseStage::Review:
            return "review";
        case CaseStage::Closed:
            return "closed";
    }
    A2H_CHECK(false);
}

std::optional<CaseStage> parse_case_stage(std::string_view text) {
    if (text == "context") return CaseStage::Context;
    if (text == "agent") return CaseStage::Agent;
    if (text == "review") return CaseStage::Review;
    if (text == "closed") return CaseStage::Closed;
    return std::nullopt;
}

}  // namespace a2h
