import { CoapConnection } from './coap.js';

const newest = 10;
let came = 0;
const element = id => document.getElementById(id);
const url = new URL('/.well-known/coap', location.href);
url.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:';

function showState(state, text) {
  element('state').dataset.state = state;
  element('state').textContent = text;
  if (state !== 'open') { element('stop').disabled = true; }
}

function showTime(response) {
  const line = document.createElement('li');
  line.value = ++came;
  line.textContent = response.text;
  element('times').prepend(line);
  while (element('times').children.length > newest) { element('times').lastChild.remove(); }
}

try {
  const coap = await CoapConnection.open(url);
  coap.onEnd = (reason, isFault) => showState(isFault ? 'failed' : 'ended', reason);
  showState('open', `Connected to ${url}`);

  const hello = await coap.get('/hello');
  element('hello').textContent = hello.isSuccess ? hello.text : `${hello.code} ${hello.text}`;

  const observation = coap.observe('/time', showTime);
  element('observing').textContent = 'A new time comes every second.';
  element('stop').disabled = false;
  element('stop').onclick = () => observation.stop();
  const last = await observation.ended;
  element('stop').disabled = true;
  element('observing').textContent = last ? `The server ended it: ${last.code} ${last.text}` : 'Stopped.';
} catch (error) {
  element('observing').textContent = '–';
  if (element('state').dataset.state !== 'ended') { showState('failed', error.message); }
}
