#include "core/wire/envelope.h"
