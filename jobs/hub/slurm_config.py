"""A hub whose students' servers are jobs of Slurm, by batchspawner: the limits are those of one machine's hub.

    jupyterhub -f jobs/hub/slurm_config.py     on a node that may submit, with /srv/course on a file system of all nodes

Students are the cluster's users, and log in as the system has them (PAM). Change partition and account to your site's.
Nodes need bubblewrap, and users must be allowed to make namespaces. The file system's quotas limit disks.
"""

import os
import socket

c = get_config()  # noqa: F821 (JupyterHub defines it)
HOST = os.environ.get("COURSE_HUB_HOST", socket.gethostname())
os.environ.setdefault("COURSE_HAND_IN_URL", f"http://{HOST}:9105/services/hand-in")
load_subconfig("common_config.py", path=os.path.dirname(os.path.abspath(__file__)))  # noqa: F821

import batchspawner  # noqa: E402, F401 (adds what jobs call to the hub)

CHECKOUT = c.Spawner.environment["COURSE_CHECKOUT"]
VENV = f"{os.path.dirname(CHECKOUT)}/venv"

c.JupyterHub.authenticator_class = "pam"
c.JupyterHub.hub_bind_url = "http://0.0.0.0:8081"
c.JupyterHub.hub_connect_url = f"http://{HOST}:8081"
c.JupyterHub.spawner_class = "batchspawner.SlurmSpawner"
c.SlurmSpawner.cmd = [f"{VENV}/bin/jupyterhub-singleuser"]
c.SlurmSpawner.batchspawner_singleuser_cmd = f"{VENV}/bin/batchspawner-singleuser"
c.SlurmSpawner.start_timeout = 600
c.SlurmSpawner.req_partition = os.environ.get("COURSE_HUB_PARTITION", "")
c.SlurmSpawner.req_account = os.environ.get("COURSE_HUB_ACCOUNT", "")
c.SlurmSpawner.req_memory = "2G"
c.SlurmSpawner.req_nprocs = "2"
c.SlurmSpawner.req_runtime = "4:00:00"
# The build has absolute paths: a student's copy is seen where the original is.
c.SlurmSpawner.batch_script = """#!/bin/bash
#SBATCH --job-name=course
#SBATCH --output={{ homedir }}/.course-server.log
#SBATCH --chdir={{ homedir }}
#SBATCH --export={{ keepvars }}
#SBATCH --mem={{ memory }}
#SBATCH --cpus-per-task={{ nprocs }}
#SBATCH --time={{ runtime }}
{% if partition %}#SBATCH --partition={{ partition }}
{% endif %}{% if account %}#SBATCH --account={{ account }}
{% endif %}set -eu
ulimit -u 2000 -c 0
if [ ! -d course ]; then
  rm -rf course.part
  cp -a CHECKOUT course.part
  mv course.part course
fi
exec bwrap --dev-bind / / --tmpfs /tmp --unshare-pid --proc /proc --die-with-parent \\
  --bind "$HOME/course" CHECKOUT --chdir CHECKOUT {{ cmd }}
""".replace("CHECKOUT", CHECKOUT)
