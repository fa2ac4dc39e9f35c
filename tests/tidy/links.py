"""Finds what reaches a room around its includes: libraries, include directories, forced headers.

The arrows of `rooms.ARROWS` hold for links, too: the CMakeLists.txt of a room names the libraries
whose headers it includes, of rooms that it may use and of `core`, and no other. What such a library
needs in turn comes with it. Include directories, options and precompiled headers that
all share are defined in `cmake/` only.
"""

import posixpath
import re

import rooms
import targets

LOWER = ("core", "mcp")  # they use no room
WORD = re.compile(r"[\s;<>:,\"]+")
MAKING = {"a2h_library", "a2h_program", "add_library", "add_executable"}
PROPERTIES = re.compile(r"(INTERFACE_)?((SYSTEM_)?INCLUDE_DIRECTORIES|PRECOMPILE_HEADERS|"
                        r"PRECOMPILE_HEADERS_REUSE_FROM|LINK_LIBRARIES|"
                        r"LINK_INTERFACE_LIBRARIES)|CMAKE_INCLUDE_CURRENT_DIR\w*|"
                        r"CMAKE_\w*INCLUDE_(DIRECTORIES|PATH)|INCLUDE_REGULAR_EXPRESSION")
OPTION = re.compile(r"(?:^|[\s;:,>])(-include|-imacros|-isystem|-iquote|-idirafter|"
                    r"-iwithprefix\w*|-I)")
# Where a header may be that is included by its path from the root, or that the build makes.
FOLDERS = {"${CMAKE_SOURCE_DIR}", "${CMAKE_CURRENT_BINARY_DIR}"}
KEYWORDS = {"PUBLIC", "PRIVATE", "INTERFACE", "SYSTEM", "BEFORE", "AFTER"}


def library_of(room):
    parts = room.split("/")
    return "a2h_" + "_".join(parts[parts[0] == "daemon":])


def is_ours(place):
    """`cmake/` and the root define what all share; tests link what they like."""
    return (posixpath.basename(place) == "CMakeLists.txt" or place.endswith(".cmake")) and \
        place.split("/")[0] in (*rooms.PROGRAMS, *LOWER, "cli")


def room_of(place):
    """The room of a CMakeLists.txt, or the folder of what is no room."""
    folder = posixpath.dirname(place)
    while folder and folder not in rooms.ARROWS and "/" in folder:
        folder = posixpath.dirname(folder)
    return folder


def owners(files):
    """The room of each target that a room makes."""
    found = {library_of(room): room for room in rooms.ARROWS}
    for place in sorted(filter(is_ours, files)):
        if room_of(place) not in rooms.ARROWS:
            continue
        for _, name, arguments in targets.commands(files[place]):
            if name in MAKING and arguments:
                found.setdefault(arguments[0], room_of(place))
            if name == "a2h_embed" and arguments:
                found.setdefault(f"a2h_embedded_{arguments[0]}", room_of(place))
    return {**found, **{f"{name}_json_files": room for name, room in found.items()}}


def may_use(room, other):
    if room == other:
        return True
    program = room.split("/")[0]
    return other in {f"{program}/{name}" for name in rooms.ARROWS.get(room, "").split()}


def of_links(room, name, arguments, values, owner):
    """Sentences about the libraries that a command names, linking them or not."""
    for argument in arguments:
        word = argument
        for _ in range(4):
            word = targets.VARIABLE.sub(
                lambda match: values.get(match.group(1), match.group(0)), word)
        if name in ("target_link_libraries", "link_libraries") and "${" in word:
            yield f"{argument} cannot be resolved; name the library"
        for library in WORD.split(word):
            other = owner.get(library)
            if other and not may_use(room, other):
                yield f"{room} may not link {library}; see ARROWS in tests/tidy/rooms.py"


def of_headers(name, arguments):
    """Sentences about headers that a command provides without an include from the root."""
    if name == "target_precompile_headers":
        yield "precompiled headers are defined in cmake/"
    if name == "include_directories":
        yield "include directories are defined in cmake/"
    if name == "target_include_directories":
        for folder in arguments[1:]:
            if folder not in KEYWORDS | FOLDERS:
                yield f"{folder}: a header is included by its path from the root"
    for argument in arguments:
        if match := OPTION.search(argument):
            yield f"{match.group(1)} goes around the includes"
        for word in WORD.split(argument):
            if PROPERTIES.fullmatch(word):
                yield f"{word} is what cmake/ sets"


