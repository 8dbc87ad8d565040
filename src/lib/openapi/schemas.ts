import { z } from 'zod'
import type { Context } from '../context.ts'
import { capitalize } from '../text.ts'
import { refTo, type JsonSchema } from './document.ts'
import { groupOf } from './tag.ts'

type Direction = 'input' | 'output'

export interface Schemas {
  inputSchema(schema: z.ZodType): JsonSchema
  outputSchema(schema: z.ZodType): JsonSchema
  resolve(schema: JsonSchema): JsonSchema
  components(users: unknown): Record<string, JsonSchema>
}

export function createSchemas(contexts: readonly Context[]): Schemas {
  const registry = registerNames(contexts)
  const components = new Map<string, JsonSchema>()

  const convert = (schema: z.ZodType, io: Direction): JsonSchema => {
    const {
      $schema: _,
      $defs,
      ...own
    } = z.toJSONSchema(schema, {
      io,
      metadata: registry,
      unrepresentable: 'any',
      override: (texts) => simplifySchema(texts, io),
    })
    const names = new Map<string, string>()
    const defs = Object.entries($defs ?? {})
    for (const [name, def] of defs) names.set(name, register(name, io, JSON.stringify(def)))
    for (const [name, def] of defs) components.set(names.get(name) ?? name, rewriteRefs(def, names))
    return rewriteRefs(own, names)
  }

  /** When a schema differs between requests and responses, the request's name ends in `Input`. */
  const texts = new Map<string, string>()
  const register = (name: string, io: Direction, text: string): string => {
    const key = io === 'input' && texts.has(name) && texts.get(name) !== text ? `${name}Input` : name
    texts.set(key, text)
    return key
  }

  return {
    inputSchema: (schema) => convert(schema, 'input'),
    outputSchema: (schema) => convert(schema, 'output'),
    resolve: (schema) => (schema.$ref ? (components.get(schema.$ref.slice(refTo('').length)) ?? schema) : schema),
    components: (users) => {
      const used = usedNames(users, components)
      const sorted = [...components].sort(([one], [other]) => (one < other ? -1 : 1))
      return Object.fromEntries(sorted.filter(([name]) => used.has(name)))
    },
  }
}

export function inlineSchema(schema: z.ZodType, io: Direction): JsonSchema {
  const { $schema: _, ...own } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: (context) => simplifySchema(context, io),
  })
  return JSON.parse(JSON.stringify(own))
}

/** When two contracts export the same name, the second one is prefixed with its context. */
function registerNames(contexts: readonly Context[]): z.core.$ZodRegistry<{ id?: string }> {
  const registry = z.registry<{ id?: string }>()
  const taken = new Set<string>()
  for (const context of contexts)
    for (const [name, schema] of Object.entries(context.contract ?? {})) {
      if (!(schema instanceof z.ZodType) || registry.has(schema)) continue
      const id = taken.has(name) ? `${capitalize(groupOf(context))}${name}` : name
      taken.add(id)
      registry.add(schema, { id })
    }
  return registry
}

interface OverrideContext {
  zodSchema: z.core.$ZodTypes
  jsonSchema: z.core.JSONSchema.BaseSchema
}

/** Removes patterns of known formats, adds descriptions from zod's registry, and lets responses gain fields (PLT-19). */
function simplifySchema({ zodSchema, jsonSchema }: OverrideContext, io: Direction): void {
  if (io === 'output' && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
  if (jsonSchema.format === 'date-time' || jsonSchema.format === 'uuid') delete jsonSchema.pattern
  const description = z.globalRegistry.get(zodSchema)?.description
  if (description) jsonSchema.description = description
}

function rewriteRefs(value: unknown, names: ReadonlyMap<string, string>): JsonSchema {
  return JSON.parse(JSON.stringify(value), (key, inner: unknown) => {
    if (key !== '$ref' || typeof inner !== 'string') return inner
    const name = inner.slice('#/$defs/'.length)
    return refTo(names.get(name) ?? name)
  })
}

function usedNames(
  users: unknown,
  components: ReadonlyMap<string, JsonSchema>,
  found = new Set<string>(),
): Set<string> {
  for (const [, name = ''] of JSON.stringify(users).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
    if (found.has(name)) continue
    found.add(name)
    usedNames(components.get(name), components, found)
  }
  return found
}
