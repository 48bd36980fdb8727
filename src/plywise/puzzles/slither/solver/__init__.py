"""The complete search: finds a solution, and proves that there is no other."""
