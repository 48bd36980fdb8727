"""`serve`, `backup` and `restore`: run the web app, here or for others; copy its games."""

from __future__ import annotations

import errno
import gc
import logging
import os
import re
import signal
import socket
import threading
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import replace
from ipaddress import ip_address
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from plywise.cli.console import note, working
from plywise.cli.inputs import Database
from plywise.core.spec import Spec
from plywise.errors import SpecError
from plywise.games import add, added
from plywise.kit.words import counted
from plywise.web.listener import Listener

if TYPE_CHECKING:
    from plywise.web.settings import Settings

PORT = 8765
RESULTS = ".sqlite"  #: the usual end of the name of a tournament's results
BACKLOG = 1024  #: connections that may wait to be accepted
SHUTDOWN = 2  #: seconds for open requests when the server stops
LATEST = 3.0  #: seconds after which it stops whatever is still running
TOKEN = "PLYWISE_TOKEN"  #: the variable with the access token: options are seen by everybody
SHORTEST_TOKEN = 8  #: characters of an access token
ORIGIN = re.compile(r"https?://[A-Za-z0-9.-]+(:[0-9]{1,5})?")
URL_SAFE = re.compile(r"[A-Za-z0-9._~-]+")
HEADERS = 16 * 1024  #: bytes, at most, of a request's headers
EVERYWHERE = {"0.0.0.0": "127.0.0.1", "::": "::1"}  #: all addresses, and the one shown instead


def serve(
    files: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[FILE]...",
            help="Games of your own: Python files such as ./mygame.py, which may be edited while "
            "the server runs. Tournaments, also while 'plywise arena' plays them: the files with "
            "their results, such as arena.sqlite.",
        ),
    ] = None,
    host: Annotated[str, typer.Option(metavar="H", help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(metavar="P", help="The port; 0 picks a free one.")] = PORT,
    db: Database = None,
    name: Annotated[
        list[str] | None,
        typer.Option(
            metavar="HOSTNAME",
            help="A hostname that browsers use to reach this server; may be repeated.",
        ),
    ] = None,
    proxy: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ADDRESS",
            help="The address or network of your proxy, whose X-Forwarded-For and "
            "X-Forwarded-Proto are believed; may be repeated.",
        ),
    ] = None,
    metrics: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ADDRESS",
            help="An address or network that may read /metrics, besides this machine; may be "
            "repeated.",
        ),
    ] = None,
    embed: Annotated[
        list[str] | None,
        typer.Option(
            metavar="ORIGIN",
            help="A site, such as https://blog.example, whose pages may show boards of this "
            "server; * for any site; may be repeated.",
        ),
    ] = None,
    open_browser: Annotated[
        bool, typer.Option("--open/--no-open", help="Open the page in a browser.")
    ] = False,
) -> Iterator[str]:
    """Start the web app: play, analyze and review in a browser."""
    names = tuple(name or ())
    arenas = [file for file in files or () if _has_results(file)]
    for file in files or ():
        if file not in arenas:
            add_game(file)
    listening = _listen(host, port)  # first of all: what follows takes a second
    gc.disable()  # nothing that is imported becomes garbage
    try:
        from plywise.play.records.store import Store
        from plywise.web.app import create_app
        from plywise.web.caller import check_networks
        from plywise.web.settings import Settings

        alone = _is_loopback(host) and not names
        settings = replace(
            Settings(host=host) if alone else Settings.public(host, names),
            proxies=check_networks(proxy or ()),
            metrics=check_networks(metrics or ()),
            token=_check_token(os.environ.get(TOKEN)),
            embedders=tuple(map(_check_origin, embed or ())),
            arenas=tuple(Path(file).resolve() for file in arenas),
        )
        with closing(Store(db)) as store:
            app = create_app(settings, store)
            server = _server(app, settings, listening)
            address = _address(host, listening.getsockname()[1])
            if not alone:
                yield from _warning(host, names, settings.proxies)
            for called in added():
                yield f"Your game: {address}/new/{called}"
            if settings.arenas:
                yield f"Tournaments: {address}/arena"
            yield f"plywise is running at {address} (Ctrl-C to stop)"
            if open_browser:
                import webbrowser

                page = address if settings.token is None else f"{address}/?token={settings.token}"
                threading.Thread(target=webbrowser.open, args=(page,), daemon=True).start()
            gc.freeze()
            gc.enable()
            _run(server, listening)
    finally:
        gc.enable()
        listening.close()
    if app.state.warm_up.is_alive() or app.state.searches.at_work:
        os._exit(0)  # all is closed, but Python would wait for the last kernel, board or puzzle


def _has_results(file: str) -> bool:
    """Return True for a file with the results of a tournament, which need not be there yet."""
    return file.endswith(RESULTS) or (not file.endswith(".py") and Path(file).is_file())


def add_game(text: str) -> None:
    """Register the game of a file."""
    if not Spec.parse(text).is_file:
        raise SpecError(f"{text!r} is not a file: write the path of a game, such as ./mygame.py")
    add(Path(text).resolve())


def _check_origin(text: str) -> str:
    """Return the origin of a site, or `*`; SpecError if it is neither."""
    if text != "*" and not ORIGIN.fullmatch(text):
        raise SpecError(
            f"--embed {text}: write a site without a path, such as https://blog.example, or *"
        )
    return text


