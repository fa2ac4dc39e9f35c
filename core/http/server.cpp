#include "core/http/server.h"
