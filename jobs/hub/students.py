"""What a student of the hub needs before the server starts: an account, a disk, a copy of the checkout."""

import asyncio
import pathlib
import pwd
import subprocess

# The tasks of one student, of which the server has some 30; and what no student needs.
PROPERTIES = {
    "TasksMax": "200",
    "MemorySwapMax": "0",
    "CPUWeight": "100",
    "LimitCORE": "0",
    "ProtectSystem": "strict",
    "ProtectHome": "yes",
    "ProtectProc": "invisible",
    "RestrictSUIDSGID": "yes",
    "LockPersonality": "yes",
    # Files there count as the student's memory.
    "TemporaryFileSystem": "/tmp:size=256M,mode=1777 /var/tmp:size=16M,mode=1777 /dev/shm:size=256M,mode=1777",
}


def run(*command):
    done = subprocess.run([str(word) for word in command], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                          check=False)  # fmt: skip
    if done.returncode:
        raise RuntimeError(f"{command[0]} failed: {done.stdout.strip()[-500:]}")


class Students:
    def __init__(self, hub, checkout, accounts, disk):
        self.hub, self.template, self.disk = pathlib.Path(hub), pathlib.Path(checkout), disk
        self.makes_accounts = accounts == "shared"
        # A student named root, or daemon, gets no more than the others.
        self.account_template = "course-{USERNAME}" if self.makes_accounts else "{USERNAME}"

    async def prepare(self, spawner):
        """JupyterHub calls this before it starts a student's server."""
        name = spawner.user.name
        folder = self.hub / "students" / name
        await asyncio.to_thread(self.make, name, folder)
        spawner.environment = {**spawner.environment, "HOME": f"{folder}/home"}
        # The build has absolute paths: each student's copy is seen where the original is.
        spawner.unit_extra_properties = {**PROPERTIES, "BindPaths": f"{folder}/course:{self.template}",
                                         "ReadWritePaths": f"{folder} {self.template}"}

    def make(self, name, folder):
        account = self.account_template.format(USERNAME=name)
        try:
            user = pwd.getpwnam(account)
        except KeyError:
            if not self.makes_accounts:
                raise
            run("useradd", "--system", "--no-create-home", "--home-dir", folder, "--shell", "/usr/sbin/nologin",
                account)  # fmt: skip
            user = pwd.getpwnam(account)
        self.mount(folder, user)
        # Both are the student's, and what they are in is not: neither can become a link to somewhere else.
        home = folder / "home"
        home.mkdir(exist_ok=True)
        run("chown", f"{user.pw_uid}:{user.pw_gid}", home)
        if not (folder / "course/course").is_file():  # a new student, or one who has removed it
            part = folder / "course.part"
            run("rm", "-rf", part)
            part.mkdir()
            entries = [one for one in self.template.iterdir() if one.name not in (".git", ".course")]
            run("cp", "-a", "--reflink=auto", *entries, part)
            run("chown", "-R", f"{user.pw_uid}:{user.pw_gid}", part)
            if (folder / "course").is_dir():
                run("rm", "-rf", folder / "course.old")
                (folder / "course").rename(folder / "course.old")
            part.rename(folder / "course")

    def mount(self, folder, user):
        """The student's disk: a file of fixed size, which takes room only as it is filled."""
        folder.mkdir(parents=True, exist_ok=True)
        if folder.is_mount():
            return
        image = folder.with_suffix(".img")
        if not image.is_file():
            part = image.with_suffix(".part")
            run("truncate", "--size", self.disk, part)
            part.chmod(0o600)  # else others could read what is in it
            run("mkfs.ext4", "-q", "-F", "-m", "0", "-E", f"root_owner=0:{user.pw_gid}", part)
            part.rename(image)
        run("mount", "-o", "loop,nosuid,nodev,noatime", image, folder)
        folder.chmod(0o750)
