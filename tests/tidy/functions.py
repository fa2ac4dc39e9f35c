"""Finds functions and measures them: how many lines from the first of the declaration to the last.

A brace opens a scope (a namespace, a type), the body of a
function, a list of values, or the body of a lambda. What is inside a body belongs to that body; a
lambda outside of any (in a table, in the initialiser of a constant or of a member) is measured
itself. A constructor begins before its list of initialisers and ends with its body, whatever
braces the list contains.
"""

import ast
import re

SCOPE = re.compile(r"(template\s*<.*>\s*)?((inline|typedef|static|const|constexpr)\s+)*"
                   r"(namespace|class|struct|enum|union|extern)\b[^()=§]*$", re.S)
TOKEN = re.compile(r'//[^\n]*|/\*.*?\*/|R"([^(\s]*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|'
                   r"(?<!\w)'(?:\\.|[^'\\\n])+'", re.S)
# Behind '[…]', its parameters and what may follow them.
LAMBDA = re.compile(r"(?<![\w\])§])(?<!operator)\s*\[(?:[^\[\]]|\[[^\[\]]*\])*\]\s*(?:<[^{};]*>\s*)?"
                    r"(?:requires\b[^{};§]*(?:§[^{};§]*)?)?(?:§\s*)?"
                    r"(?:(?:mutable|noexcept|constexpr|consteval|static)\s*(?:§\s*)?)*"
                    r"(?:->[^{};]*?)?(?:\s*requires\b[^{};]*)?$")
# The text before a constructor's member initializers.
INITIALISERS = re.compile(r"§\s*(noexcept\s*(§\s*)?)?:(?!:)")
ARGUMENTS = re.compile(r"<[^<>{};=]*>")  # of a template
OPERATOR = re.compile(r"\boperator\s*[^\s\w§]+")
REQUIRED = re.compile(r"(?<=[\s§])requires\b[^{};]*$")  # behind a function's parameters
DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n\\]|\\.)*", re.M | re.S)
INNER = re.compile(r"\(([^()]*)\)")
# A function or method of a script; the formatting ends it where its line began.
SCRIPTED = re.compile(r"^([ \t]*)(?:export |default |async |static |const \w+ = )*"
                      r"(?:function\b|#?\w+\(|\([^\n]*=>|\w+ =>)[^\n]*\{\n(?:.*?\n)??\1\}",
                      re.M | re.S)


def blank(match):
    """Same number of lines; a text is one without anything in it, a comment nothing at all."""
    text = match.group(0)
    return ("" if text.startswith("/") else '""') + "\n" * text.count("\n")


def without_parentheses(head):
    """'§' for each pair of parentheses that is closed; line ends stay."""
    shorter = INNER.sub(lambda match: "§" + "\n" * match.group(1).count("\n"), head)
    while shorter != head:
        head = shorter
        shorter = INNER.sub(lambda match: "§" + "\n" * match.group(1).count("\n"), head)
    return head


def without_template(head):
    """Without 'template <…>', whose defaults contain '='."""
    while match := re.match(r"\s*template\s*<", head):
        depth, end = 1, match.end()
        while depth and end < len(head):
            depth += {"<": 1, ">": -1}.get(head[end], 0)
            end += 1
        head = head[end:]
    return head


def kind_of(head):
    """The kind of block that the brace after `head` opens, and the line of `head` where it is."""
    head = without_parentheses(head)
    first = head[:len(head) - len(head.lstrip())].count("\n")
    if SCOPE.match(head.strip()):
        return "scope", first
    if match := LAMBDA.search(head):
        return "lambda", head.count("\n", 0, head.index("[", match.start()))
    if "(" in head:
        return "value", first  # an argument
    if "§" in head[:head.find("requires")]:
        head = REQUIRED.sub("", head)
    head = OPERATOR.sub("operator", without_template(head).strip())
    head = re.sub(r"[=!]=", "", head)  # in the arguments of a template
    if INITIALISERS.search(head):
        return ("value" if re.search(r"[\w>]$", head) else "body"), first
    while ARGUMENTS.search(head):
        head = ARGUMENTS.sub("", head)
    return ("body" if "§" in head and "=" not in head else "value"), first


def macros(text):
    """(first line, last line) of each directive."""
    code = TOKEN.sub(blank, text)
    for match in DIRECTIVE.finditer(code):
        first = code.count("\n", 0, match.start()) + 1
        yield first, first + match.group(0).count("\n")


def of_python(text):
    """(first line, last line) of each function."""
    try:
        tree = ast.parse(text)
    except SyntaxError:
        return
    for node in ast.walk(tree):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            yield node.lineno, node.end_lineno


def of_script(text):
    """(first line, last line) of each function of JavaScript."""
    for match in SCRIPTED.finditer(text):
        first = text.count("\n", 0, match.start()) + 1
        yield first, first + match.group(0).count("\n")


def bodies(text):
    """(first line, last line) of each function and of each lambda outside of functions."""
    code = DIRECTIVE.sub(lambda match: "\n" * match.group(0).count("\n"), TOKEN.sub(blank, text))
    code = code.replace("<%", "{").replace("%>", "}")
    outer, head, head_line = [], "", 1
    line, depth, start = 1, 0, 0
    for char in code:
        if char == "\n":
            line += 1
        if depth:  # in a body
            depth += {"{": 1, "}": -1}.get(char, 0)
            if depth == 0:
                yield start, line
                kind, head, head_line = outer.pop()
                head = head + "}" if kind == "lambda" else ""
        elif char == "{":
            kind, first = kind_of(head)
            outer.append((kind, head, head_line))
            if kind in ("body", "lambda"):
                depth, start = 1, head_line + first
            head = ""
        elif char == "}":
            kind, head, head_line = outer.pop() if outer else ("scope", "", line)
            head = head + "}" if kind == "value" else ""
        elif char == ";":
            head = ""
        else:
            if not head:
                head_line = line
            if head or not char.isspace():
                head += char
