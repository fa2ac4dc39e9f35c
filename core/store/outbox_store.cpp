#include "core/store/outbox_store.h"
