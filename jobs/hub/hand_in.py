"""Takes what students hand in: a service of JupyterHub, which starts it and knows by a token whose file it is.

    POST /services/hand-in/01a_residual      the file; the answer says how much came, and when

It is laid where `./course grade --class` looks for it: COURSE_HANDED_IN/anna/01a_residual/residual.cu. Each that is
handed in again takes the earlier one's place; the file COURSE_HAND_IN_LOG names them all.
"""

import datetime
import hashlib
import json
import os
import pathlib
import urllib.parse

from jupyterhub.services.auth import HubAuthenticated
from tornado import httpserver, ioloop, web

LARGEST = 256 << 10  # as the grader has it


class HandIn(HubAuthenticated, web.RequestHandler):
    def initialize(self, folder, log, exercises):  # pylint: disable=arguments-differ
        self.folder, self.log, self.exercises = folder, log, exercises

    def check_xsrf_cookie(self):
        """Only a student with a token gets here: there are no cookies."""

    def write_error(self, status_code, **details):
        problem = details.get("exc_info", (None, None))[1]
        self.finish((getattr(problem, "log_message", None) or self._reason) + "\n")

    @web.authenticated
    def post(self, exercise):
        if exercise not in self.exercises:
            raise web.HTTPError(404, "there is no such exercise")
        if len(self.request.body) > LARGEST:
            raise web.HTTPError(413, "it has more than 256 KB")
        student, now = self.current_user["name"], datetime.datetime.now()
        file = self.folder / student / exercise / self.exercises[exercise]
        file.parent.mkdir(parents=True, exist_ok=True)
        part = file.with_suffix(".part")
        part.write_bytes(self.request.body)
        part.replace(file)
        digest = hashlib.sha256(self.request.body).hexdigest()
        with open(self.log, "a", encoding="utf-8") as log:
            log.write(f"{now:%Y-%m-%d %H:%M:%S} {student} {exercise} {len(self.request.body)} {digest}\n")
        self.write({"bytes": len(self.request.body), "time": f"{now:%H:%M:%S}"})


class Alive(web.RequestHandler):
    """JupyterHub asks whether the service is up."""

    def get(self):
        self.finish("hand-in\n")


def main():
    folder = pathlib.Path(os.environ["COURSE_HANDED_IN"])
    with open(os.environ["COURSE_EXERCISES"], encoding="utf-8") as file:
        exercises = {one["name"]: one["file"] for one in json.load(file)["exercises"]}
    prefix = os.environ["JUPYTERHUB_SERVICE_PREFIX"]
    url = urllib.parse.urlparse(os.environ["JUPYTERHUB_SERVICE_URL"])
    arguments = {"folder": folder, "log": os.environ["COURSE_HAND_IN_LOG"], "exercises": exercises}
    application = web.Application([(prefix, Alive), (rf"{prefix}(\w+)", HandIn, arguments)])
    httpserver.HTTPServer(application, max_body_size=4 * LARGEST).listen(
        url.port, url.hostname if url.hostname == "127.0.0.1" else "")
    ioloop.IOLoop.current().start()


if __name__ == "__main__":
    main()
