"""Agents: engines by name, and files and programs in processes of their own."""
