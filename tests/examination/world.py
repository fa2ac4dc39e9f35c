"""A market, a broker and homes for an examiner, from built programs: see README.md.

    from world import World, Peer
    world = World("/tmp/exam", "build/bin")
    seller = world.home("seller")
    peer = Peer(world.home("peer", start=False))
    peer.say(seller.id, "Would you take 270 CNY?")
    print(seller.pending(), peer.heard)
    world.close()

Everything listens on free ports of loopback. `close` ends the processes that were started.
"""

import base64
import hashlib
import hmac
import json
import os
import secrets
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.request
from pathlib import Path

import paho.mqtt.client as mqtt
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

PIN = "271828"
CONFIG = ('language = "en"\n[web]\nlisten = "127.0.0.1:0"\n'
          '[notify]\nchannels = ["terminal"]\n')
META = {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {}}


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def until(check, seconds=30):
    """The first true result of `check`; None if there is none in time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if result := check():
            return result
        time.sleep(0.1)
    return None


def canonical(value):
    """RFC 8785 for texts, whole numbers, lists and objects with ASCII names."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def to_base64(data):
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()


def from_base64(text):
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


class World:
    """A market, and mosquitto with the market's plug-in, which must be in `programs`/../lib."""

    def __init__(self, folder, programs):
        self.folder = Path(folder).resolve()
        self.folder.mkdir(parents=True, exist_ok=True)
        self.programs = Path(programs).resolve()
        self.market_port, self.broker_port = free_port(), free_port()
        self.url = f"http://127.0.0.1:{self.market_port}"
        self.homes = []
        self.start_market()
        self.start_broker()

    def run(self, name, argv):
        log = open(self.folder / f"{name}.log", "ab")
        return subprocess.Popen(argv, stdout=log, stderr=subprocess.STDOUT)

    def health(self):
        try:
            return urllib.request.urlopen(self.url + "/healthz", timeout=5).read().decode()
        except urllib.error.HTTPError as answer:
            return answer.read().decode()
        except OSError:
            return ""

    def start_market(self):
        self.market = self.run("market", [
            self.programs / "a2h-market", "--data", self.folder / "market", "--listen",
            f"127.0.0.1:{self.market_port}", "--mqtt-url", f"mqtt://127.0.0.1:{self.broker_port}"])
        assert until(self.health), "the market does not answer"

    def start_broker(self):
        printed = subprocess.run(
            [self.programs / "a2h-market", "broker-config", "--data", self.folder / "market",
             "--port", str(self.broker_port)], capture_output=True, text=True, check=True)
        file = self.folder / "mosquitto.conf"
        file.write_text(printed.stdout)
        self.broker = self.run("broker", ["/usr/sbin/mosquitto", "-c", file])
        assert until(lambda: '"relay":"connected"' in self.health()), "no relay to the broker"

    def home(self, name, config=CONFIG, start=True):
        home = Home(self, name, config)
        self.homes.append(home)
        if start:
            home.up()
        return home

    def close(self):
        for home in self.homes:
            home.kill()
        for process in (self.broker, self.market):
            process.terminate()


