const margin = { left: 64, right: 12, top: 12, bottom: 26 };

// Returns round values within a range: at most twice the count. Where the range is narrow, numbers of this size may have no values a step apart.
function ticks(least, most, count) {
  const raw = (most - least) / count;
  const power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 5, 10].map(factor => factor * power).find(candidate => candidate >= raw);
  const all = [];
  const first = Math.ceil(least / step);
  for (let index = 0; index < 2 * count; index++) {
    const value = (first + index) * step;
    if (value <= most && value !== all.at(-1)) { all.push(value); }
  }
  return all;
}

function axes(context, { width, height, x, y, from, to, least, most }) {
  context.lineWidth = 1;
  context.font = '12px system-ui, sans-serif';
  context.fillStyle = '#66717d';
  context.strokeStyle = '#e6eaee';
  context.textAlign = 'right';
  context.textBaseline = 'middle';
  for (const value of ticks(least, most, 5)) {
    context.beginPath();
    context.moveTo(margin.left, y(value));
    context.lineTo(width - margin.right, y(value));
    context.stroke();
    context.fillText(`${value.toLocaleString('en')} W`, margin.left - 8, y(value));
  }
  context.textBaseline = 'top';
  for (const [time, align] of [[from, 'left'], [to, 'right']]) {
    context.textAlign = align;
    context.fillText(new Date(time).toLocaleTimeString('en-GB'), x(time), height - margin.bottom + 8);
  }
}

/** Draws readings over time, and the set point as a dashed line. */
export function draw(canvas, readings, setPoint) {
  const { width, height } = canvas;
  const context = canvas.getContext('2d');
  context.clearRect(0, 0, width, height);
  canvas.dataset.points = readings.length;
  if (readings.length === 0) { return; }

  const values = readings.map(reading => reading.watts);
  if (setPoint != null) { values.push(setPoint); }
  const [lowest, highest] = [Math.min(...values), Math.max(...values)];
  const room = Math.max(10, (highest - lowest) * 0.1, Math.max(-lowest, highest) * 1e-6);
  const [least, most] = [lowest - room, highest + room];
  const [from, to] = [readings[0].time, Math.max(readings.at(-1).time, readings[0].time + 1000)];
  const x = time => margin.left + ((time - from) / (to - from)) * (width - margin.left - margin.right);
  const y = value => height - margin.bottom - ((value - least) / (most - least)) * (height - margin.top - margin.bottom);
  axes(context, { width, height, x, y, from, to, least, most });

  context.strokeStyle = '#1a6fb5';
  context.lineWidth = 2;
  context.beginPath();
  for (const { time, watts } of readings) { context.lineTo(x(time), y(watts)); }
  context.stroke();
  if (setPoint == null) { return; }
  context.strokeStyle = '#c8641b';
  context.setLineDash([6, 4]);
  context.beginPath();
  context.moveTo(margin.left, y(setPoint));
  context.lineTo(width - margin.right, y(setPoint));
  context.stroke();
  context.setLineDash([]);
}
