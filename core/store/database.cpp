#include "core/store/database.h"
