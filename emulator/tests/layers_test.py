#!/usr/bin/env python3
"""Which folder may include which, how long a file and how full a folder may be: holds a tree to a table.

    layers_test.py TABLE

The table, layers.txt, is at the top of the tree that it is about, or names it. Its lines:

    tree PATH                    the tree, from the table's folder (default: the folder itself)
    find FOLDER ...              where an #include is looked up, besides the file's own folder
    find in ROOM FOLDER ...      the same, for files of this room and of rooms in it, in place of what holds for others
    ROOM: ROOM ...               what files of a room may include, besides files of their own room
    lines N, files N             the most lines of a source file, the most files of a folder
    longer PATH                  a file that is longer nevertheless; fuller PATH: a folder that is fuller
    against ROOM OTHER           files of a room include others against the arrows nevertheless: part of no cycle
    apart ROOM                   the folders of this room include nothing of each other
    beside FILE FOLDER           a file that includes something of this other folder nevertheless

A room is a folder with all below it that is no room of its own. A room with "tests" after its name is about its
files named *_test.* or test.* and what is in folders named tests: what they may include, besides what their room may.
A line of the table that nothing needs any more is an error, as is a cycle of rooms.
"""

import pathlib
import posixpath
import re
import subprocess
import sys

SOURCES = {".c", ".cpp", ".cu", ".cuh", ".h", ".hpp", ".inl", ".py", ".sh"}
INCLUDING = SOURCES - {".py", ".sh"}
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^">]+)[">]', re.MULTILINE)


class Table:
    def __init__(self, path):
        self.tree, self.find, self.rooms, self.of_tests = path.parent, {None: []}, {}, {}
        self.limits, self.longer, self.fuller, self.against = {}, set(), set(), set()
        self.apart, self.beside = set(), set()
        for number, line in enumerate(path.read_text().splitlines(), 1):
            line = line.split("#")[0].strip()
            if not line:
                continue
            if ":" in line:
                room, _, others = line.partition(":")
                tests = room.split()[1:] == ["tests"]
                (self.of_tests if tests else self.rooms)[room.split()[0]] = set(others.split())
                continue
            word, *rest = line.split()
            if word == "tree":
                self.tree = (path.parent / rest[0]).resolve()
            elif word == "find":
                room, folders = (rest[1], rest[2:]) if rest[0] == "in" else (None, rest)
                self.find.setdefault(room, []).extend(folders)
            elif word in ("lines", "files"):
                self.limits[word] = int(rest[0])
            elif word in ("longer", "fuller"):
                getattr(self, word).add(rest[0])
            elif word == "apart":
                self.apart.add(rest[0])
            elif word in ("against", "beside"):
                getattr(self, word).add(tuple(rest))
            else:
                sys.exit(f"{path}:{number}: no such line: {line}")
        named = set().union(*self.rooms.values(), *self.of_tests.values(), self.of_tests, self.apart, *self.against)
        for room in sorted(named - set(self.rooms)):
            sys.exit(f"{path}: {room} is named, but has no line of its own")

    def room_of(self, path):
        """The room with the longest name that PATH is in, or None."""
        parts = path.split("/")
        for length in range(len(parts) - 1, 0, -1):
            if "/".join(parts[:length]) in self.rooms:
                return "/".join(parts[:length])
        return None

    def folders_for(self, room):
        """Where files of a room look what they include up."""
        parts = room.split("/")
        for length in range(len(parts), 0, -1):
            if "/".join(parts[:length]) in self.find:
                return self.find["/".join(parts[:length])]
        return self.find[None]


def files_of(tree):
    """All files of the tree that git knows or would take; or all there are, where it is not a checkout, or a copy in a
    folder that a checkout ignores."""
    command = ["git", "ls-files", "-z", "-co", "--exclude-standard"]
    listed = subprocess.run(command, cwd=tree, text=True, capture_output=True, check=False)
    names = [name for name in listed.stdout.split("\0") if name] if listed.returncode == 0 else []
    if not names:
        names = [path.relative_to(tree).as_posix() for path in tree.rglob("*")]
    return sorted(name for name in names if (tree / name).is_file())


def is_test(name):
    *folders, file = name.split("/")
    return "_test." in file or file.startswith("test.") or "tests" in folders


