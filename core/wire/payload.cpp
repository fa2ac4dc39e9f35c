#include "core/wire/payload.h"
