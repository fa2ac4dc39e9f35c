#pragma once

#include <optional>
#include <string>
#include <vector>

namespace a2h {

/// What an agent offers to others: the words that an introduction hands on.
struct InterfaceSpec {
    std::string services;
    std::string input_format;
    std::string output_format;
    std::vector<std::string> examples;

    bool operator==(const InterfaceSpec&) const = default;
};

/// Somebody whom a brief names for help.
struct Collaborator {
    std::string agent_id;
    std::string role;
    std::string description;
    std::optional<InterfaceSpec> interface_spec;

    bool operator==(const Collaborator&) const = default;
};

/// Everything that an agent needs to know to do a task for another one. The first five are
/// required and not empty, but that no constraints at all may be said as an empty list.
struct TaskBrief {
    std::string objective;
    std::vector<std::string> constraints;
    std::string inputs;
    std::string outputs;
    std::string completion_criteria;
    std::vector<Collaborator> collaborators;
    std::vector<std::string> references;
    std::string priority;  ///< a word, e.g. high; may be empty

    bool operator==(const TaskBrief&) const = default;
};

}  // namespace a2h
