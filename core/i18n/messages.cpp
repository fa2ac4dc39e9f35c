#include "core/i18n/messages.h"
