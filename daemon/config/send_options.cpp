#include "daemon/config/send_options.h"

#include "core/base/enum_names.h"

namespace a2h {

constexpr EnumName<AssistantWords> kAssistantWordsNames[] = {
    {AssistantWords::Review, "review"},
    {AssistantWords::Ask, "ask"},
    {AssistantWords::Open, "open"},
};
A2H_ENUM_NAMES(AssistantWords, parse_assistant_words, kAssistantWordsNames);

}  // namespace a2h
