const NOTHING = '–';
type Maybe = number | null | undefined;

function isNumber(value: Maybe): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

/** Three significant digits, never in powers of ten. */
function significant(value: number): string {
  const size = Math.abs(value);
  if (size >= 99.95) return value.toFixed(0);
  if (size >= 9.995) return value.toFixed(1);
  return value.toFixed(2);
}

function grouped(value: number): string {
  return value.toFixed(0).replace(/\B(?=(\d{3})+$)/g, '\u2009');
}

export function milliseconds(ms: Maybe): string {
  if (!isNumber(ms)) return NOTHING;
  if (ms === 0) return '0 ms';
  if (Math.abs(ms) >= 1000) return `${significant(ms / 1000)} s`;
  if (Math.abs(ms) < 0.005) return '<0.01 ms';
  return `${significant(ms)} ms`;
}

/** Like milliseconds, and microseconds below them. */
export function duration(ms: Maybe): string {
  const small = isNumber(ms) && ms !== 0 && Math.abs(ms) < 0.9995;
  return small ? `${significant(ms * 1000)} µs` : milliseconds(ms);
}

const BYTE_UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

export function bytes(value: Maybe): string {
  if (!isNumber(value)) return NOTHING;
  let unit = 0;
  let size = value;
  while (Math.abs(size) >= 1023.5 && unit < BYTE_UNITS.length - 1) {
    size /= 1024;
    unit += 1;
  }
  return `${unit === 0 ? size.toFixed(0) : significant(size)} ${BYTE_UNITS[unit]}`;
}

export function percent(share: Maybe): string {
  if (!isNumber(share)) return NOTHING;
  const value = share * 100;
  if (value === 0) return '0 %';
  if (value < 0.05) return '<0.1 %';
  return `${value.toFixed(value >= 99.95 ? 0 : 1)} %`;
}

export function count(value: Maybe): string {
  if (!isNumber(value)) return NOTHING;
  if (Number.isInteger(value)) return grouped(value);
  return value >= 100 ? grouped(value) : value.toFixed(1);
}

const PREFIXES = ['', 'k', 'M', 'G', 'T', 'P', 'E'];

/** "1.81 GMAC": three digits and the prefix that fits, in thousands. */
export function quantity(value: Maybe, unit = ''): string {
  if (!isNumber(value)) return NOTHING;
  let prefix = 0;
  let size = value;
  while (Math.abs(size) >= 999.5 && prefix < PREFIXES.length - 1) {
    size /= 1000;
    prefix += 1;
  }
  const digits = prefix === 0 && Number.isInteger(value) ? size.toFixed(0) : significant(size);
  return `${digits} ${PREFIXES[prefix]}${unit}`.trimEnd();
}

/** All digits of a whole number, nine of another. */
export function exact(value: Maybe, unit = ''): string {
  if (!isNumber(value)) return NOTHING;
  const digits = Number.isInteger(value) ? grouped(value) : String(Number(value.toPrecision(9)));
  return `${digits} ${unit}`.trimEnd();
}

const MOST_DIGITS = 99_999.5;

/** With a prefix where all digits would be too long for a card. */
export function perSecond(value: Maybe): string {
  if (!isNumber(value)) return NOTHING;
  if (value >= MOST_DIGITS) return quantity(value);
  return value >= 1000 ? grouped(value) : significant(value);
}
