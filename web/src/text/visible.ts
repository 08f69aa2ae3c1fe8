// Names come from code that nobody vetted. As text nodes they cannot run, but control characters
// and direction overrides could still make one name look like another: those become escapes.

const DECEPTIVE =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\uffff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]|\udb40[\udc00-\udfff]/g;

const DECEPTIVE_BUT_LAYOUT = new RegExp(`(?![\\n\\t])(?:${DECEPTIVE.source})`, 'g');

const SHORT: Record<string, string> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function escape(found: string): string {
  if (SHORT[found]) return SHORT[found];
  const code = found.codePointAt(0)!;
  const digits = code.toString(16);
  if (code <= 0xff) return `\\x${digits.padStart(2, '0')}`;
  if (code <= 0xffff) return `\\u${digits.padStart(4, '0')}`;
  return `\\U${digits.padStart(8, '0')}`;
}

/** One line of text with nothing in it that cannot be seen. */
export function visible(text: unknown): string {
  return asText(text).replace(DECEPTIVE, escape);
}

/** Text of several lines: newlines and tabs stay, carriage returns before newlines go. */
export function visibleLines(text: unknown): string {
  return asText(text).replace(/\r\n/g, '\n').replace(DECEPTIVE_BUT_LAYOUT, escape);
}

function asText(text: unknown): string {
  return text === null || text === undefined ? '' : String(text);
}
