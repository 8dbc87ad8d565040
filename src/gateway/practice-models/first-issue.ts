import type { z } from 'zod'

type Issue = z.core.$ZodIssue

/** The issue to report: unknown fields first, and of a union the one of the variant that fits best. */
export function firstIssue({ issues }: z.core.$ZodError): Issue {
  const issue = issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0]
  if (!issue) throw new Error('A schema failed without an issue')
  return issue.code === 'invalid_union' ? (bestOf(issue) ?? issue) : issue
}

function bestOf(union: z.core.$ZodIssueInvalidUnion): Issue | undefined {
  const found = union.errors
    .flatMap((issues) => issues.find(({ code }) => code === 'unrecognized_keys') ?? issues[0] ?? [])
    .map((issue) => (issue.code === 'invalid_union' ? (bestOf(issue) ?? issue) : issue))
    // A variant that is wrong as a whole, such as text where a list was sent, was not meant.
    .filter(({ path, code }) => path.length > 0 || code !== 'invalid_type')
    .toSorted((a, b) => b.path.length - a.path.length)
  const [best] = found
  return best && { ...best, path: [...union.path, ...best.path] }
}

export const valueAt = (root: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>((value, key) => (isRecord(value) ? Reflect.get(value, key) : undefined), root)

const isRecord = (value: unknown): value is object => typeof value === 'object' && value !== null
