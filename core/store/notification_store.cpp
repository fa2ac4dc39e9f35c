#include "core/store/notification_store.h"
