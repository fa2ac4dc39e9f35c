#include "core/store/approval_store.h"
