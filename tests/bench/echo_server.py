"""A bare grpc.aio server that answers an ActRequest with an ActResponse and does nothing else."""

import asyncio
import sys

import grpc
import uvloop

from shuangkou.v1 import table_pb2


async def serve(address: str) -> None:
    """Serve on `address` until the process is ended."""

    async def echo(request: table_pb2.ActRequest, _context: object) -> table_pb2.ActResponse:
        return table_pb2.ActResponse(version=request.expected_version)

    handler = grpc.unary_unary_rpc_method_handler(
        echo, table_pb2.ActRequest.FromString, table_pb2.ActResponse.SerializeToString
    )
    server = grpc.aio.server()
    server.add_generic_rpc_handlers((grpc.method_handlers_generic_handler("echo.Echo", {"Act": handler}),))
    server.add_insecure_port(address)
    await server.start()
    await asyncio.Event().wait()


uvloop.run(serve(sys.argv[1]))