def of_file(place, text, owner):
    room = room_of(place)
    is_bound = room in rooms.ARROWS or room.split("/")[0] in LOWER
    values = {}
    for line, name, arguments in targets.commands(text):
        targets.remember(values, name, arguments)
        if is_bound and name != "add_dependencies":
            for sentence in of_links(room, name, arguments, values, owner):
                yield line, sentence
        for sentence in of_headers(name, arguments):
            yield line, sentence


CHANGING = re.compile(r"target_\w+|set_target_properties|set_property")


def from_elsewhere(files, owner):
    """The target of a room is changed by the CMakeLists.txt of that room only."""
    for place, text in sorted(files.items()):
        if posixpath.basename(place) != "CMakeLists.txt" and not place.endswith(".cmake"):
            continue
        for line, name, arguments in targets.commands(text):
            room = next((owner[word] for word in arguments[:4 if name == "set_property" else 1]
                         if word in owner), None)
            if room and CHANGING.fullmatch(name) and room_of(place) != room:
                yield place, line, f"{name} changes a target of {room}; it belongs there"


# Every library links these.
EVERYWHERE = {"a2h_base", "a2h_json"}
EMBEDDED = re.compile(r'^\s*#\s*include\s*"embedded/(\w+)\.h"', re.M)


class Libraries:
    """The library that has a header: of a room, or of a folder of `core`."""

    def __init__(self, files):
        self.of_source, self.of_folder = {}, {}
        for place in files:
            folder = posixpath.dirname(place)
            if not place.startswith("core/") or posixpath.basename(place) != "CMakeLists.txt":
                continue
            for _, name, arguments in targets.commands(files[place]):
                if name in ("a2h_library", "add_library") and arguments:
                    self.of_folder.setdefault(folder, []).append(arguments[0])
                    self.of_source.update((f"{folder}/{posixpath.splitext(source)[0]}",
                                           arguments[0]) for source in arguments[1:])

    def of(self, header):
        if room := rooms.room_of(header):
            return library_of(room)
        libraries = self.of_folder.get(posixpath.dirname(header), [None])
        return self.of_source.get(posixpath.splitext(header)[0], libraries[0])


def included(files):
    """For each room: the libraries that it includes, each with a file that does."""
    libraries, found = Libraries(files), {}
    for path, names in sorted(rooms.includes(files).items()):
        used = found.setdefault(rooms.room_of(path), {})
        for library in [libraries.of(name) for name, _ in names] + [
                f"a2h_embedded_{name}" for name in EMBEDDED.findall(files[path])]:
            if library:
                used.setdefault(library, path)
    return found


def named(text):
    """The libraries that the library and the program of a room link, each with its line."""
    found = {}
    for line, name, arguments in targets.commands(text):
        if name in ("a2h_library", "a2h_program"):
            for argument in arguments[1:]:
                if argument.startswith("a2h_"):
                    found.setdefault(argument, line)
    return found


def unlike_includes(files, owner):
    """A room links the libraries that it includes, does not count on others, and names no more."""
    for room, used in sorted(included(files).items()):
        place = f"{room}/CMakeLists.txt"
        if place not in files:
            continue
        links = named(files[place])
        for library, path in sorted(used.items()):
            if library not in links and library not in EVERYWHERE | {library_of(room)} and (
                    library not in owner or may_use(room, owner[library])):
                yield place, 1, f"{path} includes headers of {library}; link it"
        for library, line in sorted(links.items()):
            if library not in used and owner.get(library) != room:
                yield place, line, f"nothing in {room} includes {library}; do not link it"


def findings(files):
    """(file, line, sentence) of each."""
    owner = owners(files)
    for place in sorted(filter(is_ours, files)):
        for line, sentence in of_file(place, files[place], owner):
            yield place, line, sentence
    yield from from_elsewhere(files, owner)
    yield from unlike_includes(files, owner)
