"""Pictures of chapter 15: what runs at the same time."""

from svg import Picture

from .parts import cell, heading, note


def chunk_pipeline(phone=False):
    """A sum as a whole, and cut into four chunks. Coming in takes 8 units, the kernel 2, going out 4."""
    chunks, parts = 4, (("in", 8, "b"), ("add", 2, "a"), ("out", 4, "c"))
    begin, left, scale = (6, 40, 22) if phone else (20, 76, 44)
    height, pitch = 24, 34
    whole = sum(length for _, length, _ in parts)
    picture = Picture(
        360 if phone else 720, 314, "A sum in chunks: what comes in hides the rest",
        "Above, one after the other: x and y come in, are added, z goes out. Below, the same in four chunks, 0 to 3. "
        "They come in one after the other without a gap. Chunk 0 is added, and goes out, while chunk 1 comes in, and so "
        "on. Only the last chunk's addition and copy out come after everything has come in.",
    )  # fmt: skip

    def x(at):
        return left + scale * at

    def lanes(top):
        for number, (name, _, _) in enumerate(parts):
            note(picture, begin, top + number * pitch + 16, name, colour="ink")

    def end(top, at, label):
        bottom = top + 2 * pitch + height + 6
        picture.line(x(at), top - 4, x(at), bottom, "faint", 1.2)
        note(picture, x(at), bottom + 14, label, anchor="end" if at == whole else "middle")

    top = 36
    heading(picture, begin, top - 16, "one after the other")
    lanes(top)
    at = 0
    for number, (_, length, colour) in enumerate(parts):
        cell(picture, x(at), top + number * pitch, scale * length, height, colour, ("x and y", "z", "z")[number])
        at += length
    end(top, at, "z is there")

    top += 3 * pitch + 58
    heading(picture, begin, top - 16, f"in {chunks} chunks")
    lanes(top)
    ends = [0.0] * len(parts)
    for chunk in range(chunks):
        ready = 0.0
        for number, (_, length, colour) in enumerate(parts):
            ready = max(ready, ends[number])
            cell(picture, x(ready), top + number * pitch, scale * length / chunks, height, colour, str(chunk))
            ready = ends[number] = ready + length / chunks
    end(top, ends[-1], "z is there")
    return picture


PICTURES = {"chunk-pipeline": chunk_pipeline}
