#include "core/mqtt/connection.h"
