"""The page's scripts as one: ES modules cannot import each other inside one file.

Each module becomes a function that is called once and returns its exports; its imports
read what the functions before it have returned. `main.js` comes last.
"""

from __future__ import annotations

import re
from collections.abc import Callable

_IMPORT = re.compile(r'^import \{([^}]*)\} from "\./(\w+)\.js";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?:const|function\*?|class) (\w+)", re.MULTILINE)


def joined(main: str, read: Callable[[str], str]) -> str:
    """Return a module and all that it needs as one script.

    `main`: name of the module, without ".js". `read`: returns the text of a module.
    """
    texts: dict[str, str] = {}
    for name in in_order(main, read):
        texts[name] = _as_function(name, read(name))
    return "".join(texts.values())


def in_order(main: str, read: Callable[[str], str]) -> list[str]:
    """Return the names of all modules, each behind those that it imports."""
    done: list[str] = []
    waiting = [main]
    while waiting:
        name = waiting[-1]
        needed = [found[2] for found in _IMPORT.finditer(read(name))]
        first = [other for other in needed if other not in done]
        circle = [other for other in first if other in waiting]
        if circle:
            raise ValueError(f"{name}.js and {circle[0]}.js import each other")
        if first:
            waiting.append(first[0])
        else:
            done.append(waiting.pop())
    return done


def exports(text: str) -> list[str]:
    """Return the names that a module exports."""
    return _EXPORT.findall(text)


def _as_function(name: str, text: str) -> str:
    names = ", ".join(exports(text))
    body = _IMPORT.sub(r"const {\1} = \2_module;\n", text)
    body = re.sub(r"^export ", "", body, flags=re.MULTILINE)
    return f"const {name}_module = (() => {{\n{body}return {{ {names} }};\n}})();\n"