class Home:
    """One person: an identity, a2hd, the commands, and an assistant's tools."""

    def __init__(self, world, name, config):
        self.world = world
        self.folder = world.folder / name
        self.folder.mkdir(mode=0o700)
        (self.folder / "config.toml").write_text(config)
        self.daemon = self.mcp = None
        self.calls = 0
        made = self.a2h("init", "--market", world.url, "--name", name, "--pin-stdin",
                        stdin=PIN + "\n")
        assert made.returncode == 0, made.stderr
        file = next((self.folder / "agents").glob("ag_*.json"))
        self.id = file.stem
        self.account = json.loads(file.read_text())

    def a2h(self, *arguments, stdin="", language="en_US.UTF-8"):
        environment = dict(os.environ, A2H_HOME=str(self.folder), LC_ALL=language)
        return subprocess.run([self.world.programs / "a2h", *arguments], env=environment,
                              input=stdin, capture_output=True, text=True, timeout=90, check=False)

    def up(self, environment=None):
        log = open(self.folder / "a2hd.log", "ab")
        self.daemon = subprocess.Popen(
            [self.world.programs / "a2hd", "--home", self.folder], stdout=log, stderr=log,
            env=dict(os.environ, **(environment or {})))
        assert until(lambda: self.status().get("connection", {}).get("connected")), "offline"

    def status(self):
        shown = self.a2h("status", "--json").stdout
        return json.loads(shown).get("data", {}) if shown.startswith("{") else {}

    def kill(self, how=signal.SIGKILL):
        for process in (self.mcp, self.daemon):
            if process and process.poll() is None:
                process.send_signal(how)
                process.wait()
        self.mcp = None

    def tool(self, name, arguments=None):
        """The structured result of one `tools/call` to a2h-mcp."""
        if self.mcp is None or self.mcp.poll() is not None:
            self.mcp = subprocess.Popen(
                [self.world.programs / "a2h-mcp", "--home", self.folder], text=True,
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.calls += 1
        request = {"jsonrpc": "2.0", "id": self.calls, "method": "tools/call",
                   "params": {"name": name, "arguments": arguments or {}, "_meta": META}}
        self.mcp.stdin.write(json.dumps(request) + "\n")
        self.mcp.stdin.flush()
        for line in self.mcp.stdout:
            answer = json.loads(line)
            if answer.get("id") == self.calls:
                return answer.get("result", answer).get("structuredContent", answer)
        return {"ok": False}

    def answer(self, approval_id, decision="approve"):
        return self.a2h(decision, approval_id, "--pin-stdin", stdin=PIN + "\n")

    def pending(self):
        listed = self.tool("a2h_approval_list", {"status": "pending"})
        return listed.get("data", {}).get("approvals", [])


class Peer:
    """A client with the keys of a home whose a2hd does not run. It exchanges raw envelopes."""

    def __init__(self, home):
        self.world, self.account, self.id = home.world, home.account, home.id
        self.key = Ed25519PrivateKey.from_private_bytes(
            from_base64(self.account["secret_key"])[:32])
        self.heard = []
        client_id = "GID_agent@@@" + self.id
        token = self.http("POST", "/mqtt-token/api/v1/token", {"client_id": client_id})[1]["data"]
        self.mqtt = mqtt.Client(client_id=client_id, clean_session=False)
        self.mqtt.username_pw_set(token["username"], token["password"])
        self.mqtt.on_message = lambda _client, _data, mail: self.heard.append(
            json.loads(mail.payload))
        self.mqtt.on_connect = lambda client, *_: client.subscribe("P2P_TOPIC/p2p/" + client_id, 1)
        self.mqtt.connect("127.0.0.1", self.world.broker_port)
        self.mqtt.loop_start()
        assert until(self.mqtt.is_connected), "the peer is not connected"

    def hmac(self, text):
        key = self.account["agent_key"].encode()
        return hmac.new(key, text.encode(), hashlib.sha256).hexdigest()

    def http(self, method, path, body=None):
        """Status and JSON of a signed request to the market."""
        data = b"" if body is None else json.dumps(body).encode()
        now, nonce = str(int(time.time())), secrets.token_hex(16)
        signed = [method, path, self.id, now, nonce, hashlib.sha256(data).hexdigest()]
        headers = {"X-Agent-Id": self.id, "X-Timestamp": now, "X-A2H-Nonce": nonce,
                   "X-Agent-Signature": self.hmac(f"{method}&{path.split('?')[0]}&{self.id}&{now}"),
                   "X-A2H-Signature": to_base64(self.key.sign("\n".join(signed).encode())),
                   "Content-Type": "application/json"}
        request = urllib.request.Request(self.world.url + path, data if body is not None else None,
                                         headers, method=method)
        try:
            answer = urllib.request.urlopen(request, timeout=20)
        except urllib.error.HTTPError as failure:
            answer = failure
        return answer.status, json.loads(answer.read() or b"null")

    def envelope(self, target_id, payload, message_type="chat.request", is_signed=True, **fields):
        """A complete envelope; `fields` replace some of it before it is signed."""
        now = int(time.time() * 1000)
        local = time.gmtime(now / 1000 + 8 * 3600)
        mail = {"protocol": "a2hmarket-a2a", "schema_version": "1.0.0",
                "message_type": message_type, "sender_id": self.id, "target_id": target_id,
                "message_id": f"msg_{now}_{secrets.token_hex(4)}",
                "trace_id": f"trace_{now}_{secrets.token_hex(4)}",
                "timestamp": time.strftime("%Y-%m-%dT%H:%M:%S", local) + f".{now % 1000:03}+08:00",
                "nonce": secrets.token_hex(8), "payload": payload, **fields}
        mail["payload_hash"] = hashlib.sha256(canonical(mail["payload"]).encode()).hexdigest()
        if is_signed:
            public_key = from_base64(self.account["public_key"])
            mail["sender_key_id"] = to_base64(hashlib.sha256(public_key).digest())[:16]
            mail["sender_signature"] = to_base64(self.key.sign(canonical(mail).encode()))
        mail["signature"] = self.hmac(canonical(mail))
        return mail

    def say(self, target_id, payload, message_type="chat.request", **fields):
        """Sends a text or a payload, and returns the id of the message."""
        payload = {"text": payload} if isinstance(payload, str) else payload
        mail = self.envelope(target_id, payload, message_type, **fields)
        sent = self.mqtt.publish(f"P2P_TOPIC/p2p/GID_agent@@@{target_id}", canonical(mail), qos=1)
        sent.wait_for_publish(10)
        return mail["message_id"]
