#include "core/store/writer.h"
