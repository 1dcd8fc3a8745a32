"""Whether services would take the settings that they are to be started with, asked before anything starts."""

from __future__ import annotations

import asyncio
import os
from subprocess import DEVNULL, PIPE
from typing import Final

from shuangkou.chassis.settings import BAD_CONFIGURATION, CHECK, PREFIX
from shuangkou.cli.plan import ProcessPlan, SuitePlan
from shuangkou.cli.problem import BAD_INPUT, Problem

_OF_THE_COMMAND: Final = {f"{PREFIX}DATA"}


async def check_settings(plan: SuitePlan) -> None:
    """Problem with what the first service complains of. Nothing is asked where the person set nothing."""
    if not any(name.startswith(PREFIX) for name in os.environ.keys() - _OF_THE_COMMAND):
        return
    # Engines are told alike.
    kinds = {service.command: service for service in plan.services}
    complaints = await asyncio.gather(*map(_complaint, kinds.values()))
    for complaint in filter(None, complaints):
        raise Problem(complaint, BAD_INPUT)


async def _complaint(service: ProcessPlan) -> str:
    checking = await asyncio.create_subprocess_exec(
        *service.command,
        CHECK,
        stdin=DEVNULL,
        stdout=DEVNULL,
        stderr=PIPE,
        env=os.environ | dict(service.environment),
    )
    _, told = await checking.communicate()
    # Whatever else goes wrong is told when the service is started.
    return told.decode().strip().partition(": ")[2] if checking.returncode == BAD_CONFIGURATION else ""
