"""`python -m overtrick`: the command line, where the script of that name is not on the path."""

from overtrick.cli import main

if __name__ == "__main__":
    main(prog_name="overtrick")
