"""Grades of several judges taken together. Source: the published method of SBP-002."""
