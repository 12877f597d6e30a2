"""What the pictures of sharing put together: cells with a label, headings, brackets, bars in time."""


def cell(picture, x, y, width, height, colour, label="", pale=True, small=True):
    """A framed cell. What is in a pale one is ink, which can be read on every colour."""
    picture.rect(x, y, width, height, colour, pale)
    picture.frame(x, y, width, height, colour, 1)
    if label:
        ink = "ink" if pale else "white"
        picture.text(x + width / 2, y + height / 2 + 4, label, ink, small=small)


def empty(picture, x, y, width, height):
    picture.frame(x, y, width, height, "line", 1)


def heading(picture, x, y, text, right="", to=0):
    """A bold line, and what comes of it at the right end."""
    picture.text(x, y, text, "ink", "start", "bold")
    if right:
        picture.text(to, y, right, "ink", "end", "bold")


def note(picture, x, y, *lines, anchor="start", colour="faint"):
    for index, line in enumerate(lines):
        picture.text(x, y + 17 * index, line, colour, anchor, small=True)


def bracket(picture, x1, x2, y, label, colour="faint", tick=5):
    """A line with two ends, from x1 to x2, and a label above it, or below it if `tick` is negative."""
    picture.line(x1, y, x2, y, colour, 1.2)
    for x in (x1, x2):
        picture.line(x, y, x, y + tick, colour, 1.2)
    picture.text((x1 + x2) / 2, y - 5 if tick > 0 else y + 15, label, "ink", small=True)


def bars(picture, left, y, height, scale, pieces):
    """A time line of pieces (begin, end, colour, label). A piece without a colour is waiting."""
    for begin, end, colour, label in pieces:
        x, width = left + scale * begin, scale * (end - begin)
        if colour:
            cell(picture, x, y, width, height, colour)
            picture.text(x + 6, y + height / 2 + 4, label, "ink", "start", small=True)
        elif width > 4:
            middle = y + height / 2
            picture.line(x + 3, middle, x + width - 3, middle, "faint", 1.2)
            for tick in (x + 3, x + width - 3):
                picture.line(tick, middle - 4, tick, middle + 4, "faint", 1.2)
