#include "core/store/inbox_store.h"
