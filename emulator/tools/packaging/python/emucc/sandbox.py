"""Where programs of others are compiled and run: bubblewrap's rooms, without a network, with little to see and to use."""

import itertools
import os
import pathlib
import shutil

from . import FOLDER, cells

MEBI = 1 << 20
SYSTEM = ("/usr", "/bin", "/lib", "/lib32", "/lib64", "/etc/alternatives", "/etc/ld.so.cache")
USERS = range(60578, 61184)  # that systems have no use for
SETTINGS = ("EMUCC_CCCL", "CUDA_HOME", "CUDA_PATH", "EMULATOR_CLANG")  # of emucc's
CCCL = FOLDER.parent / "nvidia/cu13/include/cccl"  # of the package nvidia-cuda-cccl, beside this one


class Sandbox:
    """Runs commands for a session, whose folder is the only one of ours that they see.

    With `trust` there are no walls: no more than time, processors' time, memory and the size of files are limited.
    """

    def __init__(self, trust=False):
        self.bwrap, self.prlimit, self.setpriv = map(shutil.which, ("bwrap", "prlimit", "setpriv"))
        self.trust = trust
        self.is_root = os.geteuid() == 0
        self.users = itertools.cycle(USERS)
        if not trust:
            self.try_out()

    def try_out(self):
        """One line if there can be no walls here."""
        missing = [name for name, there in (("bubblewrap", self.bwrap), ("util-linux", self.prlimit and self.setpriv))
                   if not there]  # fmt: skip
        if missing:
            problem = f"install {' and '.join(missing)}"
        else:
            done = cells.run([*self.walls(), "--", *self.limits(10, USERS[0]), "true"], 20)
            problem = f"bwrap does not work ({(done.errors.splitlines() or [done.ending()])[0]})" if done.failed else ""
        # One before 0.7 cannot say how large a folder in memory is: then programs have no folder to write in.
        self.sizes = not problem and "--size" in cells.run([self.bwrap, "--help"], 20).out
        if problem:
            raise cells.CellError(f"programs cannot be confined here: {problem}; or start it with --trust, which does "
                                  "not confine them")

    def walls(self):
        """bwrap's options for what is the same in every room."""
        # Root needs no user namespace, and becomes somebody else once the walls are there.
        words = [self.bwrap, "--unshare-ipc", "--unshare-pid", "--unshare-net", "--unshare-uts", "--unshare-cgroup-try",
                 "--die-with-parent", "--new-session"]  # fmt: skip
        words += [] if self.is_root else ["--unshare-user", "--cap-drop", "ALL"]
        words += ["--dir", "/etc", "--dir", "/dev"]  # a folder that bwrap makes unasked is for root alone
        for folder in SYSTEM:
            words += ["--ro-bind-try", folder, folder]
        return [*words, "--proc", "/proc", "--dev-bind", "/dev/null", "/dev/null"]

    def limits(self, seconds, user):
        """What a process in a room may use; memory is counted for each by itself."""
        down = [self.setpriv, f"--reuid={user}", f"--regid={user}", "--clear-groups", "--no-new-privs",
                "--inh-caps=-all", "--bounding-set=-all"]  # fmt: skip
        words = [*(down if self.is_root and not self.trust else []), self.prlimit] if self.prlimit else []
        if words:
            cores = os.cpu_count() or 1
            words += ["--core=0", f"--cpu={(int(seconds) + 1) * cores}", f"--data={3072 * MEBI}",
                      f"--fsize={128 * MEBI}", "--nofile=256"]  # fmt: skip
            # Without walls all processes of the user would be counted.
            words += ["--"] if self.trust else [f"--nproc={cores + 64}", "--"]
        return words

    def run(self, command, folder, limit, writes, settings):
        """Runs a command that may write to these files or folders, all in `folder`, and to /tmp a little."""
        user = next(self.users)  # whose processes are those of this room, and not of one that is being cleared
        variables = {"HOME": "/tmp", "LC_ALL": "C.UTF-8", "PATH": "/usr/local/bin:/usr/bin:/bin", **settings}
        if folder in writes:
            variables["TMPDIR"] = folder
        if CCCL.is_dir():
            variables["EMUCC_CCCL"] = CCCL
        variables.update((name, os.environ[name]) for name in SETTINGS if name in os.environ)
        if self.trust:
            return cells.run([*self.limits(limit, user), *command], limit, **settings)
        seen = [folder, *emuccs_parts(), *(variables[name] for name in SETTINGS[:3] if variables.get(name))]
        tmp = ["--size", str(64 * MEBI), "--perms", "1777", "--tmpfs"] if self.sizes else ["--dir"]
        words = [*self.walls(), *tmp, "/tmp", "--clearenv"]
        for name, value in variables.items():
            words += ["--setenv", name, value]
        for path in map(pathlib.Path, seen):
            if path.exists() and not any(path.is_relative_to(folder) for folder in SYSTEM):
                for parent in reversed(path.parents):
                    words += [] if str(parent) in ("/", "/tmp") else ["--dir", parent]
                words += ["--ro-bind", path, path]
        for path in writes:
            words += ["--bind", path, path]
        if self.is_root:
            for path in {folder, *writes}:
                os.chown(path, user, user)
        words += ["--chdir", "/tmp", "--remount-ro", "/", "--", *self.limits(limit, user)]
        return cells.run([*words, *command], limit)


def emuccs_parts():
    """Where emucc, its headers and its libraries are."""
    program = pathlib.Path(cells.emucc()).resolve()
    if FOLDER in program.parents:
        return [FOLDER]
    lists = [program.parent / "emucc.parts", program.parents[1] / "lib/emucc/emucc.parts"]
    parts = [program.parent, *(path.parent for path in lists[1:] if path.is_file())]
    for line in next((path.read_text(encoding="utf-8") for path in lists if path.is_file()), "").splitlines():
        path = pathlib.Path(line.partition(" ")[2])
        parts += [path] if path.is_absolute() else []
    return parts
