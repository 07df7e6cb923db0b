"""Statistics of the methods: agreement, intervals, resampling.

Callers import from the module they need, so that reading a card does not load the statistics
libraries. Every random draw takes a seed.
"""
