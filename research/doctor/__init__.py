"""What a set-up needs, looked at piece by piece: ``manage.py doctor``, its page in the admin, and ``/readyz``."""
