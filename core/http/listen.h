#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <cstdint>
#include <string>

#include "core/base/result.h"

namespace a2h::http {

/// Opens `acceptor` on `address` (an IP address) and returns the port, which is a free one when
/// `port` is 0. Errors: InvalidArgument for a bad address, Conflict when the port is taken.
template <typename Acceptor>
Result<std::uint16_t> listen_on(Acceptor& acceptor, const std::string& address,
                                std::uint16_t port) {
    boost::system::error_code error;
    const auto ip = boost::asio::ip::make_address(address, error);
    if (error) {
        return fail(ErrorCode::InvalidArgument,
                    "\"" + address + "\" is not an IP address to listen on");
    }
    const boost::asio::ip::tcp::endpoint endpoint(ip, port);
    acceptor.open(endpoint.protocol(), error);
    if (!error) acceptor.set_option(boost::asio::ip::tcp::acceptor::reuse_address(true), error);
    if (!error) acceptor.bind(endpoint, error);
    if (!error) acceptor.listen(boost::asio::socket_base::max_listen_connections, error);
    if (error) {
        const bool taken = error == boost::asio::error::address_in_use;
        return fail(taken ? ErrorCode::Conflict : ErrorCode::InvalidArgument,
                    "cannot listen on " + address + " port " + std::to_string(port) + ": " +
                        error.message());
    }
    return acceptor.local_endpoint().port();
}

}  // namespace a2h::http
