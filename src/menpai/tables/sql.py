"""Tables of a database by URL: `postgresql://user:password@host/db#table`, or `#SELECT …` after the sign.

Rows are streamed, nothing is written, and no password is ever shown: not in a name, not in an error.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from menpai.errors import NotReadyError, UsageError, near
from menpai.tables.parquet import plain
from menpai.tables.table import Row, Table

BATCH = 1000
DIALECTS = (
    "sqlite", "postgresql", "postgres", "mysql", "mariadb", "oracle", "mssql", "duckdb", "clickhouse", "snowflake",
    "trino", "presto", "hive", "redshift", "dm", "kingbase", "opengauss", "oceanbase", "starrocks", "doris",
)  # fmt: skip
_URL = re.compile(rf"({'|'.join(DIALECTS)})(\+\w+)?://", re.IGNORECASE)
_QUERY = re.compile(r"\s*(select|with)\s", re.IGNORECASE)


def is_url(text: str) -> bool:
    """Whether a text begins as the URL of a database."""
    return _URL.match(text) is not None


@contextmanager
def open_sql(text: str) -> Iterator[Table]:
    """The rows of the table or query behind the URL, read while the block lasts."""
    alchemy = _import()
    address, _, wanted = text.partition("#")
    name, secrets = shown(address), {url_password(address)}
    try:
        url = alchemy.make_url(re.sub("^postgres:", "postgresql:", address, flags=re.IGNORECASE))
        secrets = {url_password(address), url.password or ""}
        engine = alchemy.create_engine(_read_only(url, name))
    except ModuleNotFoundError as error:
        raise NotReadyError("sql_driver_missing", package=str(error.name), url=name) from error
    except alchemy.exc.SQLAlchemyError as error:
        raise _failed(name, secrets, error) from None
    try:
        with engine.connect().execution_options(stream_results=True, max_row_buffer=BATCH) as connection:
            result, label = _result(alchemy, connection, wanted, name)
            columns = tuple(map(str, result.keys()))
            yield Table(f"{name}#{label}", "", columns, _rows(result, name, secrets, alchemy))
            connection.rollback()
    except ModuleNotFoundError as error:
        raise NotReadyError("sql_driver_missing", package=str(error.name), url=name) from error
    except (alchemy.exc.SQLAlchemyError, OSError) as error:
        raise _failed(name, secrets, error) from None
    finally:
        engine.dispose()


def shown(address: str) -> str:
    """A URL without user, password and options."""
    scheme, _, rest = address.partition("#")[0].partition("://")
    place = rest.rpartition("@")[2].partition("?")[0]
    return f"{scheme}://{place}"


def url_password(address: str) -> str:
    """The password in a URL, or nothing."""
    found = re.match(r"[^:]+://[^:@/]*:(.*)@", address.partition("#")[0])
    return found[1] if found else ""


def _result(alchemy: Any, connection: Any, wanted: str, name: str) -> tuple[Any, str]:
    """The rows of a query or a table, and what to call it."""
    if _QUERY.match(wanted):
        return connection.exec_driver_sql(wanted), "SELECT"
    schema, _, table = wanted.rpartition(".")
    inspector = alchemy.inspect(connection)
    known = [*inspector.get_table_names(schema or None), *inspector.get_view_names(schema or None)]
    table = table or (known[0] if len(known) == 1 else "")
    if table not in known:
        listed = ", ".join(known[:20]) + (", …" if len(known) > 20 else "")
        raise UsageError("sql_table_unknown", url=name, table=table, tables=listed, **near(table, known))
    found = alchemy.table(table, schema=schema or None)
    return connection.execute(alchemy.select(alchemy.text("*")).select_from(found)), wanted or table


def _rows(result: Any, name: str, secrets: set[str], alchemy: Any) -> Iterator[Row]:
    try:
        for line, cells in enumerate(result, 1):
            yield Row(line, tuple(map(plain, cells)))
    except (alchemy.exc.SQLAlchemyError, OSError) as error:
        raise _failed(name, secrets, error) from None


def _read_only(url: Any, name: str) -> Any:
    """A SQLite file must be there and is opened for reading only; other databases know who may write."""
    if url.get_backend_name() != "sqlite" or not url.database or url.database.startswith("file:"):
        return url
    if not Path(url.database).is_file():
        raise UsageError("file_not_found", path=name)
    return url.set(
        database="file:" + Path(url.database).resolve().as_posix(), query={"mode": "ro", "uri": "true"}
    )


def _failed(name: str, secrets: set[str], error: Exception) -> UsageError:
    """What the driver said, cut short, and without a password if it quotes one."""
    said = str(getattr(error, "orig", None) or error).partition("\n")[0]
    for secret in secrets - {""}:
        said = said.replace(secret, "***")
    return UsageError("sql_failed", url=name, reason=said[:200])


def _import() -> Any:
    try:
        import sqlalchemy  # noqa: PLC0415  (an extra: only who gives a URL needs it)
    except ModuleNotFoundError as error:
        raise NotReadyError("extra_missing", package="sqlalchemy", extra="sql") from error
    return sqlalchemy
