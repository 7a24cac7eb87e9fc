"""A model server that follows a script: Chat Completions over HTTP, whatever it is asked. It keeps the requests."""

import contextlib
import http.server
import json
import threading


def tool_call(number, name, arguments):
    function = {"name": name, "arguments": json.dumps(arguments)}
    return {"role": "assistant", "content": None, "tool_calls": [{"id": f"call_{number}", "type": "function", "function": function}]}


def answer(text):
    return {"role": "assistant", "content": text}


@contextlib.contextmanager
def scripted_model(messages):
    """Serves these messages one after the other; gives the base URL and the list of requests."""
    requests, script = [], iter(messages)

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_POST(self):
            requests.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
            message = next(script, None)
            status = 200 if message else 500
            reason = "tool_calls" if message and message.get("tool_calls") else "stop"
            choice = {"index": 0, "message": message, "finish_reason": reason}
            usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
            whole = {"id": "scripted", "object": "chat.completion", "created": 0, "model": "scripted", "choices": [choice], "usage": usage}
            body = json.dumps(whole if message else {"error": {"message": "the script has ended"}}).encode()
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_):
            pass

    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}/v1", requests
    finally:
        server.shutdown()
        server.server_close()
