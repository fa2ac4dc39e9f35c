#include "core/store/event_store.h"
