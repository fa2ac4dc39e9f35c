#pragma once

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "market/api/route.h"
#include "market/api/schema_texts.h"

namespace a2h::market {

/// The rows of `all_resources()` in a form for serving: a tree of path segments and compiled
/// schemas. Immutable after construction.
///
/// Thread:  any.
class RouteTable {
  public:
    RouteTable();
    ~RouteTable();
    RouteTable(const RouteTable&) = delete;
    RouteTable& operator=(const RouteTable&) = delete;

    struct Entry {
        const Route* route = nullptr;
        std::size_t index = 0;  ///< index in `names()`
        Strictness strictness = Strictness::Platform;
        std::unique_ptr<nlohmann::json> query_schema;
        std::unique_ptr<nlohmann::json> body_schema;  ///< nullptr: no body is read
    };

    struct Found {
        const Entry* entry = nullptr;        ///< nullptr: no such path, or not with that method
        std::vector<std::string> arguments;  ///< the values for each `{…}`
        std::string allowed_methods;         ///< "GET, POST" if only the method does not fit
    };
    /// "METHOD /path" of each route.
    std::vector<std::string> names() const;
    std::size_t size() const { return size_; }
    Found find(std::string_view method, std::string_view path) const;

  private:
    struct Node {
        std::map<std::string, std::unique_ptr<Node>, std::less<>> fixed;
        std::unique_ptr<Node> any;  ///< `{…}`
        std::vector<Entry> entries;
    };
    struct Search;

    void add(const Route& route);
    static bool descend(const Node& node, std::string_view rest, Search& search);

    Node root_;
    std::size_t size_ = 0;
};

}  // namespace a2h::market
