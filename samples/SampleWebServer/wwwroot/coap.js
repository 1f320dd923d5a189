// CoAP over WebSockets for browsers (RFC 8323, section 4): GET and Observe.

const utf8 = new TextEncoder();
const Observe = 6, UriPath = 11, UriQuery = 15;         // RFC 7252, section 5.10, and RFC 7641, section 2
const MaxMessageSize = 2;                               // RFC 8323, section 5.3.1
const largestMessage = [0x10, 0x00, 0x00];              // 1 MiB: responses need no blocks

/** Writes a message (RFC 8323, section 4.2). The WebSocket tells its length, so the first byte holds that of the token alone. */
export function encode({ code, token = [], options = [], payload = [] }) {
  const [kind, detail] = code.split('.').map(Number);
  const bytes = [token.length, kind << 5 | detail, ...token];
  let last = 0;
  for (const [number, value] of options.toSorted((one, other) => one[0] - other[0])) {
    const [delta, moreDelta] = extend(number - last);
    const [length, moreLength] = extend(value.length);
    bytes.push(delta << 4 | length, ...moreDelta, ...moreLength, ...value);
    last = number;
  }
  return Uint8Array.from(payload.length > 0 ? [...bytes, 0xff, ...payload] : bytes);
}

/** Reads a message; throws where the bytes are none. */
export function decode(bytes) {
  let at = 0, number = 0, payload = new Uint8Array();
  const take = count => {
    if (at + count > bytes.length) { throw new Error('The message is cut off.'); }
    return bytes.subarray(at, at += count);
  };
  const extended = nibble => {
    if (nibble === 15) { throw new Error('An option has a reserved length or delta.'); }
    return nibble === 13 ? take(1)[0] + 13 : nibble === 14 ? uint(take(2)) + 269 : nibble;
  };
  const [first, code] = take(2);
  if ((first & 15) > 8) { throw new Error('The token is longer than 8 bytes.'); }
  const token = take(first & 15);
  const options = [];
  while (at < bytes.length) {
    const [head] = take(1);
    if (head === 0xff) {
      payload = take(bytes.length - at);
      if (payload.length === 0) { throw new Error('A payload is announced, but there is none.'); }
    } else {
      number += extended(head >> 4);
      options.push([number, take(extended(head & 15))]);
    }
  }
  return { code: `${code >> 5}.${String(code & 31).padStart(2, '0')}`, token, options, payload };
}

// RFC 7252, section 3.1: 13 and 14 announce one and two more bytes.
function extend(value) {
  if (value < 13) { return [value, []]; }
  return value < 269 ? [13, [value - 13]] : [14, [value - 269 >> 8, value - 269 & 255]];
}

const uint = bytes => bytes.reduce((value, byte) => value * 256 + byte, 0);
const hasCritical = message => message.options.some(([number]) => number % 2 === 1);
const textOf = message => new TextDecoder().decode(message.payload);
const because = message => textOf(message) || 'no reason given';

function uriOptions(path) {
  const [where, query] = path.split('?');
  const values = (part = '', separator) => part.split(separator).filter(value => value).map(value => utf8.encode(decodeURIComponent(value)));
  return [...values(where, '/').map(value => [UriPath, value]), ...values(query, '&').map(value => [UriQuery, value])];
}

/** A connection to a CoAP server. */
export class CoapConnection {
  #socket;
  #takers = new Map();      // token -> callback for the response
  #tokens = 0;
  #hasCsm = false;
  #end = null;

  /** Is told once why the connection has ended, and whether something went wrong. */
  onEnd = () => {};

  /** Connects; the subprotocol is "coap" (RFC 8323, section 4.1). */
  static open(url) {
    const socket = new WebSocket(url, 'coap');
    socket.binaryType = 'arraybuffer';
    return new Promise((resolve, reject) => {
      // Browsers hide the response of a server that refuses the upgrade from scripts.
      socket.onclose = () => reject(new Error(`${url} does not open a WebSocket for the subprotocol "coap".`));
      socket.onopen = () => resolve(new CoapConnection(socket));
    });
  }

  constructor(socket) {
    this.#socket = socket;
    socket.onmessage = event => this.#receive(event.data);
    socket.onclose = event => this.#ended(`The server closed the WebSocket: ${event.code} ${event.reason}`.trim(), event.code !== 1000);
    this.#send({ code: '7.01', options: [[MaxMessageSize, largestMessage]] });      // the CSM must be the first message
  }

