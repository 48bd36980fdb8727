"""Plywise in other programs: notebooks, PettingZoo, Gymnasium, OpenSpiel, UGI."""
