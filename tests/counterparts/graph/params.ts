import { z } from 'zod'
import { Invalid, parse, parseJson, type Call, type SentFile } from '../wire/call.ts'
import { invalidParameter } from './errors.ts'

/** The parameters of a call to a Graph API, from wherever it has them. */
export class Params {
  readonly files: Record<string, SentFile>
  /** The access token, of the header or the parameter. */
  readonly token: string | null
  /** The token's HMAC with the app's secret, where the caller sends one. */
  readonly proof: string | null
  readonly #values: Record<string, string>

  private constructor(values: Record<string, string>, files: Record<string, SentFile>, call: Call) {
    const { access_token, appsecret_proof, ...rest } = values
    this.#values = rest
    this.files = files
    this.proof = appsecret_proof ?? null
    this.token = access_token ?? call.bearer ?? oauthHeader(call)
  }

  static async of(call: Call): Promise<Params> {
    const values: Record<string, string> = {}
    const add = (name: string, value: string) => {
      if (name in values) throw new Invalid('type', name, 'Must be sent once')
      values[name] = value
    }
    for (const [name, value] of call.query) add(name, value)
    let files: Record<string, SentFile> = {}
    if (call.type === 'multipart/form-data') {
      const body = await call.multipart()
      for (const [name, value] of Object.entries(body.fields)) add(name, value)
      files = body.files
    } else if (call.type === 'application/json') {
      const body = parse(z.record(z.string(), z.unknown()), parseJson(call.text))
      for (const [name, value] of Object.entries(body))
        add(name, typeof value === 'string' ? value : JSON.stringify(value))
    } else if (call.type === 'application/x-www-form-urlencoded')
      for (const [name, value] of new URLSearchParams(call.text)) add(name, value)
    else if (call.bytes.length > 0) throw new Invalid('type', 'content-type', 'Must be a form or JSON')
    return new Params(values, files, call)
  }

  /** The values by the schema. @throws {Invalid} */
  read<T>(schema: z.ZodType<T>): T {
    return parse(schema, this.#values)
  }
}

/** `Authorization: OAuth …`, which uploads have. */
const oauthHeader = (call: Call): string | null =>
  /^OAuth (\S+)$/.exec(call.headers.get('authorization') ?? '')?.[1] ?? null

/** Text that is a number, a boolean or a list. */
export const flag = z.enum(['true', 'false']).transform((text) => text === 'true')
export const ids = z.string().transform((text, context): string[] => {
  const list = text.startsWith('[') ? z.array(z.string()).safeParse(parseJson(text)).data : text.split(',')
  if (list?.every((id) => /^\d+$/.test(id))) return list
  context.addIssue({ code: 'custom', message: 'must be a list of ids' })
  return z.NEVER
})
export const fieldList = z.string().optional()

/** The requested fields of a node. @throws for a field that the node doesn't have. */
export function pick(node: Record<string, unknown>, fields: string | undefined, kind: string, always = ['id']) {
  const names = fields ? splitFields(fields) : []
  const strange = names.find((name) => !(name in node))
  if (strange) throw invalidParameter(`Tried accessing nonexistent field (${strange}) on node type (${kind})`)
  const kept = new Set([...always, ...names])
  return Object.fromEntries(Object.entries(node).filter(([name, value]) => kept.has(name) && value !== undefined))
}

/** Names at the top of a list such as `id,picture{url},tasks`. */
const splitFields = (fields: string): string[] =>
  fields
    .replaceAll(/\{[^}]*\}|\.\w+\([^)]*\)/g, '')
    .split(',')
    .map((name) => name.trim())
