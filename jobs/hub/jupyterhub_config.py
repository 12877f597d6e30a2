"""A hub for a class on one machine with systemd: each student has an account, a disk of fixed size, and limits.

    jupyterhub -f jobs/hub/jupyterhub_config.py     as root; install.sh makes a service of it

COURSE_HUB_AUTH: shared (the default: one password for the class, in the file `password`) or pam (the system's users).
"""

import os
import pathlib
import sys

c = get_config()  # noqa: F821 (JupyterHub defines it)
load_subconfig("common_config.py", path=os.path.dirname(os.path.abspath(__file__)))  # noqa: F821

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from students import Students  # noqa: E402

HUB = pathlib.Path(os.environ.get("COURSE_HUB", "/srv/course"))
STATE = HUB / "hub"

c.JupyterHub.bind_url = os.environ.get("COURSE_HUB_URL", "http://:8000")
c.JupyterHub.cookie_secret_file = str(STATE / "cookie_secret")
c.JupyterHub.db_url = f"sqlite:///{STATE / 'jupyterhub.sqlite'}"
c.ConfigurableHTTPProxy.pid_file = str(STATE / "proxy.pid")
# Debian's proxy needs Debian's modules, also under a Node.js from elsewhere.
os.environ.setdefault("NODE_PATH", "/usr/share/nodejs")

accounts = os.environ.get("COURSE_HUB_AUTH", "shared")
if accounts == "pam":
    c.JupyterHub.authenticator_class = "pam"
elif accounts == "shared":
    c.JupyterHub.authenticator_class = "shared-password"
    c.SharedPasswordAuthenticator.user_password = (STATE / "password").read_text(encoding="utf-8").strip()
else:
    sys.exit(f"jupyterhub_config.py: COURSE_HUB_AUTH wants shared or pam, got '{accounts}'")

# Limits of one student. What all have together: students.slice.
CHECKOUT = pathlib.Path(c.Spawner.environment["COURSE_CHECKOUT"])
students = Students(HUB, CHECKOUT, accounts, disk=os.environ.get("COURSE_HUB_DISK", "3G"))
c.JupyterHub.spawner_class = "systemd"
c.SystemdSpawner.slice = "students.slice"
c.SystemdSpawner.mem_limit = os.environ.get("COURSE_HUB_MEMORY", "2G")
c.SystemdSpawner.cpu_limit = float(os.environ.get("COURSE_HUB_CORES", "2"))
c.SystemdSpawner.disable_user_sudo = True
c.SystemdSpawner.isolate_devices = True
c.SystemdSpawner.username_template = students.account_template
c.SystemdSpawner.user_workingdir = str(CHECKOUT)
c.SystemdSpawner.cmd = [str(HUB / "venv/bin/jupyterhub-singleuser")]
c.Spawner.pre_spawn_hook = students.prepare
