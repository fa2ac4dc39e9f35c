#include "core/wire/crypto.h"
