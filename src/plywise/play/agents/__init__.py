"""Agents: engines by name, and files and programs in their own processes."""
