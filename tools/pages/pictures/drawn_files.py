"""Files that programs draw and the repository keeps: written, or compared with what is drawn now."""


def write(folder, texts):
    """Writes the texts into the folder, by the names of their files, of which some are in folders within it."""
    for name, text in texts.items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(text, encoding="utf-8")
        print(f"{name}: drawn")


def faults(folder, texts):
    """What is wrong with the folder, a line each: a file is missing, is not what is drawn now, or is nobody's."""
    for name, text in texts.items():
        path = folder / name
        if not path.is_file():
            yield f"{name}: missing"
        elif path.read_text(encoding="utf-8") != text:
            yield f"{name}: stale"
    names = sorted(path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file())
    yield from (f"{name}: nobody's" for name in names if name not in texts)
