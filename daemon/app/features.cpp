#include "daemon/app/features.h"

#include "daemon/agents/logins.h"
#include "daemon/agents/tasks.h"
#include "daemon/bargain/bargain_mandate.h"
#include "daemon/bargain/bargaining.h"
#include "daemon/collab/consent.h"
#include "daemon/collab/matter.h"
#include "daemon/consent/news.h"
#include "daemon/health/listening.h"
#include "daemon/mail/news.h"
#include "daemon/operations/reload.h"
#include "daemon/trade/actions.h"
#include "daemon/trade/order_news.h"
#include "daemon/trade/session_news.h"

namespace a2h {

void register_features() {
    agents::register_actions();
    agents::register_login_actions();
    collab::register_actions();
    collab::register_matter();
    trade::register_actions();
    trade::register_order_news();
    trade::register_session_news();
    bargain::register_actions();
    bargain::register_continuing();
    consent::register_news();
    mail::register_news();
    health::register_news();
    operations::register_news();
}

}  // namespace a2h
