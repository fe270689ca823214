"""What every app stands on: asking the internet, the manners of commands, text, databases. It knows no app."""
