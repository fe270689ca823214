"""Which PostgreSQL and Redis on this machine may the suite use? Prints a URL, or exits 1 when there is none.

usage: servers.py postgresql PORT | redis PORT | free-port
"""

import getpass
import socket
import sys
from contextlib import closing

import psycopg
import redis
from psycopg import sql

HOST, NAME, OLDEST = "127.0.0.1", "dossier_ci", 140000
REDIS_DATABASE = 9  # leave database 0 to whoever else uses this server


def postgresql(port: int) -> str | None:
    """The URL of a database of our own, made if need be by a role that may create the test database too."""
    for user in dict.fromkeys(("postgres", "root", getpass.getuser())):
        try:
            with psycopg.connect(
                _dsn(port, user, "postgres"), connect_timeout=3, autocommit=True
            ) as connection:
                if _usable(connection):
                    return _dsn(port, user, NAME)
        except psycopg.Error as error:
            print(f"postgresql as {user}: {str(error).strip()}", file=sys.stderr)
    return None


def _dsn(port: int, user: str, database: str) -> str:
    return f"postgresql://{user}@{HOST}:{port}/{database}"


def _usable(connection: psycopg.Connection) -> bool:
    may = "select rolsuper or rolcreatedb from pg_roles where rolname = current_user"
    allowed = connection.execute(may).fetchone()
    if connection.info.server_version < OLDEST or not (allowed and allowed[0]):
        return False
    if not connection.execute("select 1 from pg_database where datname = %s", [NAME]).fetchone():
        connection.execute(sql.SQL("create database {}").format(sql.Identifier(NAME)))
    return True


def redis_server(port: int) -> str | None:
    """The URL of a Redis that answers."""
    try:
        with closing(redis.Redis(HOST, port, socket_timeout=3, socket_connect_timeout=3)) as client:
            client.ping()
    except redis.RedisError as error:
        print(f"redis: {error}", file=sys.stderr)
        return None
    return f"redis://{HOST}:{port}/{REDIS_DATABASE}"


def free_port() -> str:
    """A port nobody listens on right now."""
    with closing(socket.socket()) as probe:
        probe.bind((HOST, 0))
        return str(probe.getsockname()[1])


def main(arguments: list[str]) -> str | None:
    match arguments:
        case ["postgresql", port]:
            return postgresql(int(port))
        case ["redis", port]:
            return redis_server(int(port))
        case ["free-port"]:
            return free_port()
    raise SystemExit(__doc__)


if __name__ == "__main__":
    answer = main(sys.argv[1:])
    if answer is None:
        sys.exit(1)
    print(answer)
