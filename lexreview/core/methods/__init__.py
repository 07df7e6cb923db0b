"""The methods: records in, result out, each with its source cited. One package per method."""
