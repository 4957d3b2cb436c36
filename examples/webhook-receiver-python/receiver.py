"""Receives webhooks of Mneme: believes what is signed, handles each delivery once."""

import hashlib
import hmac
import json
import os
import re
import threading
import time
from collections import OrderedDict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

BODY_BYTES_MAX = 4 * 1024 * 1024
REMEMBERED_MAX = 10_000
TOLERANCE_SECONDS = 300
SIGNATURES_MAX = 8


class Refused(Exception):
    """The delivery is not to be believed."""


def handle(event):
    """Your part. What it raises is answered with 500, and the delivery comes again."""
    print(event["type"], event["id"], flush=True)


def read_signature(header, timestamp):
    """The time of signing, as it was written, and the digests: from either form."""
    if "=" not in header:
        return timestamp, [header]
    parts = [part.partition("=") for part in header.split(",")]
    times = [value for key, _, value in parts if key == "t"]
    if len(times) != 1:
        raise Refused("malformed")
    return times[0], [value for key, _, value in parts if key == "v1"]


def verify(secret, headers, body, now):
    """Returns the event of a delivery, or raises Refused with the reason."""
    header = headers.get("x-webhook-signature")
    timestamp = headers.get("x-webhook-timestamp")
    if not header or not timestamp:
        raise Refused("missing_header")
    signed_at, digests = read_signature(header, timestamp)
    if not re.fullmatch(r"[0-9]{1,15}", signed_at):
        raise Refused("malformed")
    if not 1 <= len(digests) <= SIGNATURES_MAX:
        raise Refused("malformed")
    if not all(re.fullmatch(r"[0-9a-f]{64}", digest) for digest in digests):
        raise Refused("malformed")
    if abs(now - int(signed_at)) > TOLERANCE_SECONDS:
        raise Refused("stale")
    signed = signed_at.encode() + b"." + body
    expected = hmac.new(secret.encode(), signed, hashlib.sha256).hexdigest()
    # compare_digest takes the same time wherever they differ.
    if not any([hmac.compare_digest(expected, digest) for digest in digests]):
        raise Refused("mismatch")
    return json.loads(body)


class Deliveries:
    """Ids of deliveries that were handled; the oldest is forgotten first."""

    def __init__(self):
        self._lock = threading.Lock()
        self._handled = OrderedDict()

    def handle_once(self, delivery_id, event):
        # One after the other: a delivery that comes twice at once is handled once.
        with self._lock:
            if delivery_id in self._handled:
                print("again", delivery_id, flush=True)
                return
            handle(event)
            self._handled[delivery_id] = True
            if len(self._handled) > REMEMBERED_MAX:
                self._handled.popitem(last=False)


class Receiver(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    timeout = 30
    secret = ""
    deliveries = Deliveries()

    def do_POST(self):
        self.answer(self.receive())

    def do_GET(self):
        self.answer(405)

    def receive(self):
        """The status to answer with: 2xx says that the delivery need not come again."""
        delivery_id = self.headers.get("x-webhook-delivery-id")
        length = self.headers.get("content-length", "")
        if not delivery_id or not re.fullmatch(r"[0-9]{1,10}", length):
            return self.unread(400)
        if int(length) > BODY_BYTES_MAX:
            return self.unread(413)
        body = self.rfile.read(int(length))
        try:
            event = verify(self.secret, self.headers, body, time.time())
            self.deliveries.handle_once(delivery_id, event)
            return 204
        except (Refused, json.JSONDecodeError, UnicodeDecodeError) as refusal:
            print("refused", refusal, flush=True)
            return 400
        except Exception as error:  # Whatever went wrong: it is to come again.
            print("failed", repr(error), flush=True)
            return 500

    def unread(self, status):
        # What is left unread would be taken for the next request.
        self.close_connection = True
        return status

    def answer(self, status):
        self.send_response(status)
        if status != 204:
            self.send_header("Content-Length", "0")
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()

    def log_message(self, *_):
        """No line for each request."""


def main():
    Receiver.secret = os.environ.get("WEBHOOK_SECRET", "")
    if not Receiver.secret:
        raise SystemExit("WEBHOOK_SECRET must be the secret of the webhook")
    address = (os.environ.get("HOST", "127.0.0.1"), int(os.environ.get("PORT", "8080")))
    server = ThreadingHTTPServer(address, Receiver)
    server.daemon_threads = True
    host, port = server.server_address[:2]
    print(f"Listening on http://{host}:{port}/", flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