def _check_token(token: str | None) -> str | None:
    """Return the access token; SpecError if it is too easy to guess or cannot be sent."""
    if token is not None and not (len(token) >= SHORTEST_TOKEN and URL_SAFE.fullmatch(token)):
        raise SpecError(
            f"the access token must have at least {SHORTEST_TOKEN} characters: letters without "
            "accents, digits, and any of - . _ ~"
        )
    return token


def _listen(host: str, port: int) -> Listener:
    """Open a socket that accepts connections; they wait there until the app is ready."""
    if not 0 <= port <= 65535:
        raise SpecError(f"port {port} does not exist: ports run from 0 to 65535")
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        family, kind, protocol, _, place = found[0]
        # With an explicit protocol, asyncio sends small frames at once and does not wait for more.
        listening = Listener(family, kind, protocol)
        try:
            if hasattr(socket, "SO_REUSEPORT"):  # elsewhere, reusing an address would steal it
                listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.bind(place)
            listening.listen(BACKLOG)
        except OSError:
            listening.close()
            raise
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise SpecError(f"port {port} is in use: choose another with --port") from error
        reason = error.strerror or str(error)
        raise SpecError(f"cannot listen on {host!r}, port {port}: {reason}") from error
    return listening


def _server(app: Any, settings: Settings, listening: Listener) -> Any:
    import uvicorn

    from plywise.web.connections import Connections, protocols
    from plywise.web.listener import RepeatFilter, most_connections, raise_descriptor_limit

    logging.basicConfig(level=logging.WARNING, format="%(levelname)s: %(message)s")
    for handler in logging.getLogger().handlers:
        handler.addFilter(RepeatFilter())
    most = most_connections(settings.connections, raise_descriptor_limit())
    connections = Connections(settings, most)
    listening.admits = connections.admits
    app.state.connections = connections
    config = uvicorn.Config(
        app,
        loop="asyncio",
        **protocols(connections),
        ws_max_size=settings.body_bytes,
        h11_max_incomplete_event_size=HEADERS,
        lifespan="on",
        log_config=None,
        log_level="error",
        access_log=False,
        server_header=False,
        forwarded_allow_ips=list(settings.proxies),  # nobody's word is taken by default
        backlog=BACKLOG,
        timeout_graceful_shutdown=SHUTDOWN,
    )
    return uvicorn.Server(config)


def _run(server: Any, listening: socket.socket) -> None:
    """Serve until Ctrl-C or SIGTERM, which both shut it down cleanly, and soon."""

    def stop(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    def end(number: int, frame: object) -> None:
        late = threading.Timer(LATEST, os._exit, (0,))  # all that was confirmed is in the store
        late.daemon = True
        late.start()
        exit_soon(number, frame)

    exit_soon, server.handle_exit = server.handle_exit, end
    before = signal.signal(signal.SIGTERM, stop)  # uvicorn raises it again when it is done
    try:
        with suppress(KeyboardInterrupt):
            server.run(sockets=[listening])
    finally:
        signal.signal(signal.SIGTERM, before)


def _warning(host: str, names: tuple[str, ...], proxies: tuple[str, ...]) -> Iterator[str]:
    """Say what it means that others can reach this server."""
    called = ", ".join(names) or "its address; --name HOSTNAME adds a name"
    yield f"Anyone who can reach {host} can play here and use this machine's processors."
    yield "Boards, searches and the number of games are therefore limited more strictly."
    yield f"Browsers reach it by {called}."
    yield "It serves plain HTTP: put an HTTPS proxy in front of it that passes on the Host header."
    if not proxies:
        yield "Name the proxy with --proxy ADDRESS: without it, all its visitors count as one."


def _is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _address(host: str, port: int) -> str:
    shown = EVERYWHERE.get(host, host)
    return f"http://[{shown}]:{port}" if ":" in shown else f"http://{shown}:{port}"


BackupFile = Annotated[Path, typer.Argument(metavar="FILE", help="The backup.")]


def backup(
    file: BackupFile,
    db: Database = None,
    force: Annotated[bool, typer.Option("--force", help="Replace the file if it exists.")] = False,
) -> Iterator[str]:
    """Copy all games of the web app to a file, also while it is running."""
    from plywise.play.records.backup import back_up
    from plywise.play.records.store import Store

    with closing(Store(db, new=False)) as store, working(f"backing up {store.name}"):
        done = back_up(store, file, force=force)
    yield f"{counted(done.games, 'game')} from {store.name} to {file}"


def restore(
    file: BackupFile,
    db: Database = None,
    force: Annotated[
        bool, typer.Option("--force", help="Replace all games that are in the database.")
    ] = False,
) -> Iterator[str]:
    """Put the games of a backup into a database, all or none."""
    from plywise.play.records import backup
    from plywise.play.records.store import Store

    with working(f"reading {file}"):
        backup.check(file)  # before a database is created for it
    with closing(Store(db)) as store, working(f"restoring {store.name}"):
        done = backup.restore(file, store, force=force)
    for what in done.left_out:
        note(f"left out: {what}")
    yield f"{counted(done.games, 'game')} from {file} to {store.name}"
