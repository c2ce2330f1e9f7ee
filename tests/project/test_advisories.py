"""What `make advisories` makes of pip-audit, which ends with code 0 where it could ask for no package."""

import json
import sys
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).resolve().parents[2] / "scripts"
sys.path.insert(0, str(SCRIPTS))
import advisories  # noqa: E402

FINE = {"name": "numpy", "version": "2.2", "vulns": []}
SKIPPED = {"name": "scipy", "skip_reason": "Dependency not found on PyPI and could not be audited: scipy"}
BROKEN = {"name": "a", "version": "1.0", "vulns": [{"id": "PYSEC-1", "fix_versions": ["1.1"]}]}


@pytest.fixture
def told(tmp_path, capsys):
    """A function from the answers of PyPI and of OSV (None: a traceback) to exit code, output and errors."""

    def run(pypi, osv):
        says = {
            name: "" if packages is None else json.dumps({"dependencies": packages, "fixes": []})
            for name, packages in (("pypi", pypi), ("osv", osv))
        }
        program = tmp_path / "pip-audit"
        program.write_text(
            f"#!{sys.executable}\nimport sys\n"
            f"said = {says!r}[sys.argv[sys.argv.index('--vulnerability-service') + 1]]\n"
            "print(said)\nsys.exit('unreachable' if not said else 'PYSEC' in said)\n"
        )
        program.chmod(0o755)
        code = advisories.main([str(program)])
        return code, *capsys.readouterr()

    return run


@pytest.mark.parametrize("answers", [([FINE], None), (None, [FINE]), ([FINE, SKIPPED], [FINE, FINE])])
def test_nothing_is_known(told, answers):
    code, out, err = told(*answers)
    assert code == 0 and not err
    assert out.startswith("advisories: nothing is known against") and out.count("\n") == 1


@pytest.mark.parametrize(
    "answers", [([FINE, BROKEN], None), ([SKIPPED], [BROKEN]), ([BROKEN, SKIPPED], None)]
)
def test_what_is_known_is_named(told, answers):
    code, out, err = told(*answers)
    assert (code, out, err) == (1, "a 1.0: PYSEC-1, mended in 1.1\n", "")


@pytest.mark.parametrize(
    "answers", [(None, None), ([SKIPPED], None), ([FINE, SKIPPED], [SKIPPED, FINE]), ([], [])]
)
def test_a_database_that_does_not_answer_is_no_clean_bill(told, answers):
    code, out, err = told(*answers)
    assert code == 3 and not out
    assert err.startswith("advisories: neither database") and err.count("\n") == 1
