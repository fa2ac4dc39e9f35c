#include "core/domain/stage_case.h"

#include "core/base/enum_names.h"

namespace a2h {

constexpr EnumName<CaseKind> kCaseKindNames[] = {
    {CaseKind::Draft, "draft"},
    {CaseKind::Reply, "reply"},
    {CaseKind::Holding, "holding"},
};
A2H_ENUM_NAMES(CaseKind, parse_case_kind, kCaseKindNames);

constexpr EnumName<CaseStage> kCaseStageNames[] = {
    {CaseStage::Context, "context"},
    {CaseStage::Agent, "agent"},
    {CaseStage::Review, "review"},
    {CaseStage::Closed, "closed"},
};
A2H_ENUM_NAMES(CaseStage, parse_case_stage, kCaseStageNames);

}  // namespace a2h
