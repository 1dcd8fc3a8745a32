"""Certificates of an authority of the test's own, for this machine."""

from __future__ import annotations

import datetime
import ipaddress
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.x509.oid import NameOID

_DAY = datetime.timedelta(days=1)

PrivateKey = ec.EllipticCurvePrivateKey | ed25519.Ed25519PrivateKey | rsa.RSAPrivateKey


def p256() -> PrivateKey:
    """The kind of key that certificates have mostly."""
    return ec.generate_private_key(ec.SECP256R1())


@dataclass(frozen=True, slots=True)
class Pair:
    """The files of a certificate and its key."""

    certificate: Path
    key: Path


class Authority:
    """Signs certificates; its own is in `file`."""

    def __init__(self, folder: Path, name: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder, self._name = folder, name
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._subject = _name(name)
        builder = _builder(self._subject, self._subject, self._key.public_key())
        constraints = x509.BasicConstraints(ca=True, path_length=0)
        usage = x509.KeyUsage(
            digital_signature=True,
            content_commitment=False,
            key_encipherment=False,
            data_encipherment=False,
            key_agreement=False,
            key_cert_sign=True,
            crl_sign=True,
            encipher_only=False,
            decipher_only=False,
        )
        signed = (
            builder.add_extension(constraints, critical=True)
            .add_extension(usage, critical=True)
            .sign(self._key, hashes.SHA256())
        )
        self.file = folder / f"{name}.pem"
        self.file.write_bytes(signed.public_bytes(serialization.Encoding.PEM))

    def sign(self, name: str, make_key: Callable[[], PrivateKey] = p256) -> Pair:
        """A fresh certificate for the addresses of this machine, in place of an older one of this name."""
        key = make_key()
        here = [x509.DNSName("localhost"), x509.IPAddress(ipaddress.ip_address("127.0.0.1"))]
        signed = (
            _builder(_name(name), self._subject, key.public_key())
            .add_extension(x509.SubjectAlternativeName(here), critical=False)
            .sign(self._key, hashes.SHA256())
        )
        pair = Pair(self._folder / f"{self._name}-{name}.pem", self._folder / f"{self._name}-{name}.key")
        plain = serialization.NoEncryption()
        form = serialization.PrivateFormat.PKCS8
        pair.key.write_bytes(key.private_bytes(serialization.Encoding.PEM, form, plain))
        pair.certificate.write_bytes(signed.public_bytes(serialization.Encoding.PEM))
        return pair


def broker_options(authority: Authority) -> tuple[str, ...]:
    """What makes nats-server speak TLS, and ask for certificates of the authority."""
    pair = authority.sign("nats")
    files = {"--tlscert": pair.certificate, "--tlskey": pair.key, "--tlscacert": authority.file}
    return ("--tls", "--tlsverify", *(text for option in files.items() for text in map(str, option)))


def _name(text: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, text)])


def _builder(
    subject: x509.Name,
    issuer: x509.Name,
    key: ec.EllipticCurvePublicKey | ed25519.Ed25519PublicKey | rsa.RSAPublicKey,
) -> x509.CertificateBuilder:
    now = datetime.datetime.now(datetime.UTC)
    return (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(issuer)
        .public_key(key)
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - _DAY)
        .not_valid_after(now + _DAY)
    )
