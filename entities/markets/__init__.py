"""What markets say of a token: metadata, prices, safety, holders, talk; from Helius, Jupiter, Birdeye, Rugcheck, X."""
