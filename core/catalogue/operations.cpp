#include "core/catalogue/operations.h"
