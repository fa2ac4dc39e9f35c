#pragma once

#include "core/http/open_connections.h"
#include "core/http/server.h"

namespace boost::asio {
class io_context;
class thread_pool;
}  // namespace boost::asio

namespace a2h::http {

/// The parts that all connections of a server share. The object and everything it refers to must
/// outlive the connections.
struct ServerParts {
    const Server::Options& options;
    const Server::Handler& handler;
    const Server::ChooseBody& choose_body;
    OpenConnections& open;
    boost::asio::io_context& io;         ///< connections run on strands of it
    boost::asio::thread_pool& handlers;  ///< runs handlers, which may block
};

/// Serves `descriptor`, a connected TCP socket, and closes it at the end, or at once if no more
/// connections are accepted.
///
/// Thread:  any.
void serve(const ServerParts& server, int descriptor, bool is_ipv6);

}  // namespace a2h::http
