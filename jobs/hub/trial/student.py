"""A student of the hub as the trials have one: logs in, starts a kernel and runs cells, by HTTP and a WebSocket."""

import json
import time
import uuid

import httpx
import websocket


class Student:
    def __init__(self, url, name, password):
        self.url, self.name, self.password = url.rstrip("/"), name, password
        self.base = f"{self.url}/user/{name}"
        self.http = httpx.Client(follow_redirects=True, timeout=300)
        self.socket = None

    def log_in(self):
        """Logs in and waits until the server is there."""
        self.http.get(f"{self.url}/hub/login")
        form = {"username": self.name, "password": self.password, "_xsrf": self.xsrf("/hub/")}
        self.http.post(f"{self.url}/hub/login", data=form).raise_for_status()
        self.http.get(f"{self.url}/hub/spawn/{self.name}")
        for _ in range(300):
            answer = self.http.get(f"{self.base}/api/status")
            if answer.status_code == 200 and "kernels" in answer.text:
                return self
            if answer.status_code in (401, 403):
                self.http.get(f"{self.base}/lab")  # where the server and the hub agree on who this is
            time.sleep(1)
        raise TimeoutError(f"no server for {self.name}: {answer.status_code} {answer.url} {answer.text[:300]}")

    def xsrf(self, path):
        found = [cookie.value for cookie in self.http.cookies.jar if (cookie.name, cookie.path) == ("_xsrf", path)]
        return found[0] if found else ""

    def start_kernel(self):
        answer = self.http.post(f"{self.base}/api/kernels", headers={"X-XSRFToken": self.xsrf(f"/user/{self.name}/")})
        answer.raise_for_status()
        cookies = "; ".join(f"{cookie.name}={cookie.value}" for cookie in self.http.cookies.jar
                            if cookie.path in ("/", f"/user/{self.name}/"))  # fmt: skip
        address = f"{self.base}/api/kernels/{answer.json()['id']}/channels".replace("http", "ws", 1)
        self.socket = websocket.create_connection(address, header=[f"Cookie: {cookies}"], timeout=300)
        return self

    def send(self, code):
        header = {"msg_id": uuid.uuid4().hex, "msg_type": "execute_request", "username": self.name, "session": "trial",
                  "version": "5.3", "date": ""}  # fmt: skip
        content = {"code": code, "silent": False, "store_history": False, "allow_stdin": False, "stop_on_error": True}
        self.socket.send(json.dumps({"header": header, "parent_header": {}, "metadata": {}, "content": content,
                                     "channel": "shell", "buffers": []}))  # fmt: skip
        return header["msg_id"]

    def run(self, code):
        """Runs a cell; what it shows, as text, and the seconds that it took."""
        start, number, shown = time.monotonic(), self.send(code), []
        while True:
            message = json.loads(self.socket.recv())
            if message["parent_header"].get("msg_id") != number:
                continue
            kind, content = message["header"]["msg_type"], message["content"]
            if kind == "stream":
                shown.append(content["text"])
            elif kind == "display_data":
                shown.append(content["data"].get("text/plain", ""))
            elif kind == "error":
                shown.append(f"{content['ename']}: {content['evalue']}")
            elif kind == "status" and content["execution_state"] == "idle":
                return "\n".join(shown), time.monotonic() - start
