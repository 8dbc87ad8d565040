import type { z } from 'zod'
import { findModel, type PracticeModel } from '../catalog.ts'
import { firstIssue, valueAt } from '../first-issue.ts'
import { invalidRequest, refusal } from './wire.ts'

/** @throws {ProviderError} 400 for what the schema doesn't accept, as Anthropic says it */
export function check<Out>(schema: z.ZodType<Out>, input: unknown): Out {
  const { data, error, success } = schema.safeParse(input)
  if (success) return data
  throw invalidRequest(describe(firstIssue(error), input))
}

const types: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  int: 'integer',
  boolean: 'boolean',
  array: 'list',
  object: 'object',
  record: 'dictionary',
}

function describe(issue: z.core.$ZodIssue, input: unknown): string {
  const path = issue.path.join('.')
  if (issue.code === 'unrecognized_keys')
    return `${[...issue.path, issue.keys[0]].join('.')}: Extra inputs are not permitted`
  if (valueAt(input, issue.path) === undefined) return `${path}: Field required`
  switch (issue.code) {
    case 'invalid_type':
      return path === ''
        ? 'Input should be a valid dictionary'
        : `${path}: Input should be a valid ${types[issue.expected] ?? issue.expected}`
    case 'invalid_value':
      return `${path}: Input should be ${issue.values.map((value) => `'${String(value)}'`).join(' or ')}`
    case 'invalid_union':
      return issue.discriminator
        ? `${path}: Input tag found using '${issue.discriminator}' does not match any of the expected tags`
        : `${path}: Input should be a valid string or list`
    case 'too_small':
      return typeof valueAt(input, issue.path) === 'number'
        ? `${path}: Input should be greater than or equal to ${issue.minimum}`
        : `${path}: should have at least ${issue.minimum} item or character`
    case 'too_big':
      return typeof valueAt(input, issue.path) === 'number'
        ? `${path}: Input should be less than or equal to ${issue.maximum}`
        : `${path}: should have at most ${issue.maximum} items or characters`
    case 'invalid_format':
      return `${path}: String should match pattern '${'pattern' in issue ? String(issue.pattern) : issue.format}'`
    default:
      return `${path}: ${issue.message}`
  }
}

/** @throws {ProviderError} 404 for an unknown model, and for one that doesn't write messages */
export function requireModel(id: string): PracticeModel {
  const model = findModel(id)
  if (model?.kind !== 'chat') throw refusal(404, `model: ${id}`)
  return model
}
