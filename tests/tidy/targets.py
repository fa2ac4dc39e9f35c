"""Finds targets that compile files of another folder.

A folder of `core`, `daemon`, `market`, `cli` or `mcp` with a CMakeLists.txt owns its source files:
only that file names them, and in one target. Tests share their own files, but link those of the
programs. How a file is named does not matter: paths, variables and patterns are resolved.
"""

import fnmatch
import posixpath
import re

import rooms

PRODUCT = ("core", "daemon", "market", "cli", "mcp", "locales", "playbooks")
SOURCES = (".c", ".cc", ".cpp", ".cxx")
TARGETS = {"a2h_library", "a2h_program", "a2h_test", "add_library", "add_executable",
           "target_sources"}
# Files that more than one target compiles, each with the reason. An entry that is needed no more
# is a finding, too.
_SANITIZED = "with a sanitizer, the module for mosquitto cannot link libraries that contain it"
EXCEPTIONS = {
    ("market/broker/CMakeLists.txt", "market/broker/access.cpp"): _SANITIZED,
    ("market/broker/CMakeLists.txt", "market/broker/token.cpp"): _SANITIZED,
    ("market/broker/CMakeLists.txt", "core/base/check.cpp"): _SANITIZED,
    ("market/broker/CMakeLists.txt", "core/base/file.cpp"): _SANITIZED,
    ("market/broker/CMakeLists.txt", "core/base/ids.cpp"): _SANITIZED,
    ("market/broker/CMakeLists.txt", "core/base/result.cpp"): _SANITIZED,
}
# Targets of a room beside its library and its program, which is made of main.cpp.
MORE_TARGETS = {
    "a2h_broker_auth": "market/broker",  # the module that mosquitto loads
}

COMMENT = re.compile(r'("(?:\\.|[^"\\])*")|#\[(=*)\[.*?\]\2\]|#[^\n]*', re.S)
COMMAND = re.compile(r'\b([A-Za-z_]\w*)\s*\(((?:"(?:\\.|[^"\\])*"|[^()"]|\([^()]*\))*)\)', re.S)
ARGUMENT = re.compile(r'"((?:\\.|[^"\\])*)"|\[(=*)\[(.*?)\]\2\]|([^\s"]+)', re.S)
VARIABLE = re.compile(r"\$\{(\w+)\}")
ROOT = {"CMAKE_SOURCE_DIR", "PROJECT_SOURCE_DIR", "CMAKE_HOME_DIRECTORY", "a2h_SOURCE_DIR"}
HERE = {"CMAKE_CURRENT_SOURCE_DIR", "CMAKE_CURRENT_LIST_DIR"}
BUILT = re.compile(r"\$\{\w*BINARY_DIR\}|\$\{dir\}/embedded")


def commands(text):
    """(line, name, arguments) of each command."""
    text = COMMENT.sub(lambda match: match.group(1) or "\n" * match.group(0).count("\n"), text)
    for match in COMMAND.finditer(text):
        arguments = [quoted or bracketed or word
                     for quoted, _, bracketed, word in ARGUMENT.findall(match.group(2))]
        yield text.count("\n", 0, match.start()) + 1, match.group(1).lower(), arguments


def remember(values, name, arguments):
    """Keeps what a command puts into a variable, if that is one text."""
    if name == "set" and len(arguments) == 2:
        values[arguments[0]] = arguments[1]
    elif name == "string" and len(arguments) > 1 and arguments[0] in ("CONCAT", "APPEND"):
        before = values.get(arguments[1], "") if arguments[0] == "APPEND" else ""
        values[arguments[1]] = before + "".join(arguments[2:])


def resolved(word, folder, values):
    """The path from the root that `word` names; None if it names a file that the build makes."""
    for _ in range(4):
        if BUILT.search(word):
            return None
        word = VARIABLE.sub(lambda match: values.get(match.group(1), match.group(0)), word)
    word = VARIABLE.sub(lambda match: "/" if match.group(1) in ROOT else
                        "/" + folder if match.group(1) in HERE else match.group(0), word)
    word = re.sub("//+", "/", word)
    return posixpath.normpath(word.lstrip("/") if word.startswith("/")
                              else posixpath.join(folder, word))


