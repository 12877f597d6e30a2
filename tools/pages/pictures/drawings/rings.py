"""The picture of chapter 30: what each device has in the steps of a ring's all-reduce."""

from svg import Picture

from .parts import cell, note

DEVICES = 4


def held(step):
    """For each device and chunk: whose numbers its sum has, after that many steps."""
    sums = [[{device} for _ in range(DEVICES)] for device in range(DEVICES)]
    for number in range(step):
        before = [[set(chunk) for chunk in device] for device in sums]
        for device in range(DEVICES):
            chunk, target = (device - number) % DEVICES, (device + 1) % DEVICES
            if number < DEVICES - 1:
                sums[target][chunk] |= before[device][chunk]
            else:
                sums[target][chunk] = before[device][chunk]
    return sums


def ring(phone=False):
    size, height = (19, 24) if phone else (34, 26)
    steps = (0, 1, DEVICES - 1, 2 * (DEVICES - 1))
    titles = ("at first", "one step", "three steps", "six: the end")
    width = 360 if phone else 720
    below = ["a row: a device. A cell: a chunk,", "with the number of devices that are in its sum"]
    picture = Picture(
        width, 214 if phone else 196, "A ring of four devices adds up",
        "Four devices with four chunks each. At first each chunk of a device has one device's numbers. After one step each "
        "device has one chunk with two devices' numbers; after three steps each has one complete chunk; after six steps all "
        "chunks of all devices are complete.",
    )  # fmt: skip
    gap = (width - 16 - len(steps) * DEVICES * size) / (len(steps) - 1)
    for k, step in enumerate(steps):
        left = 8 + k * (DEVICES * size + gap)
        note(picture, left, 22, titles[k])
        for device, chunks in enumerate(held(step)):
            for chunk, whose in enumerate(chunks):
                colour = "c" if len(whose) == DEVICES else "b" if len(whose) > 1 else "a"
                cell(picture, left + chunk * size, 36 + device * (height + 6), size - 3, height, colour, str(len(whose)))
    for line, text in enumerate(below if phone else [" ".join(below)]):
        note(picture, 8, 36 + DEVICES * (height + 6) + 18 * (line + 1), text)
    return picture


PICTURES = {"ring-all-reduce": ring}
