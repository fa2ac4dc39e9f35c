#include "daemon/web/web_server.h"
