"""A real kernel, as a notebook has one: runs code, hears what it shows, interrupts it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from queue import Empty
from typing import Any

from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import KernelManager

PATIENCE = 120.0  #: seconds for an answer on a busy machine

Message = dict[str, Any]


class Kernel:
    """A kernel that runs one cell after the other."""

    def __init__(self, manager: KernelManager, client: BlockingKernelClient) -> None:
        self.manager = manager
        self.client = client

    def run(self, code: str, on_message: Callable[[Message], None] | None = None) -> list[Message]:
        """Run a cell to its end and return what it sent; `on_message` hears it as it comes."""
        number = self.client.execute(code)
        heard: list[Message] = []
        until = time.monotonic() + PATIENCE
        while time.monotonic() < until:
            try:
                message = self.client.get_iopub_msg(timeout=1)
            except Empty:
                assert self.manager.is_alive(), "the kernel has died"
                continue
            if message["parent_header"].get("msg_id") != number:
                continue
            heard.append(message)
            if on_message is not None:
                on_message(message)
            if message["msg_type"] == "status" and message["content"]["execution_state"] == "idle":
                return heard
        raise TimeoutError(f"still running: {code}")

    def interrupt(self) -> None:
        """Do what the stop button of a notebook does."""
        self.manager.interrupt_kernel()


@contextmanager
def kernel() -> Iterator[Kernel]:
    """Start a kernel."""
    manager = KernelManager(kernel_name="python3")
    manager.start_kernel()
    client = manager.client()
    client.start_channels()
    try:
        client.wait_for_ready(timeout=PATIENCE)
        yield Kernel(manager, client)
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)


def error_of(messages: list[Message]) -> str | None:
    """The name of the exception that a cell ended with."""
    return next(
        (each["content"]["ename"] for each in messages if each["msg_type"] == "error"), None
    )


def shown(messages: list[Message]) -> list[str]:
    """The HTML of every display, and of every change to one."""
    kinds = ("display_data", "update_display_data")
    return [each["content"]["data"]["text/html"] for each in messages if each["msg_type"] in kinds]


def values_of(messages: list[Message]) -> list[Message]:
    """The value of the last line of a cell, if it has one."""
    return [each["content"] for each in messages if each["msg_type"] == "execute_result"]


def printed(messages: list[Message]) -> str:
    """What was printed, and the value of the last line."""
    texts = [each["content"]["text"] for each in messages if each["msg_type"] == "stream"]
    values = [value["data"]["text/plain"] for value in values_of(messages)]
    return "".join([*texts, *values])
