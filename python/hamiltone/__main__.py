"""The command line of the package: ``python -m hamiltone fit``, which the program runs as ``hamiltone fit``."""

from __future__ import annotations

import argparse
import math
import sys
from pathlib import Path

from . import SceneError, __version__
from .fit import RUNS, counted, fit
from .scene import Scene

EXAMPLES = """\
examples:
  hamiltone fit string.toml recording.wav --free body.string.tension="60 N:90 N" --free body.string.loss.d1="0.1:10"
  hamiltone fit bar.toml target.json --free body.bar.thickness="10 mm:25 mm" -o fitted.toml
target.json: {"frequency": [440, 1760], "t60": [2.0, 0.5]}
without the program hamiltone: python -m hamiltone fit …

exit codes: 0, a fit was found; 1, not found: a parameter ended at a bound, partials are more than 5 cents or decay times more than a
factor 2 off (root mean square), levels that decide a parameter are more than 3 dB off, more than half of the target does not sound, or it
does not determine a parameter; 2, invalid input; 130, interrupted
With exit code 1 the closest scene is NAME.failed.toml, and that of an earlier run stays; a fit that is found removes NAME.failed.toml."""


def free(text: str) -> tuple[str, tuple[str, ...]]:
    """Reads PATH=LOWEST:HIGHEST or PATH=LOWEST:START:HIGHEST."""
    path, equals, bounds = text.partition("=")
    parts = tuple(part.strip() for part in bounds.split(":"))
    if not equals or len(parts) not in (2, 3):
        raise argparse.ArgumentTypeError(f"`{text}`: write PATH=LOWEST:HIGHEST or PATH=LOWEST:START:HIGHEST")
    return path.strip(), parts


def sentence(error: OSError, done: str) -> str:
    """An error of the file system as a sentence that names its file."""
    if error.filename is None:
        return str(error)
    if isinstance(error, FileNotFoundError):
        return f"there is no file `{error.filename}`"
    return f"`{error.filename}` cannot be {done}: {error.strerror}"


def main(arguments: list[str] | None = None) -> int:
    """Runs the command line and returns the exit code."""
    parser = argparse.ArgumentParser(prog="hamiltone", epilog=EXAMPLES, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--version", action="version", version=f"hamiltone {__version__}")
    commands = parser.add_subparsers(dest="command", required=True)
    command = commands.add_parser(
        "fit",
        help="find values of parameters with which a scene sounds like a recording, or has partials and decay times",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.add_argument("scene", type=Path, help="scene file (TOML)")
    command.add_argument("target", type=Path, help="a WAV file, or a JSON file with frequency, t60 and level of partials")
    command.add_argument("--free", type=free, action="append", required=True, metavar="PATH=LOW:HIGH", help="a parameter and its bounds; may be repeated")
    command.add_argument("--set", action="append", default=[], metavar="PATH=VALUE", help="change a value of the scene; may be repeated")
    command.add_argument("--partials", type=int, default=8, help="how many partials are compared (default: 8)")
    command.add_argument("--pickup", help="the pickup that is compared (default: the first)")
    command.add_argument("--method", default="least-squares", help="least-squares, nelder-mead, powell or differential-evolution")
    command.add_argument("--runs", type=int, default=RUNS, help=f"the most runs, those of the confidence among them (default: {RUNS}); then the closest values are told")
    command.add_argument("-o", "--output", type=Path, help="the fitted scene (TOML)")
    options = parser.parse_args(arguments)
    try:
        scene = Scene.load(options.scene)
        for change in options.set:
            path, equals, value = change.partition("=")
            if not equals:
                raise ValueError(f"`{change}` has no `=`: write PATH=VALUE")
            scene.set(path.strip(), value.strip())
        failed = options.output and options.output.with_stem(f"{options.output.stem}.failed")
        for name in filter(None, (options.output, failed)):
            if name.resolve() in (options.scene.resolve(), options.target.resolve()):
                raise ValueError(f"`{name}` is an input, and may be replaced; choose another name")
            if name.exists() and not name.is_file():
                raise ValueError(f"`{name}` is no plain file; choose another name")
        if options.output and not options.output.resolve().parent.is_dir():
            raise ValueError(f"there is no folder `{options.output.resolve().parent}`")
        found = fit(
            scene, dict(options.free), options.target, partials=options.partials, pickup=options.pickup, method=options.method, runs=options.runs
        )
    except OSError as error:
        print(f"error: {sentence(error, 'read')}", file=sys.stderr)
        return 2
    except (SceneError, ValueError) as error:
        print(f"error: {error}", file=sys.stderr)
        return 2
    except ModuleNotFoundError as error:
        print(f"error: {error}; a fit needs SciPy: pip install './python[fit]' in a clone", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("interrupted; nothing was written", file=sys.stderr)
        return 130
    if not found.found:
        print("  the closest values, which are not those of the target:")
    for path, parameter in found.parameters.items():
        print(f"  {path} = {parameter.value:.8g} ± {parameter.confidence:.2g} (95 %)")
    balances = [run["residual"] for run in found.evaluations if run["residual"] is not None]
    print(f"  {counted(found.features, 'feature')}, half the sum of squares {found.cost:.3g}; {len(found.evaluations)} runs")
    off = [("frequencies", found.cents, f"{found.cents:.4g} cents"), ("decay times", found.decay, f"a factor of {found.decay:.3f}")]
    for what, value, by in [*off, ("levels", found.level, f"{found.level:.3g} dB")]:
        if math.isfinite(value):
            print(f"  {what} are off by {by} (root mean square)")
    print(f"  largest relative residual of the energy balance of all runs {max(balances, default=float('nan')):.1e}")
    if found.missing:
        verb = "does not sound in the fitted scene and is" if found.missing == 1 else "do not sound in the fitted scene and are"
        print(f"warning: {counted(found.missing, 'feature')} of the target {verb} left out", file=sys.stderr)
    if not found.found:
        print(f"not found: {'; '.join(found.reasons)}", file=sys.stderr)
    if options.output:
        written = options.output if found.found else failed
        try:
            part = written.with_name(f".{written.name}.part")
            part.write_text(found.scene.text, encoding="utf-8")
            part.replace(written)
            if found.found:
                failed.unlink(missing_ok=True)
        except OSError as error:
            print(f"error: {sentence(error, 'written')}", file=sys.stderr)
            return 2
        print(f"  wrote {written}")
    return 0 if found.found else 1


if __name__ == "__main__":
    sys.exit(main())
