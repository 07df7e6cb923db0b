"""The bundle: one benchmark as a folder or .zip of plain files, read, checked, imported and exported."""
