"""PyYAML, or the test is run again by the distribution's Python, which may have it, or skipped."""

import os
import sys

try:
    import yaml
except ImportError:
    # Debian's package is for the distribution's Python, whatever other one comes first in PATH.
    if os.access("/usr/bin/python3", os.X_OK) and sys.argv[1:] != ["--again"]:
        os.execv("/usr/bin/python3", ["/usr/bin/python3", "-B", sys.argv[0], "--again"])
    print("SKIPPED: Python's YAML is not here (Debian: python3-yaml)")
    sys.exit(77)

__all__ = ["yaml"]
