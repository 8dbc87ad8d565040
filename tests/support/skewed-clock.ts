// Preloaded into a server, this offsets its clock by CLOCK_SKEW_MS; durations (`performance.now()`) stay right.

const skewMs = Number(process.env['CLOCK_SKEW_MS'])

globalThis.Date = new Proxy(Date, {
  construct: (date, given, target) =>
    Reflect.construct(date, given.length > 0 ? given : [date.now() + skewMs], target) as Date,
  get: (date, key) => (key === 'now' ? () => date.now() + skewMs : (Reflect.get(date, key) as unknown)),
})
