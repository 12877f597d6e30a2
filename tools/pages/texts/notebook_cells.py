"""What notebooks are made of, as nbformat 4.5 wants it."""


def cell(kind, text, **metadata):
    made = {"cell_type": kind, "id": "", "metadata": metadata, "source": text.strip("\n").splitlines(keepends=True)}
    return made | ({"execution_count": None, "outputs": []} if kind == "code" else {})


def numbered(name, cells):
    for place, one in enumerate(cells):
        one["id"] = f"{name}-{place}"
    return {"cells": cells}


def about():
    return {"metadata": {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"},
                         "language_info": {"name": "python"}, "colab": {"provenance": []}},
            "nbformat": 4, "nbformat_minor": 5}  # fmt: skip
