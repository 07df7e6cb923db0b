"""The reference-card method: a key fixed before the answers, one card per answer, one label per card.

`specification` reads the rules, `facts` says what is known of a key and a card, `scoring`, `label`,
`approval` and `proposals` work on one card, `versions` on which cards may be compared, `headline`,
`tables` and `agreement` on many.
"""
