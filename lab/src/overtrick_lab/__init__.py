"""The laboratory of Overtrick: what trains its networks, repeats the papers and makes the exam,
the lessons and the fitted files that it ships. Programs that play and analyse never need it."""

__version__ = "0.2.0"
