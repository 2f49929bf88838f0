"""`python -m menpai` is `menpai`."""

import sys

from menpai.cli import main

if __name__ == "__main__":
    sys.exit(main())
