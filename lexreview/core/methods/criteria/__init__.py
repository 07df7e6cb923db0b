"""PASS/FAIL criteria decided by up to three judges, of whom the third is asked only where the first two do not settle.

Source: the published description of LegalITA, as summed up in our own words in docs/judging.md.
"""
