"""The air in the pipe of scenes/tube_cylinder.toml by openwind, with its own mesh and step; `energy` records its energies as well."""

import sys
import time

from openwind import Player, simulate

seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 0.02
begin = time.process_time()
simulate(
    seconds,
    [[0.0, 12e-3], [0.5, 12e-3]],
    player=Player("IMPULSE_400us"),
    losses=False,
    radiation_category="perfectly_open",
    temperature=20,
    record_energy="energy" in sys.argv,
    verbosity=0,
)
print(f"sound {seconds:g} taken {time.process_time() - begin:g}")
