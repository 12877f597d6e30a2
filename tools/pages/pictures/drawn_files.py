"""Files that programs draw and the repository keeps: written, or compared with what is drawn now."""


def write(folder, texts):
    """Writes the texts into the folder, by the names of their files."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in texts.items():
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
    if folder.is_dir():
        yield from (f"{path.name}: nobody's" for path in sorted(folder.iterdir()) if path.name not in texts)
