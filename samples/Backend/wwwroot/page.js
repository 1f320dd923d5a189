import { draw } from './plot.js';

const longest = 600;            // readings of a controller that the plot shows
const controllers = new Map();  // by id: the last state, the row, and the readings that are known
let chosen = null;

const element = id => document.getElementById(id);
const watts = value => value == null ? '–' : `${value.toLocaleString('en', { maximumFractionDigits: 1 })} W`;

function showState(state, text) {
  element('state').dataset.state = state;
  element('state').textContent = text;
}

function createRow(id) {
  const row = document.createElement('tr');
  row.id = `row-${id}`;
  row.tabIndex = 0;
  for (let cell = 0; cell < 5; cell++) { row.append(document.createElement('td')); }
  row.onclick = () => choose(id);
  row.onkeydown = event => { if (event.key === 'Enter') { choose(id); } };
  const next = [...element('controllers').children].find(other => other.id.localeCompare(row.id, 'en', { numeric: true }) > 0);
  element('controllers').insertBefore(row, next ?? null);
  element('none').hidden = true;
  return row;
}

function show(state) {
  let one = controllers.get(state.id);
  if (!one) { controllers.set(state.id, one = { row: createRow(state.id), readings: [] }); }
  one.state = state;
  const contact = state.lastContact ? new Date(state.lastContact).toLocaleTimeString('en-GB') : '–';
  [state.id, watts(state.watts), watts(state.power), watts(state.setPoint), contact].forEach((text, index) => { one.row.children[index].textContent = text; });
  add(one, state);
  if (chosen === state.id) { plot(); }
}

function add(one, { sequence, time, watts }) {
  if (sequence == null || (one.readings.at(-1)?.sequence ?? -1) >= sequence) { return; }
  one.readings.push({ sequence, time: Date.parse(time), watts });
  if (one.readings.length > longest) { one.readings.shift(); }
}

function plot() {
  const one = controllers.get(chosen);
  draw(element('plot'), one.readings, one.state.setPoint);
}

async function choose(id) {
  controllers.get(chosen)?.row.removeAttribute('aria-selected');
  chosen = id;
  const one = controllers.get(id);
  one.row.setAttribute('aria-selected', 'true');
  element('name').textContent = id;
  element('details').hidden = false;
  showOutcome('none', '');
  try {
    const stored = await ask(`api/controllers/${encodeURIComponent(id)}/readings`);
    const newest = stored.at(-1)?.sequence ?? -1;
    one.readings = [...stored.map(reading => ({ ...reading, time: Date.parse(reading.time) })), ...one.readings.filter(reading => reading.sequence > newest)];
  } catch (error) { showOutcome('bad', `The stored readings are not available: ${error.message}`); }
  if (chosen === id) { plot(); }
}

async function ask(path, request) {
  const response = await fetch(path, request);
  const answer = response.headers.get('Content-Type')?.startsWith('application/json') ? await response.json() : null;
  if (!response.ok) { throw new Error(answer?.problem ?? `the backend answered ${response.status}`); }
  return answer;
}

function showOutcome(state, text) {
  element('outcome').dataset.state = state;
  element('outcome').textContent = text;
}

element('form').onsubmit = async event => {
  event.preventDefault();
  showOutcome('none', 'Sending …');
  try {
    const body = JSON.stringify({ watts: element('watts').valueAsNumber });
    const headers = { 'Content-Type': 'application/json' };
    const delivery = await ask(`api/controllers/${encodeURIComponent(chosen)}/setpoint`, { method: 'PUT', headers, body });
    if (delivery.isDelivered) { showOutcome('good', 'The controller has accepted it.'); }
    else { showOutcome('bad', `Kept, but not delivered: ${delivery.problem}`); }
  } catch (error) { showOutcome('bad', error.message); }
};

function remove(id) {
  controllers.get(id)?.row.remove();
  controllers.delete(id);
  if (chosen === id) {
    chosen = null;
    element('details').hidden = true;
  }
}

// "?id=…" in the address of the page selects the controllers.
function watch() {
  const live = new EventSource(`api/live${location.search}`);
  live.onmessage = ({ data }) => {
    const update = JSON.parse(data);
    update.gone.forEach(remove);
    update.controllers.forEach(show);
    const shown = controllers.size < update.total ? ` · ${controllers.size} of ${update.total} controllers` : '';
    if (update.isDown) { showState('down', `The store (${update.store}) is down. Controllers keep their readings.`); }
    else { showState('open', `Live · store: ${update.store}${shown}`); }
    if (chosen === null && controllers.size > 0) { choose(element('controllers').firstElementChild.id.slice('row-'.length)); }
  };
  live.onerror = () => {
    showState('failed', 'The backend does not answer. Trying again …');
    if (live.readyState === EventSource.CLOSED) { setTimeout(watch, 5000); }       // it has refused the request
  };
}

watch();
