#!/usr/bin/env python3
"""Tests of the hub's configurations and of the service that takes what is handed in: hub_test.py VENV

VENV has what test-requirements.txt names. Exit status 77: it is not there. That a hub holds a class is tried by hand:
trial/class_trial.py.
"""

import asyncio
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import types
import unittest

HERE = pathlib.Path(__file__).resolve().parent
CONFIGURATIONS = ("jupyterhub_config.py", "kubernetes_config.py", "slurm_config.py")
sys.dont_write_bytecode = True  # leaves nothing beside the sources
sys.path.insert(0, str(HERE))


class Configurations(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        before = dict(os.environ)
        self.addCleanup(lambda: (os.environ.clear(), os.environ.update(before)))
        os.environ["COURSE_HUB"] = temporary.name
        os.environ.pop("COURSE_HAND_IN_URL", None)
        folder = pathlib.Path(temporary.name, "hub")
        folder.mkdir()
        (folder / "password").write_text("12345678")
        # KubeSpawner wants to know a cluster; it is not asked for anything.
        cluster = {"clusters": [{"name": "c", "cluster": {"server": "http://127.0.0.1:1"}}], "current-context": "c",
                   "contexts": [{"name": "c", "context": {"cluster": "c", "user": "u"}}],
                   "users": [{"name": "u", "user": {}}]}  # fmt: skip
        os.environ["KUBECONFIG"] = str(folder / "kubeconfig")
        (folder / "kubeconfig").write_text(json.dumps(cluster))

    def hub(self, name):
        from jupyterhub.app import JupyterHub

        hub = JupyterHub()
        hub.load_config_file(str(HERE / name))
        return hub

    @staticmethod
    def spawner(hub):
        user = types.SimpleNamespace(name="anna", id=1, url="/user/anna/", settings={}, escaped_name="anna")
        there = types.SimpleNamespace(api_url="http://hub:8081/hub/api", base_url="/hub/", public_host="")
        return hub.spawner_class(user=user, config=hub.config, _mock=True, hub=there)

    def test_every_option_is_one_that_its_class_has(self):
        for name in CONFIGURATIONS:
            hub = self.hub(name)
            kinds = (type(hub), hub.spawner_class, hub.authenticator_class, hub.proxy_class)
            known = {one.__name__: one for kind in kinds for one in kind.__mro__}
            for section, options in hub.config.items():
                self.assertIn(section, known, name)
                for option in options:
                    self.assertIn(option, known[section].class_trait_names(config=True), f"{name}: {section}")

    def test_limits_are_set_and_a_student_may_hand_in(self):
        for name in CONFIGURATIONS:
            hub = self.hub(name)
            roles = {role["name"]: role["scopes"] for role in hub.config.JupyterHub.load_roles}
            self.assertIn("access:services!service=hand-in", roles["server"])
            self.assertEqual(hub.config.JupyterHub.services[0]["name"], "hand-in")
            self.assertTrue(hub.config.Spawner.environment["COURSE_HAND_IN_URL"].endswith(":9105/services/hand-in"))

    def test_a_pod_has_limits_and_the_students_disk(self):
        hub = self.hub("kubernetes_config.py")

        async def manifest():
            return await self.spawner(hub).get_pod_manifest()

        pod = asyncio.run(manifest()).to_dict()["spec"]
        container = pod["containers"][0]
        self.assertEqual(container["resources"]["limits"]["memory"], 2 << 30)
        self.assertEqual(container["resources"]["limits"]["cpu"], 2)
        self.assertEqual(container["volume_mounts"][0]["mount_path"], f"{os.environ['COURSE_HUB']}/course")
        self.assertIn("anna", pod["volumes"][0]["persistent_volume_claim"]["claimName"])
        self.assertEqual(len(pod["init_containers"]), 1)

    def test_a_job_has_limits_and_the_students_copy(self):
        from jinja2 import Template

        spawner = self.spawner(self.hub("slurm_config.py"))
        words = {"homedir": "/home/anna", "keepvars": "PATH", "memory": spawner.req_memory,
                 "nprocs": spawner.req_nprocs, "runtime": spawner.req_runtime, "partition": "lab", "account": "", "cmd": "SERVER"}  # fmt: skip
        script = Template(spawner.batch_script).render(words)
        self.assertIn("#SBATCH --mem=2G\n", script)
        self.assertIn("#SBATCH --partition=lab\nset -eu\n", script)
        self.assertTrue(script.rstrip().endswith(f"--chdir {os.environ['COURSE_HUB']}/course SERVER"))
        self.assertEqual(subprocess.run(["bash", "-n"], input=script, text=True, check=False).returncode, 0)

    def test_a_student_has_a_bound_copy_and_limits_and_no_systems_account(self):
        from students import PROPERTIES, Students

        students = Students("/srv/course", "/srv/course/course", "shared", "3G")
        made = []
        students.make = lambda *words: made.append(words)
        name = "root"
        spawner = types.SimpleNamespace(user=types.SimpleNamespace(name=name), environment={"A": "1"})
        asyncio.run(students.prepare(spawner))
        self.assertEqual(students.account_template.format(USERNAME="root"), "course-root")
        self.assertEqual(spawner.environment, {"A": "1", "HOME": f"/srv/course/students/{name}/home"})
        self.assertEqual(spawner.unit_extra_properties["BindPaths"],
                         f"/srv/course/students/{name}/course:/srv/course/course")
        self.assertEqual(spawner.unit_extra_properties["TasksMax"], PROPERTIES["TasksMax"])
        self.assertEqual(len(made), 1)

    def test_an_unknown_kind_of_accounts_is_one_line(self):
        os.environ["COURSE_HUB_AUTH"] = "none"
        with self.assertRaises(SystemExit) as left:
            self.hub("jupyterhub_config.py")
        self.assertRegex(str(left.exception), r"^jupyterhub_config.py: COURSE_HUB_AUTH wants [^\n]*$")


class HandingIn(unittest.TestCase):
    def setUp(self):
        temporary = tempfile.TemporaryDirectory()
        self.addCleanup(temporary.cleanup)
        self.folder = pathlib.Path(temporary.name) / "handed-in"
        self.folder.mkdir()

    def post(self, *requests):
        """The answers, as (status, text). A token is a student's name."""
        from tornado import httpclient, httpserver, testing, web
        from hand_in import HandIn

        class Known(HandIn):
            def get_current_user(self):
                name = self.request.headers.get("Authorization", "").removeprefix("token ")
                return {"name": name} if name else None

            def get_login_url(self):
                raise web.HTTPError(403)

        async def all_of():
            socket, port = testing.bind_unused_port()
            arguments = {"folder": self.folder, "log": self.folder.parent / "log", "exercises": {"01a_residual": "residual.cu"}}
            server = httpserver.HTTPServer(web.Application([(r"/(\w+)", Known, arguments)]), max_body_size=1 << 20)
            server.add_socket(socket)
            answers = []
            for path, name, body in requests:
                headers = {"Authorization": f"token {name}"} if name else {}
                answer = await httpclient.AsyncHTTPClient().fetch(f"http://127.0.0.1:{port}/{path}", method="POST",
                                                                  body=body, headers=headers, raise_error=False)
                answers.append((answer.code, answer.body.decode()))
            server.stop()
            return answers

        return asyncio.run(all_of())

    def test_the_last_file_is_laid_where_grading_looks(self):
        answers = self.post(("01a_residual", "anna", b"old"), ("01a_residual", "anna", b"new"),
                            ("01a_residual", "ben", b"his"))  # fmt: skip
        self.assertEqual([status for status, _ in answers], [200, 200, 200])
        self.assertEqual(json.loads(answers[0][1])["bytes"], 3)
        files = sorted(path for path in self.folder.rglob("*") if path.is_file())
        self.assertEqual([path.relative_to(self.folder).as_posix() for path in files],
                         ["anna/01a_residual/residual.cu", "ben/01a_residual/residual.cu"])
        self.assertEqual([path.read_bytes() for path in files], [b"new", b"his"])
        log = (self.folder.parent / "log").read_text().splitlines()
        self.assertEqual([line.split()[2:5] for line in log],
                         [["anna", "01a_residual", "3"], ["anna", "01a_residual", "3"], ["ben", "01a_residual", "3"]])

    def test_what_cannot_be_taken_says_so_in_one_line(self):
        answers = self.post(("99z_none", "anna", b"x"), ("01a_residual", "anna", bytes((256 << 10) + 1)),
                            ("01a_residual", "", b"x"))  # fmt: skip
        self.assertEqual(answers[0], (404, "there is no such exercise\n"))
        self.assertEqual(answers[1], (413, "it has more than 256 KB\n"))
        self.assertEqual(answers[2][0], 403)
        self.assertEqual(list(self.folder.iterdir()), [])


def main():
    if len(sys.argv) < 2:
        print("usage: hub_test.py VENV", file=sys.stderr)
        return 2
    python = pathlib.Path(sys.argv[1]) / "bin/python"
    if sys.argv[2:] != ["--there"]:
        there = python.is_file() and subprocess.run([python, "-c", "import jupyterhub, kubespawner, batchspawner"],
                                                    check=False, stderr=subprocess.DEVNULL).returncode == 0  # fmt: skip
        if not there:
            print("SKIPPED: no JupyterHub here (jobs/hub/test-requirements.txt)")
            return 77
        os.execv(python, [python, "-B", __file__, sys.argv[1], "--there"])
    unittest.main(argv=sys.argv[:1])
    return 0


if __name__ == "__main__":
    sys.exit(main())
