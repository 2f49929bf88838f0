"""Tables of a database by URL: `postgresql://user:password@host/db#table`, or `#SELECT …` after the sign.

Rows are streamed, nothing is written, and no password is ever shown: not in a name, not in an error.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Set
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import quote

from menpai.errors import NotReadyError, UsageError, near
from menpai.tables.parquet import plain
from menpai.tables.table import Row, Table

BATCH = 1000
BOOK = "menpai_journal"
"The table in which a database keeps what was written into it."
DIALECTS = (
    "sqlite", "postgresql", "postgres", "mysql", "mariadb", "oracle", "mssql", "duckdb", "clickhouse", "snowflake",
    "trino", "presto", "hive", "redshift", "dm", "kingbase", "opengauss", "oceanbase", "starrocks", "doris",
)  # fmt: skip
_URL = re.compile(rf"({'|'.join(DIALECTS)})(\+\w+)?://", re.IGNORECASE)
_PASSWORD = re.compile(r"[^/\[]*:(?!\d*(/|$))")
"What stands before a sign that should have been encoded: `user:pass` of `user:pass#word@host`."
_QUERY = re.compile(r"\s*(select|with)\s", re.IGNORECASE)


def is_url(text: str) -> bool:
    """Whether a text begins as the URL of a database."""
    return _URL.match(text) is not None


class Database(NamedTuple):
    """An opened database: the package, its engine, the name to show, and what must not be shown."""

    alchemy: Any
    engine: Any
    name: str
    secrets: frozenset[str]

    def failed(self, error: Exception) -> UsageError:
        """What the driver said, cut short, and without a password if it quotes one."""
        return _failed(self.name, self.secrets, error)


@contextmanager
def open_database(address: str, writing: bool = False) -> Iterator[Database]:
    """The database of a URL while the block lasts; what its driver raises becomes a UsageError."""
    alchemy = _import()
    name, secrets = shown(address), {url_password(address)}
    try:
        url = alchemy.make_url(re.sub("^postgres:", "postgresql:", address, flags=re.IGNORECASE))
        secrets = {url_password(address), url.password or ""}
        engine = alchemy.create_engine(url if writing else _read_only(url, name))
    except ModuleNotFoundError as error:
        raise NotReadyError("sql_driver_missing", package=str(error.name), url=name) from error
    except alchemy.exc.SQLAlchemyError as error:
        raise _failed(name, secrets, error) from None
    except ValueError:  # its text may hold a part of a password that was not encoded
        raise UsageError("sql_url_wrong", url=name) from None
    try:
        yield Database(alchemy, engine, name, frozenset(secrets))
    except ModuleNotFoundError as error:
        raise NotReadyError("sql_driver_missing", package=str(error.name), url=name) from error
    except alchemy.exc.SQLAlchemyError as error:
        raise _failed(name, secrets, error) from None
    finally:
        engine.dispose()


@contextmanager
def open_sql(text: str) -> Iterator[Table]:
    """The rows of the table or query behind the URL, read while the block lasts."""
    address, _, wanted = text.partition("#")
    with open_database(address) as base:
        options = {"stream_results": True, "max_row_buffer": BATCH}
        with base.engine.connect().execution_options(**options) as connection:
            result, label = _result(base.alchemy, connection, wanted, base.name)
            with closing(result):
                columns = tuple(map(str, result.keys()))
                yield Table(f"{base.name}#{label}", "", columns, _rows(result, base))
            connection.rollback()


def shown(address: str) -> str:
    """A URL without user, password and options; without its place too where that may be a part of a password."""
    scheme, _, rest = address.partition("#")[0].partition("://")
    place = rest.rpartition("@")[2].partition("?")[0]
    return f"{scheme}://{'***' if _PASSWORD.match(place) else place}"


def url_password(address: str) -> str:
    """The password in a URL, or nothing."""
    found = re.match(r"[^:]+://[^:@/]*:(.*)@", address.partition("#")[0])
    return found[1] if found else ""


def _result(alchemy: Any, connection: Any, wanted: str, name: str) -> tuple[Any, str]:
    """The rows of a query or a table, and what to call it."""
    if _QUERY.match(wanted):
        return _streamed(alchemy, connection, wanted), "SELECT"
    schema, _, table = wanted.rpartition(".")
    inspector = alchemy.inspect(connection)
    known = [*inspector.get_table_names(schema or None), *inspector.get_view_names(schema or None)]
    theirs = [each for each in known if each != BOOK]
    table = table or (theirs[0] if len(theirs) == 1 else "")
    if table not in known:
        listed = ", ".join(known[:20]) + (", …" if len(known) > 20 else "")
        raise UsageError("sql_table_unknown", url=name, table=table, tables=listed, **near(table, known))
    found = alchemy.select(alchemy.text("*")).select_from(alchemy.table(table, schema=schema or None))
    return _streamed(alchemy, connection, str(found.compile(connection))), wanted or table


def _streamed(alchemy: Any, connection: Any, query: str) -> Any:
    """The rows of a query, a batch at a time. SQLite's go through a table of this connection's own: reading from the
    database itself, row by row, would keep everybody, this process too, from writing into it meanwhile."""
    if connection.dialect.name != "sqlite":
        return connection.exec_driver_sql(query)
    connection.exec_driver_sql(f"CREATE TEMP TABLE menpai_read AS {query}")
    connection.commit()
    return connection.exec_driver_sql("SELECT * FROM temp.menpai_read")


def _rows(result: Any, base: Database) -> Iterator[Row]:
    try:
        for line, cells in enumerate(result, 1):
            yield Row(line, tuple(map(plain, cells)))
    except (base.alchemy.exc.SQLAlchemyError, OSError) as error:
        raise base.failed(error) from None


def _read_only(url: Any, name: str) -> Any:
    """A SQLite file must be there and is opened for reading only; other databases know who may write."""
    if url.get_backend_name() != "sqlite" or not url.database or url.database.startswith("file:"):
        return url
    if not Path(url.database).is_file():
        raise UsageError("file_not_found", path=name)
    path = quote(os.fsencode(Path(url.database).resolve()))
    return url.set(database="file:" + path, query={"mode": "ro", "uri": "true"})


def _failed(name: str, secrets: Set[str], error: Exception) -> UsageError:
    """What the driver said, cut short, and without a password if it quotes one."""
    said = str(getattr(error, "orig", None) or error).partition("\n")[0]
    for secret in secrets - {""}:
        said = said.replace(secret, "***")
    if "disk is full" in said:
        return UsageError("disk_full", path=name, reason=said[:200])
    if "readonly database" in said:
        return UsageError("output_forbidden", path=name, reason=said[:200])
    return UsageError("sql_failed", url=name, reason=said[:200])


def _import() -> Any:
    try:
        import sqlalchemy  # noqa: PLC0415  (an extra: only who gives a URL needs it)
    except ModuleNotFoundError as error:
        raise NotReadyError("extra_missing", package="sqlalchemy", extra="sql") from error
    return sqlalchemy
