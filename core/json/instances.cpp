#include "core/json/instances.h"

A2H_JSON_INSTANCES()
