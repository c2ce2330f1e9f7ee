"""YAML files that people write, read so that a slip is one line with the file and the line in it."""

from pathlib import Path

import yaml


class _OneEach:
    """Refuses a key given twice, of which the last would win without a word."""

    def construct_mapping(self, node, deep=False):
        seen = set()
        for key, _ in node.value:
            name = self.construct_object(key, deep=True)
            if name in seen:
                problem = f"key {name!r} is given twice"
                raise yaml.constructor.ConstructorError(None, None, problem, key.start_mark)
            seen.add(name)
        return super().construct_mapping(node, deep)


class _Values(_OneEach, yaml.SafeLoader):
    pass


class _Texts(_OneEach, yaml.BaseLoader):
    """Every scalar as text, as codes such as 01 and NO are meant."""


def read_yaml(path, texts=False):
    """The contents of a YAML file; with `texts`, every scalar as it is written.

    Raises ValueError, one line naming file and line, on what is not YAML or has a key twice, and OSError
    where there is no such file.
    """
    try:
        text = Path(path).read_text(encoding="utf-8")
        return yaml.load(text, Loader=_Texts if texts else _Values)
    except UnicodeDecodeError:
        raise ValueError(f"{path}: not a text file in UTF-8; expected a YAML file") from None
    except RecursionError:
        raise ValueError(f"{path}: nested too deeply; write it with fewer brackets") from None
    except (TypeError, AttributeError, ValueError) as error:  # such as a list for a key, or a 13th month
        reason = " ".join(str(error).split())
        raise ValueError(f"{path}: {reason}; correct the YAML there") from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        where = f", line {mark.line + 1}" if mark else ""
        problem = getattr(error, "problem", None) or getattr(error, "reason", "not YAML")
        raise ValueError(f"{path}{where}: {problem}; correct the YAML there") from None
