"""Certificates of both ends of a connection, kept in PEM files that may be replaced while the process runs.

A gRPC server and the connection to NATS look at their files again for every handshake. A gRPC channel reads
its files once: who replaces those restarts the process.
"""

from __future__ import annotations

import ssl
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import grpc
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec, rsa

from shuangkou.chassis.logs import logger

_CURVES = ("secp256r1", "secp384r1")


class BadCertificates(Exception):
    """Files that make no pair, cannot be read or are no certificates; the message is fit for one log line."""


@dataclass(frozen=True, slots=True)
class ServerTls:
    """What a server shows. With ``client_ca`` it lets in only who shows a certificate of that authority."""

    certificate: Path
    key: Path
    client_ca: Path | None = None

    def credentials(self) -> grpc.ServerCredentials:
        """Credentials that follow the files; BadCertificates where they are bad from the start."""
        _check(self.certificate, self.key, self.client_ca)
        followed = _Followed(self)
        return grpc.dynamic_ssl_server_credentials(
            followed.read(),
            followed.news,  # type: ignore[arg-type]  # None means no news, as its documentation says
            require_client_authentication=self.client_ca is not None,
        )

    @property
    def files(self) -> tuple[Path, ...]:
        """All that there are."""
        return tuple(_present((self.certificate, self.key, self.client_ca)))


@dataclass(frozen=True, slots=True)
class ClientTls:
    """Whom a client trusts, the system's authorities where ``ca`` is None; and what it shows, if anything."""

    ca: Path | None = None
    certificate: Path | None = None
    key: Path | None = None

    def credentials(self) -> grpc.ChannelCredentials:
        """Credentials of a channel, as the files are now; BadCertificates where they are bad."""
        _check(self.certificate, self.key, self.ca)
        return grpc.ssl_channel_credentials(_read(self.ca), _read(self.key), _read(self.certificate))

    def context(self) -> ssl.SSLContext:
        """The same for connections that are not gRPC's; BadCertificates where the files are bad."""
        try:
            context = ssl.create_default_context(cafile=self.ca)
            if self.certificate is not None:
                context.load_cert_chain(self.certificate, self.key)
        except (OSError, ValueError) as error:
            shown = ", ".join(map(str, _present((self.ca, self.certificate, self.key))))
            raise BadCertificates(f"{shown}: {error}") from None
        return context


def client_tls(ca: Path | None, certificate: Path | None, key: Path | None) -> ClientTls | None:
    """The client's end of TLS where any file is given, else None."""
    return ClientTls(ca, certificate, key) if any((ca, certificate, key)) else None


class _Followed:
    """What gRPC asks before each handshake, on a thread of its own: whether there are new certificates."""

    def __init__(self, tls: ServerTls) -> None:
        self._tls = tls
        self._stamps = self._look()
        self._failed_at: tuple[tuple[int, int], ...] = ()

    def read(self) -> grpc.ServerCertificateConfiguration:
        """The files as they are."""
        tls = self._tls
        pair = (tls.key.read_bytes(), tls.certificate.read_bytes())
        return grpc.ssl_server_certificate_configuration([pair], _read(tls.client_ca))

    def news(self) -> grpc.ServerCertificateConfiguration | None:
        """New certificates, or None to go on with those that were good."""
        stamps: tuple[tuple[int, int], ...] = ()
        try:
            stamps = self._look()
            if stamps in (self._stamps, self._failed_at):
                return None
            _check(self._tls.certificate, self._tls.key, self._tls.client_ca)
            made = self.read()
        except (OSError, BadCertificates) as error:
            if stamps != self._failed_at or not stamps:
                logger().warning("certificates_not_read", reason=str(error))
            self._failed_at = stamps
            return None
        self._stamps, self._failed_at = stamps, ()
        logger().info("certificates_read", file=str(self._tls.certificate))
        return made

    def _look(self) -> tuple[tuple[int, int], ...]:
        found = (file.stat() for file in self._tls.files)
        return tuple((status.st_mtime_ns, status.st_ino) for status in found)


def _check(certificate: Path | None, key: Path | None, ca: Path | None) -> None:
    """BadCertificates unless they can be loaded, the key is that of the certificate, and gRPC can use it."""
    if (certificate is None) is not (key is None):
        raise BadCertificates("a certificate and its key go together: one of the two files is not given")
    ClientTls(ca, certificate, key).context()
    if certificate is not None:
        _check_kind(certificate)


def _check_kind(certificate: Path) -> None:
    """gRPC's own TLS agrees to no other kind of key: it would start, and no handshake would ever succeed."""
    try:
        key = x509.load_pem_x509_certificate(certificate.read_bytes()).public_key()
    except (OSError, ValueError) as error:
        raise BadCertificates(f"{certificate}: {error}") from None
    if isinstance(key, rsa.RSAPublicKey):
        return
    kind = key.curve.name if isinstance(key, ec.EllipticCurvePublicKey) else type(key).__name__
    if kind not in _CURVES:
        kind = kind.removesuffix("PublicKey")
        raise BadCertificates(
            f"{certificate} has a key of the kind {kind}, with which gRPC serves nobody;"
            " it takes RSA and the curves P-256 and P-384"
        )


def _read(file: Path | None) -> bytes | None:
    return None if file is None else file.read_bytes()


def _present(files: Iterable[Path | None]) -> Iterable[Path]:
    return (file for file in files if file is not None)
