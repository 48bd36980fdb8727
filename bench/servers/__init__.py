"""Benchmarks of running servers: several on one database, a long run, and many kills."""
