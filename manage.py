#!/usr/bin/env python
"""Django's command line for Countersign."""

import os
import sys

from django.core.management import execute_from_command_line

from config.embedded import running

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings.local")
    running.adopt()
    execute_from_command_line(sys.argv)
