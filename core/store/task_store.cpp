#include "core/store/task_store.h"
