// Serves dist/ and plays a scenario, so that the page can be worked on without the real server:
//   npm run build && npm run serve -- --scenario live --port 8123
// The scenario can be changed while it runs: GET /dev/scenario?name=failed

import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { parseArgs } from 'node:util';
import { WebSocketServer } from 'ws';
import { hashOf, projectFiles } from './sample.mjs';
import {
  batchSize,
  breakdown,
  HELLO,
  MEASURED_HELLO,
  measurement,
  SCENARIOS,
  state,
  VIEW_HELLO,
} from './scenarios.mjs';
import { curves, heat, histograms, training } from './training.mjs';

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '8123' },
    scenario: { type: 'string', default: 'live' },
  },
});

const DIST = new URL('../dist/', import.meta.url);
const PAGE = {
  '/': ['index.html', 'text/html; charset=utf-8'],
  '/assets/app.js': ['assets/app.js', 'text/javascript; charset=utf-8'],
  '/assets/app.css': ['assets/app.css', 'text/css; charset=utf-8'],
};
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; " +
  "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

let scenario = values.scenario;
let files = projectFiles();
const analysed = projectFiles();
const clients = new Set();

const hello = () => ({ view: VIEW_HELLO, measurement: MEASURED_HELLO })[scenario] ?? HELLO;

function result(run) {
  if (scenario === 'measurement') return measurement();
  return breakdown(analysed, 1, { speed: run === 1 ? 0.5 : 1 });
}

function answer(url) {
  const path = url.searchParams.get('path');
  switch (url.pathname) {
    case '/api/session':
      return { ...hello(), state: state('done', 1, '', 1, true) };
    case '/api/files':
      return { files: [...files.keys()].sort() };
    case '/api/source':
      return files.has(path) && { path, text: files.get(path), hash: hashOf(files.get(path)) };
    case '/api/result':
      return result(Number(url.searchParams.get('run') ?? 0));
    case '/api/training':
      return training();
    case '/api/series':
      return curves(url.searchParams);
    case '/api/heat':
      return heat(url.searchParams);
    case '/api/histograms':
      return histograms();
    case '/dev/scenario':
      scenario = url.searchParams.get('name');
      files = projectFiles();
      if (SCENARIOS[scenario]) messagesOf(scenario);
      for (const client of clients) client.close();
      return { scenario };
    case '/dev/edit':
      files.set(
        'model.py',
        files.get('model.py').replace('import torch\n', 'import math\n\nimport torch\n'),
      );
      for (const client of clients) {
        say(client, { type: 'files', changed: ['model.py'] });
        say(client, state('stale', 1, 'model.py has changed', 1, false));
      }
      return {};
    default:
      return null;
  }
}

const played = new Map();

/** Made once for each scenario: the page is what is timed, not this. */
function messagesOf(name) {
  if (!played.has(name)) played.set(name, SCENARIOS[name](analysed));
  return played.get(name);
}

const say = (client, message) => client.send(JSON.stringify(message));
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function play(client, messages) {
  for (const message of messages) {
    if (typeof message === 'number') await wait(message);
    else if (client.readyState === client.OPEN) say(client, message);
  }
}

const server = createServer(async (request, response) => {
  const url = new URL(request.url, 'http://localhost');
  response.setHeader('Content-Security-Policy', POLICY);
  if (PAGE[url.pathname]) {
    const [file, type] = PAGE[url.pathname];
    response.setHeader('Content-Type', type);
    response.end(await readFile(new URL(file, DIST)));
    return;
  }
  const refused = scenario === 'unauthorised' && !url.pathname.startsWith('/dev/');
  const body = refused ? null : answer(url);
  response.statusCode = refused ? 401 : body ? 200 : 404;
  response.setHeader('Content-Type', 'application/json');
  response.end(
    JSON.stringify(body || { error: { code: 'not_found', text: 'there is no such thing' } }),
  );
});

const sockets = new WebSocketServer({ noServer: true });
server.on('upgrade', (request, socket, head) => {
  if (scenario === 'unauthorised' || scenario === 'down') {
    socket.destroy();
    return;
  }
  sockets.handleUpgrade(request, socket, head, (client) => {
    clients.add(client);
    client.on('close', () => clients.delete(client));
    client.on('message', (data) => {
      const { type, batch_size } = JSON.parse(data);
      if (type === 'set_batch_size') say(client, batchSize(batch_size, true));
      if (type === 'undo_batch_size') say(client, batchSize(16));
      if (type === 'hello') play(client, messagesOf(scenario));
      if (type === 'analyse') play(client, messagesOf('live').slice(1));
      if (type === 'cancel') say(client, state('stale', 1, 'cancelled', 1, false));
    });
  });
});

server.listen(Number(values.port), '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${values.port}/ plays ${scenario}`);
});
