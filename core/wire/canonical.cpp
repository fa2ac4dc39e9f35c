#include "core/wire/canonical.h"
