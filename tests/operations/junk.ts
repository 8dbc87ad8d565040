/** Values that no client means to send: wrong types, wrong sizes, broken characters, prototype keys, unknown ids. */
export const junk: unknown[] = [
  null,
  true,
  0,
  -1,
  0.5,
  1e308,
  2 ** 53,
  '',
  ' ',
  'x',
  'x'.repeat(50_000),
  'a\0b',
  '\0',
  '\uD800',
  'a\uDFFFb',
  '\u202Eabc\u2066',
  '"\'<script>alert(1)</script>',
  "'; DROP TABLE social.posts; --",
  '%%%_\\',
  '../../etc/passwd',
  '/\r\nSet-Cookie: a=b',
  '//evil.example',
  'javascript:alert(1)',
  '-1',
  '1e999',
  'NaN',
  '2026-02-30T10:00:00Z',
  '9999-12-31T23:59:59.999-14:00',
  '0000-01-01T00:00:00Z',
  '01890000-0000-7000-8000-000000000000',
  [],
  {},
  [null, 1, 'x', {}],
  { nonsense: ['x'] },
  JSON.parse('{"__proto__":{"isAdmin":true},"constructor":{"prototype":{}}}'),
]

/** One of each kind. */
export const briefJunk: unknown[] = [
  null,
  7,
  '',
  'x'.repeat(50_000),
  'a\0b',
  'a\uDFFFb',
  [],
  { nonsense: 'x' },
  JSON.parse('{"__proto__":{"isAdmin":true}}'),
]

const described = new Set([...briefJunk, junk[16], junk[18], junk[29]].map((value) => JSON.stringify(value)))

/** Whether a value represents its kind: scripts, patterns, unknown ids and others. */
export const isTelling = (value: unknown): boolean => described.has(JSON.stringify(value))

/** One of each kind as text: what a form can send. */
export const formJunk: string[] = [
  '',
  ' ',
  'x',
  'x'.repeat(50_000),
  'a\0b',
  '-1',
  '1e999',
  '"><script>alert(1)</script>',
]

/** Junk for the URL of a page. */
export const addressJunk: string[] = [
  '',
  '-1',
  '1e999',
  'x'.repeat(4_000),
  'a\0b',
  '%%%_\\',
  '2026-02-30',
  '01890000-0000-7000-8000-000000000000',
  '"><script>alert(1)</script>',
  '" onload=alert(1) "',
  'javascript:alert(1)',
  '//evil.example',
  '/\r\nSet-Cookie: a=b',
]

/** One of each kind. */
export const briefAddressJunk: string[] = ['', 'a\0b', '"><script>alert(1)</script>', '//evil.example']

/** Junk as far as a URL can contain it. */
export const junkOfQuery: unknown[] = junk.map((value) => (typeof value === 'string' ? value.slice(0, 4_000) : value))

/** Path segments that match nothing. */
export const junkSegments = [
  'nothing',
  '1',
  '-1',
  'null',
  'undefined',
  '__proto__',
  'constructor',
  '%00',
  'a%00b',
  '%ED%A0%80',
  '%E0%A4%A',
  '%',
  '%2e%2e%2f',
  '..%5C',
  '%27%20OR%201=1--',
  '01890000-0000-7000-8000-00000000000g',
  '%7B01890000-0000-7000-8000-000000000000%7D',
  '01890000-0000-7000-8000-000000000000x',
  'x'.repeat(5_000),
]
