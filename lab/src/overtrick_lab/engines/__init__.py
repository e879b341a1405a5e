"""Engines that exist for papers and measurements; the program names them, no table offers them."""
