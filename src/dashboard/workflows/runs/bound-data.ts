import type { Run } from './claim.ts'

/** Bytes of JSON that a run stores of its event. */
const maxBytes = 64 * 1024
/** Of data that is larger. */
const cut = { depth: 3, fields: 100, characters: 500 }

/** Data that is too large loses its lists and long texts; the note says so. */
export function boundData(data: Run['data']): Pick<Run, 'data' | 'note'> {
  if (Buffer.byteLength(JSON.stringify(data)) <= maxBytes) return { data, note: null }
  const note = 'The event was larger than 64 KiB: its lists were left out and its long texts cut.'
  return { data: cutFields(data, cut.depth, { left: cut.fields }), note }
}

function cutFields(fields: object, depth: number, budget: { left: number }): Record<string, unknown> {
  const kept: [string, unknown][] = []
  for (const [name, value] of Object.entries(fields)) {
    if (Array.isArray(value) || (budget.left -= 1) < 0) continue
    if (typeof value === 'string') kept.push([name, value.slice(0, cut.characters).toWellFormed()])
    else if (typeof value !== 'object' || value === null) kept.push([name, value])
    else if (depth > 1) kept.push([name, cutFields(value, depth - 1, budget)])
  }
  return Object.fromEntries(kept)
}
