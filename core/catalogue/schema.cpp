#include "core/catalogue/schema.h"
