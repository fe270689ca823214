"""The engine with a browser: Chromium, driven by Playwright, whose every connection goes through our gate."""
