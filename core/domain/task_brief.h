#pragma once

#include <optional>
#include <string>
#include <vector>

namespace a2h {

/// The services of an agent for others: the text that an introduction passes on.
struct InterfaceSpec {
    std::string services;
    std::string input_format;
    std::string output_format;
    std::vector<std::string> examples;

    bool operator==(const InterfaceSpec&) const = default;
};

/// An agent that a brief names for help.
struct Collaborator {
    std::string agent_id;
    std::string role;
    std::string description;
    std::optional<InterfaceSpec> interface_spec;

    bool operator==(const Collaborator&) const = default;
};

/// Everything that an agent needs to know to do a task for another agent. The first five members
/// are required and not empty, except that the list of constraints may be empty.
struct TaskBrief {
    std::string objective;
    std::vector<std::string> constraints;
    std::string inputs;
    std::string outputs;
    std::string completion_criteria;
    std::vector<Collaborator> collaborators;
    std::vector<std::string> references;
    std::string priority;  ///< one word, such as high; may be empty

    bool operator==(const TaskBrief&) const = default;
};

}  // namespace a2h
