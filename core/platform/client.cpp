#include "core/platform/client.h"
