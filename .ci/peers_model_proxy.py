"""Stands between the program and a model server: keeps requests and the bytes of the replies, and can change what is asked.

usage: peers_model_proxy.py SERVER [PORT]     shows what passes, until it is stopped
"""

import contextlib
import http.client
import http.server
import json
import sys
import threading
import urllib.parse


@contextlib.contextmanager
def proxy(server, alter=None, port=0, seen=None):
    """Gives the address to ask and the list of exchanges: dictionaries with `request`, `body`, `status`, `headers` and `reply`.

    `alter` gets the fields of a request and its number, from 1, and gives those that are sent.
    """
    exchanges = []
    target = urllib.parse.urlsplit(server)

    class Handler(http.server.BaseHTTPRequestHandler):
        def pass_on(self):
            body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
            exchange = {"request": f"{self.command} {self.path}", "body": body, "status": None, "headers": [], "reply": b""}
            exchanges.append(exchange)
            if body and alter:
                body = json.dumps(alter(json.loads(body), len(exchanges))).encode()
            headers = {
                k: v for k, v in self.headers.items() if k.lower() not in ("host", "content-length", "connection", "accept-encoding")
            }
            upstream = http.client.HTTPConnection(target.netloc, timeout=600)
            try:
                upstream.request(self.command, self.path, body or None, headers)
                reply = upstream.getresponse()
                exchange["status"], exchange["headers"] = reply.status, reply.getheaders()
                self.send_response(reply.status)
                for name, value in reply.getheaders():
                    if name.lower() not in ("transfer-encoding", "connection", "content-length", "date", "server"):
                        self.send_header(name, value)
                self.send_header("Connection", "close")
                self.end_headers()
                while part := reply.read1(65536):
                    exchange["reply"] += part
                    self.wfile.write(part)
            except (OSError, http.client.HTTPException) as error:
                exchange["broken"] = repr(error)
            finally:
                self.close_connection = True
                upstream.close()
                if seen:
                    seen(exchange)

        do_GET = do_POST = pass_on

        def log_message(self, *_):
            pass

    door = http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler)
    door.daemon_threads = True
    threading.Thread(target=door.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{door.server_port}", exchanges
    finally:
        door.shutdown()
        door.server_close()


def unstreamed(fields, _):
    """The same request for one whole reply."""
    return {name: value for name, value in {**fields, "stream": False}.items() if name != "stream_options"}


def main(server, port="0"):
    def show(exchange):
        print(f"> {exchange['request']} {exchange['body'][:2000].decode(errors='replace')}")
        print(
            f"< {exchange['status']} {dict(exchange['headers'])} {exchange.get('broken', '')}\n{exchange['reply'].decode(errors='replace')}",
            flush=True,
        )

    with proxy(server, port=int(port), seen=show) as (address, _):
        print(f"{address} passes on to {server}", flush=True)
        threading.Event().wait()


if __name__ == "__main__":
    main(*sys.argv[1:])
