"""A hub on Kubernetes, by KubeSpawner: the limits are those of one machine's hub.

    jupyterhub -f jobs/hub/kubernetes_config.py     in the cluster, with /srv/course/course as in the image

The image of students' servers (COURSE_HUB_IMAGE) is what repo2docker makes of this repository:

    repo2docker --no-run --target-repo-dir /srv/course/course --image-name course-notebooks \
      --appendix 'RUN pip install jupyterhub==6.1.1' .

Choose an authenticator here. The number of processes of a pod is the kubelet's to limit: podPidsLimit.
"""

import os

c = get_config()  # noqa: F821 (JupyterHub defines it)
HOST = os.environ.get("COURSE_HUB_HOST", "hub")  # the hub's service, as pods find it
os.environ.setdefault("COURSE_HAND_IN_URL", f"http://{HOST}:9105/services/hand-in")
load_subconfig("common_config.py", path=os.path.dirname(os.path.abspath(__file__)))  # noqa: F821

CHECKOUT = c.Spawner.environment["COURSE_CHECKOUT"]
IMAGE = os.environ.get("COURSE_HUB_IMAGE", "course-notebooks:latest")

c.JupyterHub.hub_bind_url = "http://0.0.0.0:8081"
c.JupyterHub.hub_connect_url = f"http://{HOST}:8081"
c.JupyterHub.spawner_class = "kubespawner.KubeSpawner"
c.KubeSpawner.image = IMAGE
c.KubeSpawner.cmd = ["jupyterhub-singleuser"]
c.KubeSpawner.working_dir = CHECKOUT
c.KubeSpawner.cpu_limit, c.KubeSpawner.cpu_guarantee = 2, 0.1
c.KubeSpawner.mem_limit, c.KubeSpawner.mem_guarantee = "2G", "300M"
c.KubeSpawner.extra_resource_limits = {"ephemeral-storage": "1Gi"}
c.KubeSpawner.uid, c.KubeSpawner.fs_gid = 1000, 1000
c.KubeSpawner.allow_privilege_escalation = False
c.KubeSpawner.automount_service_account_token = False
# A student's disk holds a copy of the image's checkout, and takes its place.
c.KubeSpawner.storage_pvc_ensure = True
c.KubeSpawner.storage_capacity = "3Gi"
c.KubeSpawner.pvc_name_template = "course-{username}"
c.KubeSpawner.volumes = [{"name": "course", "persistentVolumeClaim": {"claimName": "course-{username}"}}]
c.KubeSpawner.volume_mounts = [{"name": "course", "mountPath": CHECKOUT, "subPath": "course"}]
c.KubeSpawner.init_containers = [{
    "name": "checkout", "image": IMAGE,
    "command": ["sh", "-c", f"[ -d /disk/course/build ] || cp -a {CHECKOUT}/. /disk/course"],
    "volumeMounts": [{"name": "course", "mountPath": "/disk/course", "subPath": "course"}],
}]  # fmt: skip
