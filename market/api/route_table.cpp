#include "market/api/route_table.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace a2h::market {
namespace {

std::string_view take_segment(std::string_view& path) {
    const std::string_view segment = path.substr(0, path.find('/'));
    path.remove_prefix(std::min(path.size(), segment.size() + 1));
    return segment;
}

std::string_view without_root(std::string_view path) {
    return path.substr(path.starts_with('/') ? 1 : 0);
}

}  // namespace

struct RouteTable::Search {
    std::string_view method;
    std::vector<std::string_view> arguments;
    Found found;
};

RouteTable::RouteTable() {
    for (const Resource& resource : all_resources()) {
        for (const Route& route : resource.routes)
            add(route);
    }
}

RouteTable::~RouteTable() = default;

void RouteTable::add(const Route& route) {
    A2H_CHECK((route.form == Form::Raw) == (route.raw_handler != nullptr));
    const int answers = (route.handler != nullptr) + (route.text_handler != nullptr);
    A2H_CHECK(answers == (route.form == Form::Raw ? 0 : 1));
    A2H_CHECK(route.text_handler == nullptr || (route.form == Form::Platform && !route.once));
    Node* node = &root_;
    for (std::string_view rest = without_root(route.path); !rest.empty();) {
        const std::string_view segment = take_segment(rest);
        auto& next = segment.starts_with('{') ? node->any : node->fixed[std::string(segment)];
        if (!next) next = std::make_unique<Node>();
        node = next.get();
    }
    Entry entry;
    entry.route = &route;
    entry.index = size_++;
    entry.strictness = strictness_of(route.path);
    entry.query_schema =
        std::make_unique<nlohmann::json>(compile_schema(route.query_schema, entry.strictness));
    if (!route.body_schema.empty()) {
        entry.body_schema =
            std::make_unique<nlohmann::json>(compile_schema(route.body_schema, entry.strictness));
    }
    for (const Entry& other : node->entries)
        A2H_CHECK(other.route->method != route.method);
    node->entries.push_back(std::move(entry));
}

std::vector<std::string> RouteTable::names() const {
    std::vector<std::string> all;
    for (const Resource& resource : all_resources()) {
        for (const Route& route : resource.routes)
            all.push_back(std::string(route.method) + " " + std::string(route.path));
    }
    return all;
}

bool RouteTable::descend(const Node& node, std::string_view rest, Search& search) {
    if (rest.empty()) {
        for (const Entry& entry : node.entries) {
            auto& allowed = search.found.allowed_methods;
            allowed.append(allowed.empty() ? "" : ", ").append(entry.route->method);
            if (entry.route->method == search.method) search.found.entry = &entry;
        }
        return search.found.entry != nullptr;
    }
    const std::string_view segment = take_segment(rest);
    const auto fixed = node.fixed.find(segment);
    if (fixed != node.fixed.end() && descend(*fixed->second, rest, search)) return true;
    if (!node.any || segment.empty()) return false;
    search.arguments.push_back(segment);
    if (descend(*node.any, rest, search)) return true;
    search.arguments.pop_back();
    return false;
}

RouteTable::Found RouteTable::find(std::string_view method, std::string_view path) const {
    Search search;
    // The answer to HEAD is that to GET without its body.
    search.method = method == "HEAD" ? "GET" : method;
    descend(root_, without_root(path), search);
    search.found.arguments.assign(search.arguments.begin(), search.arguments.end());
    return std::move(search.found);
}

}  // namespace a2h::market
