#include "core/store/setting_store.h"
