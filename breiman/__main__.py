"""`python -m breiman`."""

import sys

from breiman.run import main

sys.exit(main())
