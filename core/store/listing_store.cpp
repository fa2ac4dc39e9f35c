#include "core/store/listing_store.h"
