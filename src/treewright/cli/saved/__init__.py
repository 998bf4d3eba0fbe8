"""Models that were saved, and tables read as they know them."""
