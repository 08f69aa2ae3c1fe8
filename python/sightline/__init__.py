"""Where a training step's time and memory go, line by line of your own code.

>>> import sightline
>>> with sightline.record("run.sightline"):
...     train()
>>> sightline.open("run.sightline")
"""

from sightline._core import version as __version__
from sightline._recording import Recording, record, step
from sightline._run_file import Run, open

__all__ = ["Recording", "Run", "__version__", "open", "record", "step"]
