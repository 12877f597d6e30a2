"""The picture of chapter 11: a warp's way from A to its transpose."""

from svg import Picture

from .parts import heading, note

TILE = 4  # of a tile, in the picture: rows and columns


def transpose_tile(phone=False):
    m, n, cell = 2 * TILE, 3 * TILE, 8 if phone else 12
    corner, read, written = TILE, 1, 2  # where the tile begins; the row that is read and the one that is written
    a_x, tile_x, b_x = (8, 152, 270) if phone else (40, 300, 500)
    picture = Picture(
        *((360, 370) if phone else (720, 446)), "A transpose, straight and through a tile",
        "A matrix A and its transpose B, twice. Straight: a warp reads a piece of a row of A and writes a piece of a "
        "column of B, one element in each row. Through a tile: it reads pieces of rows of A into a tile in shared "
        "memory, row by row. It takes columns out of the tile and writes each as a piece of a row of B.",
    )  # fmt: skip
    height, across = (174, 24) if phone else (206, 30)

    def matrices(top, title):
        heading(picture, a_x, top, title)
        picture.grid(a_x, top + across, n, m, cell)
        picture.grid(b_x, top + across, m, n, cell)
        picture.text(a_x + n * cell / 2, top + across - 7, "A", "a", weight="bold")
        picture.text(b_x + m * cell / 2, top + across - 7, "B", "b", weight="bold")
        return top + across

    def piece(x, y, col, row, cols, rows, colour, pale=False):
        picture.rect(x + col * cell, y + row * cell, cols * cell, rows * cell, colour, pale)

    def arrow(x1, x2, y):
        picture.line(x1, y, x2, y, "faint", 1.6, arrow=True)

    y = matrices(24, "Straight")
    row = corner + read
    piece(a_x, y, corner, row, TILE, 1, "a")
    piece(b_x, y, row, corner, 1, TILE, "b")
    arrow(a_x + n * cell + 8, b_x - 8, y + (row + 0.5) * cell)
    note(picture, a_x, y + m * cell + 22, "reads neighbours,", "writes one element", "in each of many rows")

    y = matrices(24 + height + (24 if phone else 18), "Through a tile")
    tile_y, middle = y + corner * cell, y + (corner + TILE / 2) * cell
    piece(a_x, y, corner, corner, TILE, TILE, "a", pale=True)
    piece(a_x, y, corner, row, TILE, 1, "a")
    picture.grid(tile_x, tile_y, TILE, TILE, cell)
    piece(tile_x, tile_y, 0, read, TILE, 1, "a")
    piece(tile_x, tile_y, written, 0, 1, TILE, "b")
    picture.frame(tile_x, tile_y, TILE * cell, TILE * cell, "faint", 1.2)
    picture.text(tile_x + TILE * cell / 2, tile_y - 7, "tile", "ink", weight="bold")
    piece(b_x, y, corner, corner, TILE, TILE, "b", pale=True)
    piece(b_x, y, corner, corner + written, TILE, 1, "b")
    arrow(a_x + n * cell + 8, tile_x - 8, middle)
    arrow(tile_x + TILE * cell + 8, b_x - 8, middle)
    note(picture, a_x, y + m * cell + 22, "reads rows of A,", "fills rows of the tile;")
    note(picture, tile_x - (4 if phone else 30), y + m * cell + 22, "takes columns out,", "writes rows of B")
    return picture


PICTURES = {"transpose-tile": transpose_tile}
