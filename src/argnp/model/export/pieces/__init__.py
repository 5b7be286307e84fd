"""What exported networks are made of: plain torch, and nothing that names this package.

Modules in here are real code, checked and tested as such, and text at once: an exported Python
file repeats the functions and classes that its network uses. So a line has 88 columns at most,
and a definition imports nothing; it uses other pieces and the names in `text.IMPORTS`.
"""
