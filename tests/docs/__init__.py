"""Pages that say what the program prints: checked by the tests, rewritten by one command."""
