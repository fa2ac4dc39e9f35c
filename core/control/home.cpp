#include "core/control/home.h"
