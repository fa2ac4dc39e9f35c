#include "core/control/server.h"