def includes_of(table, names):
    """(file, what it includes, the file that this is)"""
    known = set(names)
    for name in names:
        room = table.room_of(name)
        if pathlib.PurePath(name).suffix not in INCLUDING or room is None:
            continue
        for included in INCLUDE.findall((table.tree / name).read_text(errors="replace")):
            for folder in [str(pathlib.PurePath(name).parent), *table.folders_for(room)]:
                target = posixpath.normpath(posixpath.join(folder, included))
                if target in known:
                    yield name, included, target
                    break


def edges_of(table, includes):
    """{(room, room, whether of a test): [(file, what it includes)]}"""
    edges = {}
    for name, included, target in includes:
        room, other = table.room_of(name), table.room_of(target)
        if other is not None and other != room:
            edges.setdefault((room, other, is_test(name)), []).append((name, included))
    return edges


def folder_within(room, name):
    """The folder of a room that a file is in, or None."""
    folder, _, rest = name.removeprefix(room + "/").partition("/")
    return f"{room}/{folder}" if rest and name.startswith(room + "/") else None


def between_folders(table, includes):
    """What folders that are to be apart have of each other."""
    excused = set()
    for name, included, target in includes:
        for room in table.apart:
            folder, other = folder_within(room, name), folder_within(room, target)
            if None in (folder, other) or folder == other:
                continue
            if (name, other) in table.beside:
                excused.add((name, other))
            else:
                yield f'{name}: includes "{included}", of another folder'
    for name, other in sorted(table.beside - excused):
        yield f"the table excuses that {name} includes something of {other}, which it does not"


def cycle_in(rooms):
    """A cycle of rooms, each of which may include the next, or None."""
    done, way = set(), []

    def visit(room):
        if room in way:
            return way[way.index(room):] + [room]
        if room in done:
            return None
        way.append(room)
        for other in sorted(rooms[room]):
            if found := visit(other):
                return found
        done.add(way.pop())
        return None

    return next(filter(None, map(visit, sorted(rooms))), None)


def wrong_with(table):
    names = files_of(table.tree)
    includes = list(includes_of(table, names))
    edges = edges_of(table, includes)
    for (room, other, test), places in sorted(edges.items()):
        if other in table.rooms[room] or (test and other in table.of_tests.get(room, ())):
            continue
        if (room, other) in table.against:
            continue
        for name, included in places:
            yield f'{name}: includes "{included}", but {room} may not include {other}'
    for rooms, test in ((table.rooms, False), (table.of_tests, True)):
        for room, others in sorted(rooms.items()):
            for other in sorted(others):
                if not any((room, other, kind) in edges for kind in ({True} if test else {False, True})):
                    yield f"the table lets {room}{' tests' * test} include {other}, which nothing there does"
    for room, other in sorted(table.against):
        if not any((room, other, test) in edges for test in (False, True)):
            yield f"the table excuses that {room} includes {other}, which nothing there does"
    for room in sorted(table.rooms):
        if not any(name.startswith(room + "/") for name in names):
            yield f"the table has a room {room}, which is not there"
    yield from between_folders(table, includes)
    if cycle := cycle_in(table.rooms):
        yield "a cycle: " + " -> ".join(cycle)
    if "lines" in table.limits:
        limit = table.limits["lines"]
        lengths = {name: len((table.tree / name).read_bytes().splitlines())
                   for name in names if pathlib.PurePath(name).suffix in SOURCES}
        yield from over("lines", limit, lengths, table.longer)
    if "files" in table.limits:
        counts = {}
        for name in names:
            folder = str(pathlib.PurePath(name).parent)
            counts[folder] = counts.get(folder, 0) + 1
        yield from over("files", table.limits["files"], counts, table.fuller)


def over(what, limit, counts, exceptions):
    for name, count in sorted(counts.items()):
        if count > limit and name not in exceptions:
            yield f"{name}: {count} {what}, more than {limit}"
    for name in sorted(exceptions):
        if counts.get(name, 0) <= limit:
            yield f"the table excuses {name}, which has {counts.get(name, 0)} {what}"


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    table = Table(pathlib.Path(sys.argv[1]).resolve())
    wrong = list(wrong_with(table))
    for line in wrong:
        print(line)
    edges = sum(len(others) for others in table.rooms.values())
    print(f"{len(table.rooms)} rooms, {edges} edges between them: {len(wrong)} problems")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
