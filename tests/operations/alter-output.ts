import type { Operation } from '#lib/operation.ts'

/** In every text that was altered. */
export const marker = 'zq'

/** Values that are tried in an object, at most. */
const maxTried = 300

/**
 * A copy of an operation's result with every text and number changed that can change within the contract; texts end with
 * `mark`. With `booleans` those are inverted, too.
 */
export function alterOutput(
  { output }: Pick<Operation, 'output'>,
  result: unknown,
  mark: string,
  { booleans = false } = {},
): unknown {
  const copy = { root: structuredClone(result) }
  let tried = 0
  const isValid = () => output.safeParse(copy.root).success
  const change = (holder: Record<string, unknown>, key: string) => {
    const value = holder[key]
    if (typeof value === 'object' && value !== null && !(value instanceof Date)) {
      for (const inner of Object.keys(value)) change(value as Record<string, unknown>, inner)
      return
    }
    const next = booleans && typeof value === 'boolean' ? !value : alterValue(value, mark)
    if (next === undefined || (tried += 1) > maxTried) return
    holder[key] = next
    if (!isValid()) holder[key] = value
  }
  change(copy, 'root')
  return copy.root
}

function alterValue(value: unknown, mark: string): unknown {
  if (typeof value === 'string') return `${value}${mark}`
  if (typeof value === 'number') return value + 1
  return value instanceof Date ? new Date(value.getTime() + 24 * 3600_000) : undefined
}
