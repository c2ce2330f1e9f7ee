"""An audit: a few events whose outcome is looked up give the labels' answer its scale and its trust."""
