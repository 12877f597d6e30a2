"""What all hubs of the course have: which users may hand in, by which service, and what notebooks find in their
environment.

Loaded by load_subconfig() from the configuration of one kind of hub, which sets the spawner.
"""

import os
import sys

c = get_config()  # noqa: F821 (JupyterHub defines it)

HUB = os.environ.get("COURSE_HUB", "/srv/course")
CHECKOUT = os.environ.get("COURSE_HUB_CHECKOUT", f"{HUB}/course")
HERE = os.path.dirname(os.path.abspath(__file__))
HAND_IN = os.environ.get("COURSE_HAND_IN_URL", "http://127.0.0.1:9105/services/hand-in")

# A student's token may do what a server must, and hand in. No more.
MAY = "access:services!service=hand-in"
c.JupyterHub.load_roles = [
    {"name": "user", "scopes": ["self", MAY]},
    {"name": "server", "scopes": ["users:activity!user", "access:servers!server", MAY]},
]
c.JupyterHub.services = [{
    "name": "hand-in",
    "url": HAND_IN.rpartition("/services/")[0],
    "command": [sys.executable, f"{HERE}/hand_in.py"],
    "environment": {"COURSE_HANDED_IN": f"{HUB}/handed-in",
                    "COURSE_HAND_IN_LOG": f"{HUB}/hub/hand-ins.log",
                    "COURSE_EXERCISES": f"{CHECKOUT}/build/emulator/exercises.json"},
}]  # fmt: skip

# Names become folders and accounts.
c.Authenticator.username_pattern = r"[a-z][a-z0-9-]{0,23}"
c.Authenticator.allow_all = True
c.Spawner.environment = {"COURSE_CHECKOUT": CHECKOUT, "COURSE_HAND_IN_URL": HAND_IN,
                         "CMAKE_BUILD_PARALLEL_LEVEL": "1"}  # fmt: skip
c.Spawner.default_url = "/lab"
c.Spawner.http_timeout = 300
c.Spawner.start_timeout = 300
