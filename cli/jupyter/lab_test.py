#!/usr/bin/env python3
"""Tests in JupyterLab that cells and files of CUDA C++ are highlighted: lab_test.py VENV [--shots FOLDER]

VENV has jupyterlab and playwright (lab-requirements.txt), and Chromium is the system's. Exit status 77: not here.
"""

import argparse
import contextlib
import json
import os
import pathlib
import secrets
import shutil
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request

HERE = pathlib.Path(__file__).resolve().parent
PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
CELLS = ("x = 'not CUDA'  # a comment of Python's", "%%emucc\n// a comment of C++'s\n__global__ void f() {}")
# In Python // divides, and in C++ it begins a comment.
COMMENTS = """name => Array.from(document.querySelectorAll(name + ' .cm-line span')).map(span => span.textContent)
                     .filter(text => /^(\\/\\/|#)/.test(text))"""


def skipped(why):
    print(f"SKIPPED: {why}")
    return 77


def notebook():
    cells = [{"cell_type": "code", "id": f"c{k}", "metadata": {}, "source": text, "execution_count": None, "outputs": []}
             for k, text in enumerate(CELLS)]
    about = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    return {"cells": cells, "metadata": about, "nbformat": 4, "nbformat_minor": 5}


@contextlib.contextmanager
def lab(folder):
    """JupyterLab in a folder, with our extension and no other settings; its address."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    extensions = folder / "data/labextensions"
    extensions.mkdir(parents=True)
    shutil.copytree(HERE / "labextension", extensions / "course-jupyter")
    token = secrets.token_hex(16)
    environment = {**os.environ, "JUPYTER_PATH": str(folder / "data"), "JUPYTER_CONFIG_DIR": str(folder / "config"),
                   "JUPYTER_TOKEN": token, "JUPYTERLAB_SETTINGS_DIR": str(folder / "settings")}  # fmt: skip
    with open(folder / "log", "wb") as log:
        server = subprocess.Popen([sys.executable, "-m", "jupyterlab", "--allow-root", "--no-browser", f"--port={port}",
                                   f"--notebook-dir={folder / 'work'}"], env=environment, stdout=log, stderr=log)
        try:
            address = f"http://127.0.0.1:{port}/lab"
            for _ in range(120):
                try:
                    urllib.request.urlopen(f"{address}?token={token}", timeout=5).close()
                    break
                except OSError:
                    time.sleep(0.5)
            yield f"{address}/tree/{{}}?token={token}"
        finally:
            server.terminate()
            server.wait()


def problems(page, address, shots):
    page.goto(address.format("cells.ipynb"), timeout=120000)
    page.wait_for_selector(".jp-CodeCell .cm-line span", timeout=120000)
    page.wait_for_timeout(2000)
    found = page.evaluate(COMMENTS, ".jp-CodeCell")
    if found != ["# a comment of Python's", "// a comment of C++'s"]:
        yield f"comments in cells: {found}"
    page.click(".jp-CodeCell:nth-of-type(1) .cm-content, .jp-CodeCell .cm-content")
    page.keyboard.press("Control+Home")
    page.keyboard.type("%%course check 01a")
    page.keyboard.press("Enter")
    page.keyboard.type("// written")
    page.keyboard.press("Enter")
    page.wait_for_timeout(1000)
    found = page.evaluate(COMMENTS, ".jp-CodeCell")
    if found[:1] != ["// written"]:
        yield f"comments after a cell was changed: {found}"
    if shots:
        page.screenshot(path=str(shots / "cells.png"))
    page.goto(address.format("kernel.cu"), timeout=120000)
    page.wait_for_selector(".jp-FileEditor .cm-line span", timeout=120000)
    page.wait_for_timeout(1000)
    if page.evaluate(COMMENTS, ".jp-FileEditor") != ["// a comment of C++'s"]:
        yield f"comments in a file: {page.evaluate(COMMENTS, '.jp-FileEditor')}"
    if shots:
        page.screenshot(path=str(shots / "file.png"))


def main():
    parser = argparse.ArgumentParser(description="Tests the highlighting of CUDA C++ in JupyterLab.")
    parser.add_argument("venv", type=pathlib.Path)
    parser.add_argument("--shots", type=pathlib.Path, help="a folder for screenshots")
    parser.add_argument("--there", action="store_true", help="in the environment")
    options = parser.parse_args()
    if not options.there:
        python = options.venv / "bin/python"
        there = python.is_file() and subprocess.run([python, "-c", "import jupyterlab, playwright"], check=False,
                                                    stderr=subprocess.DEVNULL).returncode == 0  # fmt: skip
        if not there:
            return skipped("no jupyterlab and playwright here (cli/jupyter/lab-requirements.txt)")
        os.execv(python, [python, "-B", __file__, *sys.argv[1:], "--there"])
    chromium = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if chromium is None:
        return skipped("no Chromium here (Debian: chromium)")
    from playwright.sync_api import sync_playwright  # pylint: disable=import-outside-toplevel

    with tempfile.TemporaryDirectory() as temporary, sync_playwright() as playwright:
        folder = pathlib.Path(temporary)
        (folder / "work").mkdir()
        (folder / "work/cells.ipynb").write_text(json.dumps(notebook()), encoding="utf-8")
        (folder / "work/kernel.cu").write_text("// a comment of C++'s\n__global__ void f() {}\n", encoding="utf-8")
        if options.shots:
            options.shots.mkdir(parents=True, exist_ok=True)
        with lab(folder) as address:
            browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
            errors = []
            page = browser.new_page(viewport={"width": 1200, "height": 800})
            page.on("pageerror", lambda error: errors.append(str(error)))
            found = [*problems(page, address, options.shots), *errors]
            browser.close()
        if found:
            print((folder / "log").read_text(errors="replace")[-3000:])
    for problem in found:
        print(problem)
    if not found:
        print("cells and files of CUDA C++ are highlighted")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
