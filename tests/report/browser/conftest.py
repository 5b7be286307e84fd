"""A real browser, driven through chromedriver's own HTTP protocol with the standard library."""

import base64
import json
import os
import shutil
import socket
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

_FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
]


class Browser:
    """One window. ``console`` collects what pages complained about."""

    def __init__(self, port: int, profile: Path, binary: str) -> None:
        self.root = f"http://127.0.0.1:{port}"
        options = {"binary": binary, "args": [*_FLAGS, f"--user-data-dir={profile}"]}
        wanted = {
            "browserName": "chrome",
            "goog:chromeOptions": options,
            "goog:loggingPrefs": {"browser": "ALL"},
        }
        made = self._ask("POST", "/session", {"capabilities": {"alwaysMatch": wanted}})
        self.root += f"/session/{made['sessionId']}"

    def _ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        payload = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(
            self.root + path,
            payload,
            {"Content-Type": "application/json", "Connection": "close"},
            method=method,
        )
        direct = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with direct.open(request, timeout=60) as answer:
            return json.loads(answer.read())["value"]

    def command(self, name: str, **parameters: Any) -> Any:
        """A command of the browser's developer protocol."""
        return self._ask("POST", "/goog/cdp/execute", {"cmd": name, "params": parameters})

    def show(self, page: Path, *, width: int = 1280, dark: bool = False) -> None:
        """Open a page, without network, in a window of this width."""
        self.command(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=900,
            deviceScaleFactor=1,
            mobile=width < 600,
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.command("Emulation.setEmulatedMedia", features=[scheme])
        self._ask("POST", "/url", {"url": page.as_uri()})

    def run(self, script: str) -> Any:
        """The value that the script returns."""
        return self._ask("POST", "/execute/sync", {"script": script, "args": []})

    def press(self, key: str) -> None:
        """A key, typed where the focus is; the names of the web platform."""
        for kind in ("keyDown", "keyUp"):
            code = {"ArrowRight": 39, "ArrowLeft": 37, "Tab": 9, "End": 35, "Enter": 13}.get(key, 0)
            typed = {"text": "\r"} if (kind, key) == ("keyDown", "Enter") else {}
            self.command(
                "Input.dispatchKeyEvent",
                type=kind,
                key=key,
                code=key,
                windowsVirtualKeyCode=code,
                **typed,
            )

    @property
    def console(self) -> list[str]:
        found = self._ask("POST", "/se/log", {"type": "browser"})
        return [entry["message"] for entry in found]

    def photograph(self, path: Path) -> None:
        """The whole page as PNG."""
        shot = self.command("Page.captureScreenshot", captureBeyondViewport=True)
        path.write_bytes(base64.b64decode(shot["data"]))

    def close(self) -> None:
        self._ask("DELETE", "")


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    binary = shutil.which("chromium") or shutil.which("chromium-browser")
    driver = shutil.which("chromedriver")
    if binary is None or driver is None:
        if os.environ.get("CI") == "true":
            pytest.fail("chromium and chromedriver are missing: CI must look at the report")
        pytest.skip("needs chromium and chromedriver (Debian: chromium, chromium-driver)")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    folder = tmp_path_factory.mktemp("browser")
    service = subprocess.Popen(
        [driver, f"--port={port}"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        _wait(port)
        window = Browser(port, folder / "profile", binary)
        yield window
        window.close()
    finally:
        service.terminate()
        service.wait(30)


def _wait(port: int) -> None:
    for _ in range(300):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    raise RuntimeError("chromedriver does not answer")
