"""Polish law on a day: consolidated texts, the amendments behind them, and the rules that put the two together."""
