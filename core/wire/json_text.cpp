#include "core/wire/json_text.h"
