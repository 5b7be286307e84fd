"""What a run says of how it was called, and on what it ran."""

import subprocess
import sys
from pathlib import Path

import pytest
import torch

import argnp
from argnp.workflows.made_with import command_line, environment

PACKAGE = Path(argnp.__file__).parent


@pytest.mark.parametrize(
    "program",
    ["/usr/bin/argnp", "argnp", str(PACKAGE / "__main__.py"), str(PACKAGE / "cli" / "main.py")],
)
def test_the_command_line_is_kept_as_typed(monkeypatch, program):
    monkeypatch.setattr(sys, "argv", [program, "fit", "my data.csv", "--size", "4"])
    assert command_line() == "argnp fit 'my data.csv' --size 4"


@pytest.mark.parametrize(
    "arguments",
    [["ipykernel_launcher.py", "-f", "kernel.json"], ["/usr/bin/pytest", "-x"], ["main.py"], [""]],
)
def test_a_program_of_the_users_own_is_no_command(monkeypatch, arguments):
    monkeypatch.setattr(sys, "argv", arguments)
    assert command_line() is None


def test_a_module_that_is_run_is_the_command():
    code = "import runpy, sys\n"
    code += "from argnp.cli import main as cli\n"
    code += "from argnp.workflows.made_with import command_line\n"
    code += "cli.main = lambda: print(command_line())\n"
    code += "sys.argv[1:] = ['show', 'x']\n"
    code += "runpy.run_module('argnp', run_name='__main__', alter_sys=True)\n"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "argnp show x\n"


def test_versions_and_threads():
    told = environment()
    assert told["python"] == ".".join(map(str, sys.version_info[:3]))
    assert (told["torch"], told["threads"]) == (torch.__version__, torch.get_num_threads())
    assert told["platform"]
