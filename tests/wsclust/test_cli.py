"""The command `wsclust` when it is stopped, and when its streams are closed."""

import os
import signal
import struct
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from wsclust import cli

ROOT = Path(__file__).parents[2]
FIT = "fit examples/events.csv --labels examples/labels.csv --factors level,shape --half-samples 0 --no-check"
FULL = Path("/dev/full")
PIECE = "".join(f"g{i},{i % 3},{'ab'[i % 2]}\n" for i in range(10_000))


def run_in(shell, line, folder=ROOT):
    # Streams are buffered, as a user has them.
    env = {**os.environ, "PYTHONPATH": str(ROOT / "src"), "PYTHONUNBUFFERED": ""}
    return subprocess.run([shell, "-c", line], cwd=folder, env=env, capture_output=True, text=True)


def shell(command, folder=ROOT):
    """A run of `wsclust COMMAND` in a shell, which may redirect its streams."""
    return run_in("sh", f"exec '{sys.executable}' -m wsclust.cli {command}", folder)


def piped(command):
    """The same where the command may be the first of a pipe, whose exit code is then its own."""
    return run_in("bash", f"set -o pipefail; '{sys.executable}' -m wsclust.cli {command}")


def refused(run, *words):
    """Whether a run ended as bad input does, with one line that has the words."""
    assert run.returncode == 2, run
    assert run.stderr.count("\n") == 1 and all(word in run.stderr for word in words), run.stderr
    return True


# Stopped.


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_stopped_score_leaves_nothing_behind(tmp_path, number, code):
    pytest.importorskip("duckdb")
    spill, events, known = (tmp_path / name for name in ("spill", "events.csv", "known.csv"))
    spill.mkdir()
    events.write_text("group,level,shape\n" + PIECE * 400)
    known.write_text("level,shape,n,posterior,se,lower,upper\n0,a,5,0.3,,,\n")
    command = [sys.executable, "-m", "wsclust.cli", "score", str(events), "--posterior", str(known)]
    env = os.environ | {"PYTHONPATH": str(ROOT / "src"), "TMPDIR": str(spill)}
    for _ in range(30):
        run = subprocess.Popen(
            [*command, "--output", str(tmp_path / "scored.csv")], env=env, stderr=subprocess.PIPE, text=True
        )
        while run.poll() is None and not list(tmp_path.glob(".scored*")):
            time.sleep(0.001)
        run.send_signal(number)
        said = run.communicate()[1]
        if "without a posterior" not in said:
            break
        # On a busy machine the copy may be done before the signal comes: once more.
        (tmp_path / "scored.csv").unlink(missing_ok=True)
    assert said == "wsclust score: stopped\n"
    assert run.returncode == code
    assert sorted(tmp_path.iterdir()) == [events, known, spill] and not list(spill.iterdir())


def test_a_command_stopped_while_it_is_loaded_is_one_line(monkeypatch, capsys):
    def stop(name):
        raise KeyboardInterrupt

    monkeypatch.setattr(cli, "import_module", stop)
    assert cli.main(["fit"]) == 130
    assert capsys.readouterr().err == "wsclust fit: stopped\n"


