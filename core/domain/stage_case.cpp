#include "core/domain/stage_case.h"

#include "core/base/enum_names.h"

namespace a2h {

constexpr EnumName<CaseKind> kCaseKindNames[] = {
    {CaseKind::Draft, "draft"},
    {CaseKind::Reply, "reply"},
    {CaseKind::Holding, "holding"},
};
static_assert(names_all(kCaseKindNames));

std::string_view to_string(CaseKind value) {
    return name_of(kCaseKindNames, value);
}

std::optional<CaseKind> parse_case_kind(std::string_view text) {
    return value_of(kCaseKindNames, text);
}

constexpr EnumName<CaseStage> kCaseStageNames[] = {
    {CaseStage::Context, "context"},
    {CaseStage::Agent, "agent"},
    {CaseStage::Review, "review"},
    {CaseStage::Closed, "closed"},
};
static_assert(names_all(kCaseStageNames));

std::string_view to_string(CaseStage value) {
    return name_of(kCaseStageNames, value);
}

std::optional<CaseStage> parse_case_stage(std::string_view text) {
    return value_of(kCaseStageNames, text);
}

}  // namespace a2h
