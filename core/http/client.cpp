#include "core/http/client.h"
