#include "core/store/contact_store.h"
