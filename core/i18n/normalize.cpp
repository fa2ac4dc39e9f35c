#include "core/i18n/normalize.h"
