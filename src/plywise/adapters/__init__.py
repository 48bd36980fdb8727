"""Every game in other people's frameworks: PettingZoo, Gymnasium and OpenSpiel."""
