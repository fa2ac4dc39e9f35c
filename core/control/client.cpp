#include "core/control/client.h"
