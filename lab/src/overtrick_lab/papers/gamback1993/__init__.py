"""Björn Gambäck, Manny Rayner and Barney Pell (1993): Pragmatic reasoning in bridge.

The paper's examples computed again; its program is the engine `pragma`.
"""
