"""Overtrick asked by other programs: the calls of robot clients, and tools for language models.
Used by the web server and `overtrick mcp`; every answer is plain data made from a decision."""
