import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Connection } from './connection';
import type { Event } from './reduce';

class FakeSocket {
  readyState = 1;
  sent: string[] = [];
  onopen = () => {};
  onmessage: (message: { data: string }) => void = () => {};
  onclose = () => {};
  send(text: string) {
    this.sent.push(text);
  }
}

let sockets: FakeSocket[];
let told: Event[];

function connection(unauthorised = false): Connection {
  return new Connection({
    open: () => {
      const socket = new FakeSocket();
      sockets.push(socket);
      return socket as unknown as WebSocket;
    },
    isUnauthorised: () => Promise.resolve(unauthorised),
    tell: (event) => told.push(event),
  });
}

beforeEach(() => {
  vi.useFakeTimers();
  sockets = [];
  told = [];
});
afterEach(() => {
  vi.useRealTimers();
});

test('the client speaks first', () => {
  connection().start();
  sockets[0].onopen();
  expect(JSON.parse(sockets[0].sent[0])).toEqual({ type: 'hello', protocol: 1 });
});

test('a lost connection is tried again, later and later', async () => {
  connection().start();
  sockets[0].onclose();
  expect(told).toEqual([{ type: 'link', link: 'lost' }]);
  await vi.advanceTimersByTimeAsync(200);
  expect(sockets.length).toBe(2);
  sockets[1].onclose();
  await vi.advanceTimersByTimeAsync(200);
  expect(sockets.length).toBe(2);
  await vi.advanceTimersByTimeAsync(200);
  expect(sockets.length).toBe(3);
});

test('a server that does not know us is named, and asked again', async () => {
  connection(true).start();
  sockets[0].onclose();
  await vi.advanceTimersByTimeAsync(0);
  expect(told.at(-1)).toEqual({ type: 'link', link: 'unauthorised' });
  await vi.advanceTimersByTimeAsync(5000);
  expect(sockets.length).toBe(2);
});

test('a server of another protocol is left alone', async () => {
  connection().start();
  sockets[0].onmessage({ data: '{"type":"error","code":"protocol","text":"upgrade"}' });
  sockets[0].onclose();
  await vi.advanceTimersByTimeAsync(60000);
  expect(sockets.length).toBe(1);
});

test('what is not JSON is passed over', () => {
  connection().start();
  sockets[0].onmessage({ data: 'nonsense' });
  expect(told).toEqual([]);
});

test('a message that the server did not understand does not end the connection', async () => {
  connection().start();
  sockets[0].onmessage({ data: '{"type":"hello","mode":"view","runs":[]}' });
  sockets[0].onmessage({ data: '{"type":"error","code":"protocol","text":"what?"}' });
  sockets[0].onclose();
  await vi.advanceTimersByTimeAsync(200);
  expect(sockets.length).toBe(2);
});
