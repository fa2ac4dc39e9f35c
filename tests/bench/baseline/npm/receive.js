// The baseline program on npm `mqtt`: receives envelopes at QoS 1, checks their HMAC-SHA256 and
// appends each to a file with fsync before it is acknowledged (handleMessage's callback sends the
// PUBACK). Prints "ready" when subscribed and "done" after COUNT messages.
//
//   node receive.js URL CLIENT_ID TOPIC KEY FILE COUNT
'use strict';
const crypto = require('node:crypto');
const fs = require('node:fs');
const mqtt = require('mqtt');

const [url, clientId, topic, key, file, count] = process.argv.slice(2);

function canonical(value) {
  if (Array.isArray(value)) return '[' + value.map(canonical).join(',') + ']';
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const member = (name) => JSON.stringify(name) + ':' + canonical(value[name]);
  const members = Object.keys(value).sort().map(member);
  return '{' + members.join(',') + '}';
}

function isAuthentic(envelope) {
  const { signature, ...signed } = envelope;
  const expected = crypto.createHmac('sha256', key).update(canonical(signed)).digest();
  const given = Buffer.from(String(signature), 'hex');
  return given.length === expected.length && crypto.timingSafeEqual(given, expected);
}

const log = fs.openSync(file, 'a');
let received = 0;
let refused = 0;

const client = mqtt.connect(url, { clientId, clean: false });
client.handleMessage = (packet, callback) => {
  let envelope;
  try {
    envelope = JSON.parse(packet.payload.toString());
  } catch (error) {
    return callback();
  }
  if (!isAuthentic(envelope)) refused += 1;
  fs.write(log, packet.payload.toString() + '\n', (writeError) => {
    if (writeError) return callback(writeError);
    fs.fsync(log, (syncError) => {
      callback(syncError);
      received += 1;
      if (received === Number(count)) console.log(`done refused=${refused}`);
    });
  });
};
client.on('connect', () => {
  client.subscribe(topic, { qos: 1 }, () => console.log('ready'));
});
process.on('SIGTERM', () => client.end(true, () => process.exit(0)));
