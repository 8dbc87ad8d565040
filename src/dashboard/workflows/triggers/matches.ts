import type { Filter } from './contract.ts'
import { valueOf, type EventData } from './event-fields.ts'

const textOf = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : ''

/** Of numbers, and of times as milliseconds; null for other values. */
export function sizeOf(value: unknown): number | null {
  const text = textOf(value).trim()
  if (text === '') return null
  const number = Number(text)
  if (Number.isFinite(number)) return number
  const time = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(time) ? null : time
}

const compare = (one: unknown, other: unknown): number | null => {
  const [left, right] = [sizeOf(one), sizeOf(other)]
  return left === null || right === null ? null : left - right
}

const tests: Record<Filter['operator'], (found: unknown, wanted: Filter['value']) => boolean> = {
  equals: (found, wanted) => textOf(found) === String(wanted),
  not_equals: (found, wanted) => textOf(found) !== String(wanted),
  contains: (found, wanted) => textOf(found).toLowerCase().includes(String(wanted).toLowerCase()),
  greater_than: (found, wanted) => (compare(found, wanted) ?? 0) > 0,
  less_than: (found, wanted) => (compare(found, wanted) ?? 0) < 0,
}

export const matches = (data: EventData, filter: readonly Filter[]): boolean =>
  filter.every(({ field, operator, value }) => tests[operator](valueOf(data, field), value))
