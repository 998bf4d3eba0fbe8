"""The command line. Read `main.py` first, then the file of a command."""