def main_that_runs(lines):
    """What becomes of `wsclust fit` where its module, as it is loaded, runs these lines instead."""
    code = "import os, signal; from wsclust import cli\ndef load(name):\n"
    code += "".join(f"    {line}\n" for line in lines)
    code += "import sys; cli.import_module = load; sys.argv = ['wsclust', 'fit']; sys.exit(cli.main())"
    environment = os.environ | {"PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


@pytest.mark.parametrize(
    "error", ["ImportError('initialization failed')", "SystemError('null')", "ValueError('x')"]
)
def test_what_a_stopped_module_makes_of_a_signal_is_not_what_is_said(error):
    """As numpy and duckdb do where the signal comes while their compiled parts load."""
    lines = ["try:", "    os.kill(os.getpid(), signal.SIGINT)"]
    lines += ["except KeyboardInterrupt:", f"    raise {error} from None"]
    assert main_that_runs(lines) == (130, "", "wsclust fit: stopped\n")


@pytest.mark.parametrize(("first", "code"), [("SIGINT", 130), ("SIGTERM", 143)])
def test_a_second_signal_does_not_break_off_the_clearing_up(first, code):
    lines = ["try:", f"    os.kill(os.getpid(), signal.{first})", "finally:"]
    lines += [f"    os.kill(os.getpid(), signal.{name})" for name in ("SIGINT", "SIGTERM", "SIGINT")]
    lines += ["    print('cleared')"]
    assert main_that_runs(lines) == (code, "cleared\n", "wsclust fit: stopped\n")


def test_a_signal_that_was_lost_can_be_given_again():
    """Python drops an exception in what it calls as it frees an object."""
    lines = [
        "cli.CLEARING_UP = 0",
        "for _ in range(2):",
        "    try:",
        "        os.kill(os.getpid(), signal.SIGTERM)",
    ]
    lines += ["    except KeyboardInterrupt:", "        print('lost', flush=True)"]
    lines += ["os.kill(os.getpid(), signal.SIGTERM)", "print('went on')"]
    assert main_that_runs(lines) == (143, "lost\nlost\n", "wsclust fit: stopped\n")


def test_called_from_python_it_leaves_signals_alone():
    before = signal.getsignal(signal.SIGTERM)
    with pytest.raises(SystemExit):
        cli.main(["--version"])
    assert signal.getsignal(signal.SIGTERM) is before


# Streams.


@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-"])
def test_closed_streams_do_no_harm(tmp_path, closed):
    pytest.importorskip("duckdb")
    run = shell(f"{FIT} --output '{tmp_path}/posterior.csv' {closed}")
    assert (run.returncode, run.stderr) == (0, "")
    assert (tmp_path / "posterior.csv").is_file()


@pytest.mark.skipif(not FULL.exists(), reason="needs /dev/full")
@pytest.mark.parametrize("command", ["score nothing", "score --nothing", "fit nowhere.csv"])
def test_bad_input_is_2_where_stderr_takes_nothing(command):
    assert shell(f"{command} 2>/dev/full").returncode == 2


@pytest.mark.skipif(not FULL.exists(), reason="needs /dev/full")
def test_a_warning_that_stderr_does_not_take_is_no_error(tmp_path):
    pytest.importorskip("duckdb")
    fit = f"{FIT} --he-weight 0"
    assert "warning" in shell(f"{fit} --output '{tmp_path}/posterior.csv'").stderr
    assert shell(f"{fit} --output '{tmp_path}/again.csv' 2>/dev/full").returncode == 0
    assert (tmp_path / "again.csv").read_bytes() == (tmp_path / "posterior.csv").read_bytes()


@pytest.mark.skipif(not FULL.exists(), reason="needs /dev/full")
@pytest.mark.parametrize("command", ["fit --help", "--version"])
def test_a_stdout_that_takes_nothing_is_named(command):
    assert refused(shell(f"{command} >/dev/full"), "stdout: No space left on device")


@pytest.mark.skipif(not FULL.exists(), reason="needs /dev/full")
@pytest.mark.parametrize("stdout", [">/dev/full", "| true", ">&-"])
def test_with_nothing_to_say_stdout_need_take_nothing(tmp_path, stdout):
    pytest.importorskip("duckdb")
    counted, scored = tmp_path / "counted.parquet", tmp_path / "scored.csv"
    for command in (
        f"{FIT} --output '{tmp_path}/posterior.csv'",
        f"score examples/events.csv --posterior '{tmp_path}/posterior.csv' --output '{scored}'",
        f"count-shard examples/events.csv --factors level,shape --output '{counted}'",
        f"add-counts '{counted}' --output '{tmp_path}/total.parquet'",
    ):
        run = piped(f"{command} {stdout}")
        assert (run.returncode, run.stderr) == (0, ""), command


def test_a_verdict_that_nobody_reads_is_still_an_exit_code(tmp_path):
    pytest.importorskip("duckdb")
    table = "group,level\n" + "".join(f"g{i},{i * 7 % 3}\n" for i in range(200)) * 2
    (tmp_path / "events.csv").write_text(table)
    rows = "".join(f"g{i},0.{1 + i * 13 % 8}\n" for i in range(200))
    (tmp_path / "labels.csv").write_text("group,label\n" + rows)
    fit = f"fit '{tmp_path}/events.csv' --labels '{tmp_path}/labels.csv' --factors level --strict"
    fit += f" --half-samples 0 --output '{tmp_path}/posterior.csv'"
    assert "verdict: evidence against" in shell(fit).stderr
    assert piped(f"{fit} 2>&1 | true").returncode == 3


def on_a_terminal(arguments, columns):
    """What `wsclust` writes to stderr where that is a terminal of so many columns: lines."""
    fcntl, pty, termios = (pytest.importorskip(name) for name in ("fcntl", "pty", "termios"))
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    command = [sys.executable, "-m", "wsclust.cli", *arguments]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=theirs, cwd=ROOT):
        os.close(theirs)
        written = b""
        # At the end Linux gives an error instead of nothing.
        with suppress(OSError):
            while chunk := os.read(ours, 4096):
                written += chunk
        os.close(ours)
    return written.decode().rpartition("\x1b[2K")[2].splitlines()