class Targets:
    def __init__(self, files):
        self.files = files
        self.sources = [path for path in files if path.endswith(SOURCES)]
        self.folders = {posixpath.dirname(path) for path in files
                        if posixpath.basename(path) == "CMakeLists.txt"}
        self.compiled = {}  # source file: targets
        self.excused = set()

    def owner(self, path):
        """The folder whose CMakeLists.txt may name `path`."""
        folder = posixpath.dirname(path)
        while folder and folder not in self.folders and folder not in rooms.ARROWS:
            folder = posixpath.dirname(folder)
        return folder

    def meant(self, path):
        """The source files that a path or a pattern stands for."""
        if "*" not in path and "?" not in path:
            return [path] if path.endswith(SOURCES) else []
        depth = path.count("/")
        return [each for each in self.sources
                if each.count("/") == depth and fnmatch.fnmatchcase(each, path)]

    def of_file(self, place):
        folder = posixpath.dirname(place)
        values = {}
        for line, name, arguments in commands(self.files[place]):
            remember(values, name, arguments)
            yield from self.of_command(place, folder, line, name, arguments, values)

    def of_command(self, place, folder, line, name, arguments, values):
        is_product = folder.split("/")[0] in PRODUCT
        if name == "aux_source_directory" or arguments[:1] == ["GLOB_RECURSE"] and is_product:
            yield line, f"{name} collects files of other folders; use a2h_library(… FOLDER)"
        if name in ("include", "add_subdirectory", "subdirs") and is_product and any(
                "/" in argument for argument in arguments[:1]):
            yield line, f"{name} stays inside its folder"
        for argument in arguments:
            for word in re.split(r"[;<>:,]", argument):
                path = resolved(word, folder, values)
                if path is None:
                    continue
                if place.endswith(".cmake"):
                    if path not in self.files:
                        continue
                elif "${" in path and (name in TARGETS and is_product
                                       or "/" in word and path.endswith(SOURCES)):
                    yield line, f"{word} cannot be resolved; name the file"
                yield from self.of_sources(place, folder, line, name, arguments, path)
                if name == "list" and path in self.folders and path != folder and is_product:
                    yield line, f"{word} is another folder; link its library"

    def of_sources(self, place, folder, line, name, arguments, path):
        target = arguments[0] if name in TARGETS and arguments else None
        for source in self.meant(path):
            if target and path == source and source.split("/")[0] in PRODUCT:
                self.compiled.setdefault(source, {}).setdefault(target, (place, line))
            owner = self.owner(source)
            if owner == folder and not (folder in rooms.ARROWS
                                        and posixpath.dirname(source) != folder):
                continue
            if place.startswith("tests/") and source.startswith("tests/"):
                continue
            if self.is_excused(place, source):
                continue
            yield line, f"{source} belongs to another folder; link its library"

    def is_excused(self, place, source):
        self.excused.add((place, source))
        return (place, source) in EXCEPTIONS

    def of_room(self, place):
        """A room is one library of its name."""
        room = posixpath.dirname(place)
        parts = room.split("/")
        name = "a2h_" + "_".join(parts[parts[0] == "daemon":])
        libraries = [(line, arguments) for line, command, arguments
                     in commands(self.files[place]) if arguments and
                     command in ("a2h_library", "add_library", "a2h_program", "add_executable")]
        if not any(arguments[0] == name for _, arguments in libraries):
            yield 1, f"this folder has no library {name}"
        for line, arguments in libraries:
            is_program = [word for word in arguments if word.endswith(SOURCES)] == ["main.cpp"]
            is_known = MORE_TARGETS.get(arguments[0]) == room
            if (arguments[0] != name and not is_known and not is_program
                    and arguments[1:2] != ["INTERFACE"]):
                yield line, f"the library of this folder is {name}"

    def findings(self):
        for place in sorted(self.files):
            if posixpath.basename(place) != "CMakeLists.txt" and not place.endswith(".cmake"):
                continue
            for line, sentence in self.of_file(place):
                yield place, line, sentence
            folder = posixpath.dirname(place)
            if folder in rooms.ARROWS and place.endswith("/CMakeLists.txt"):
                for line, sentence in self.of_room(place):
                    yield place, line, sentence
            elif folder.split("/")[0] in rooms.PROGRAMS and "/" in folder:
                yield place, 1, f"{folder} is missing in ARROWS of tests/tidy/rooms.py"
        for source, targets in sorted(self.compiled.items()):
            for target, (place, line) in list(targets.items())[1:]:
                if not self.is_excused(place, source):
                    yield place, line, f"{source} is compiled for {target} a second time"
        for place, source in sorted(EXCEPTIONS):
            if place in self.files and (place, source) not in self.excused:
                yield place, 1, f"{source} needs no exception in tests/tidy/targets.py any more"


def findings(files):
    """(file, line, sentence) of each."""
    return Targets(files).findings()