  /** Completes with the response, whatever its code; fails where the connection ends before. */
  get(path) {
    const request = { code: '0.01', token: this.#nextToken(), options: uriOptions(path) };
    return new Promise((resolve, reject) => this.#ask(request, {
      fail: reject,
      take: response => {
        this.#takers.delete(String(request.token));
        resolve(response);
      },
    }));
  }

  /**
   * Hands over the present state and each that follows (RFC 8323, section 7).
   * `ended` completes with the response that ended it, or null once stopped.
   */
  observe(path, onState) {
    const request = { code: '0.01', token: this.#nextToken(), options: [...uriOptions(path), [Observe, []]] };
    const token = String(request.token);
    const { promise, resolve, reject } = Promise.withResolvers();
    const leave = () => {           // RFC 8323, section 7.4: the client must deregister
      this.#takers.delete(token);
      this.#send({ ...request, options: [...uriOptions(path), [Observe, [1]]] });
    };
    this.#ask(request, {
      fail: error => {
        leave();
        reject(error);
      },
      take: response => {
        if (response.isSuccess) { onState(response); }
        if (response.isSuccess && response.options.some(([number]) => number === Observe)) { return; }
        this.#takers.delete(token);
        resolve(response);
      },
    });
    const stop = () => {
      if (!this.#takers.has(token)) { return; }
      leave();
      resolve(null);
    };
    return { stop, ended: promise };
  }

  /** Ends the connection; what is still waited for fails. */
  close() {
    this.#ended('The page closed the connection.', false);
  }

  #nextToken() {
    const number = ++this.#tokens;
    return [number >> 24 & 255, number >> 16 & 255, number >> 8 & 255, number & 255];
  }

  #ask(request, taker) {
    if (this.#end) {
      taker.fail(new Error(this.#end));
      return;
    }
    this.#takers.set(String(request.token), taker);
    this.#send(request);
  }

  #send(message) {
    if (this.#socket.readyState === WebSocket.OPEN) { this.#socket.send(encode(message)); }
  }

  #receive(data) {
    if (this.#end) { return; }
    try {
      if (!(data instanceof ArrayBuffer)) { throw new Error('CoAP messages are binary.'); }
      const message = decode(new Uint8Array(data));
      if (!this.#hasCsm && message.code !== '7.01') { throw new Error('The first message is no CSM.'); }
      this.#handle(message);
    } catch (error) {
      this.#abort(error.message);
    }
  }

  #handle(message) {
    const kind = message.code[0];
    if (kind === '7') {
      this.#handleSignal(message);
    } else if (kind === '0') {
      // A page has no resources. Empty messages (0.00) are ignored.
      if (message.code !== '0.00') { this.#send({ code: '4.04', token: message.token }); }
    } else {
      this.#handleResponse(message);
    }
  }

  #handleSignal(message) {
    if (hasCritical(message)) { throw new Error(`A critical option of ${message.code} is not understood.`); }
    switch (message.code) {
      case '7.01': this.#hasCsm = true; break;
      case '7.02': this.#send({ code: '7.03', token: message.token }); break;
      case '7.04': this.#ended(`The server released the connection: ${because(message)}`, false); break;
      case '7.05': this.#ended(`The server aborted the connection: ${because(message)}`, true); break;
    }
  }

  #handleResponse(message) {
    const taker = this.#takers.get(String(message.token));
    if (!taker) { return; }         // for example a notification sent before our deregistration arrived
    if (hasCritical(message)) {     // for example Block2: the body does not fit into one message
      this.#takers.delete(String(message.token));
      taker.fail(new Error(`The response ${message.code} has a critical option that is not understood.`));
      return;
    }
    taker.take({ ...message, isSuccess: message.code[0] === '2', text: textOf(message) });
  }

  #abort(reason) {
    this.#send({ code: '7.05', payload: utf8.encode(reason) });
    this.#ended(`The connection was aborted: ${reason}`, true);
  }

  #ended(reason, isFault) {
    if (this.#end) { return; }
    this.#end = reason;
    this.#socket.close();
    for (const taker of this.#takers.values()) { taker.fail(new Error(reason)); }
    this.#takers.clear();
    this.onEnd(reason, isFault);
  }
}