def test_a_terminal_is_not_written_over_its_edge_and_a_command_is_whole(tmp_path):
    pytest.importorskip("duckdb")
    fit = [*FIT.replace(" --no-check", "").split(), "--output", str(tmp_path / "posterior.csv")]
    *lines, command = on_a_terminal(fit, 60)
    assert max(map(len, lines)) <= 60 and len(lines) > 6
    assert lines[0].startswith("wsclust: ") and all(line.startswith("  ") for line in lines[1:])
    assert "verdict: " in lines[0] and command.startswith(
        "    wsclust audit-sample examples/events.csv --labels"
    )
    assert command.endswith("--size 100 --output to_label.csv")


def test_an_error_is_one_line_on_a_terminal_too():
    (line,) = on_a_terminal(["fit", "nowhere.csv", *FIT.split()[2:], "--output", "a.csv"], 40)
    assert len(line) > 40 and line.startswith("wsclust fit: nowhere.csv")


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--seed", "1.5"], "--seed: expected a whole number, found '1.5'"),
        (["--cap", "many"], "--cap: expected a number, found 'many'"),
        (["--method", "direct", "--solver", "em"], "it has --prior, --pseudo-events"),
    ],
)
def test_what_is_expected_is_in_the_words_of_the_options(tmp_path, capsys, options, expected):
    inputs = ["examples/events.csv", "--labels", "examples/labels.csv", "--factors", "level"]
    try:
        code = cli.main(["fit", *inputs, "--output", str(tmp_path / "o.csv"), *options])
    except SystemExit as stop:
        code = stop.code
    assert code == 2 and expected in capsys.readouterr().err


def test_names_of_the_users_are_not_taken_for_options(tmp_path, capsys):
    folder = tmp_path / "group=7"
    folder.mkdir()
    (folder / "part.csv").write_text("group,x\na,\n")
    (tmp_path / "labels.csv").write_text("label_n,label\na,.5\n")
    labels = ["--labels", str(tmp_path / "labels.csv"), "--output", str(tmp_path / "o.csv"), "--factors", "x"]
    assert cli.main(["fit", str(folder), *labels, "--label-group", "label_n"]) == 2
    assert f"{folder}/part.csv: line 2: column 'x'" in capsys.readouterr().err
    assert cli.main(["fit", str(folder / "part.csv"), *labels]) == 2
    assert "there are 'label_n', 'label'" in capsys.readouterr().err


def test_a_fit_starts_without_the_slow_parts_of_scipy():
    code = (
        "import sys, wsclust.commands.fit; print('scipy.stats' in sys.modules, 'matplotlib' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]


def test_an_unknown_option_is_refused_with_the_help_of_its_command(capsys):
    with pytest.raises(SystemExit) as caught:
        cli.main(
            ["fit", "e.csv", "--labels", "l.csv", "--factors", "a", "--output", "o.csv", "--audit-ids", "x"]
        )
    assert caught.value.code == 2
    expected = "wsclust fit: unrecognized arguments: --audit-ids x; see `wsclust fit --help`\n"
    assert capsys.readouterr().err == expected


def test_what_every_image_warns_of_is_said_once(tmp_path):
    lines = (f"{group},{level}" for group in range(9) for level in ("a", "a", "\U0010fffe")[group % 3 :])
    (tmp_path / "e.csv").write_text("group,x\n" + "\n".join(lines) + "\n", encoding="utf-8")
    (tmp_path / "l.csv").write_text("group,label\n" + "".join(f"{i},.{i + 1}\n" for i in range(9)))
    line = "fit e.csv --labels l.csv --factors x --half-samples 0 --no-check --output o.csv"
    run = shell(f"{line} --plot p.png --report r.html", tmp_path)
    assert run.returncode == 0 and run.stderr.count("a box stands for each") == 1, run.stderr
