"""Pictures of chapter 18: when which compiler runs."""

from svg import Picture

from .parts import cell, heading, note


def two_compilers(phone=False):
    """Four columns: a text, what becomes of it, and where it runs. A colour says when."""
    begin, width, pitch = (6, 74, 91) if phone else (20, 130, 183)
    height, rows = 44, (36, 136, 196)
    picture = Picture(
        360 if phone else 720, 276, "Who compiles a kernel, and when",
        "CUDA: nvcc compiles twins.hpp before the program runs, and the program holds machine code for NVIDIA's GPUs. "
        "OpenCL: the program holds the text of kernels.cl. While it runs, the compiler of NVIDIA's driver makes code "
        "for NVIDIA's GPU of it, or PoCL's compiler makes code for the processor.",
    )  # fmt: skip

    def box(row, column, colour, *lines):
        x, y = begin + column * pitch, rows[row]
        cell(picture, x, y, width, height, colour)
        first = y + height / 2 + 4 - 7 * (len(lines) - 1)
        for number, line in enumerate(lines):
            picture.text(x + width / 2, first + 15 * number, line, "ink", small=True)

    def arrow(row, column, to=None):
        x, y = begin + column * pitch + width, rows[row] + height / 2
        gap = 2 if phone else 6
        picture.line(x + gap, y, x + pitch - width - gap, rows[row if to is None else to] + height / 2, "faint", 1.4,
                     arrow=True)  # fmt: skip

    heading(picture, begin, rows[0] - 16, "CUDA")
    box(0, 0, "a", "twins.hpp")
    box(0, 1, "a", "nvcc")
    box(0, 2, "a", "machine code,", "in the program") if not phone else box(0, 2, "a", "machine", "code")
    box(0, 3, "b", "NVIDIA's", "GPU")
    heading(picture, begin, rows[1] - 16, "OpenCL")
    box(1, 0, "a", "kernels.cl")
    box(1, 1, "a", "text,", "in the program") if not phone else box(1, 1, "a", "its text")
    box(1, 2, "b", "NVIDIA's", "compiler")
    box(1, 3, "b", "NVIDIA's", "GPU")
    box(2, 2, "b", "PoCL's", "compiler")
    box(2, 3, "b", "processor")
    for column in range(3):
        arrow(0, column)
        arrow(1, column)
    arrow(1, 1, to=2)
    arrow(2, 2)
    picture.rect(begin, 254, 12, 12, "a", pale=True)
    note(picture, begin + 18, 264, "before the program runs")
    picture.rect(begin + (180 if phone else 220), 254, 12, 12, "b", pale=True)
    note(picture, begin + (198 if phone else 238), 264, "while it runs")
    return picture


PICTURES = {"two-compilers": two_compilers}
