"""Figures, not timed tests: ratios from one run on one machine (page 08, Speed)."""
