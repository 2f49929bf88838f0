"""How the division tables are made: one module a table; tools/build_divisions.py writes or checks them."""
