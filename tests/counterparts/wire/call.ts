import { z } from 'zod'

/** A file of a multipart body. */
export interface SentFile {
  name: string
  type: string
  bytes: Uint8Array<ArrayBuffer>
}

/** A request that arrived, with its whole body. */
export class Call {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: Headers
  /** Segments of the path by the names that its route gives them. */
  params: Record<string, string> = {}
  /** The route that it took, '' for an unknown path. */
  route = ''
  /** The user of its token, once that is known. */
  user = ''
  /** Status that its handling gave, whether the response arrived or not; 0 when a fault kept it from being handled. */
  status = 0
  readonly host: string
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly at: number

  constructor(request: Request, host: string, bytes: Uint8Array<ArrayBuffer>, at: number) {
    const url = new URL(request.url)
    this.host = host
    this.bytes = bytes
    this.at = at
    this.method = request.method
    this.path = url.pathname
    this.query = url.searchParams
    this.headers = request.headers
  }

  /** The media type without its parameters. */
  get type(): string {
    return (this.headers.get('content-type') ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
  }

  get bearer(): string | null {
    return /^Bearer (\S+)$/.exec(this.headers.get('authorization') ?? '')?.[1] ?? null
  }

  get text(): string {
    return new TextDecoder().decode(this.bytes)
  }

  param(name: string): string {
    return this.params[name] ?? ''
  }

  /** The JSON body. @throws {Invalid} with a wrong content type, or where it breaks the schema. */
  json<T>(schema: z.ZodType<T>): T {
    if (this.type !== 'application/json') throw new Invalid('type', 'content-type', 'Must be application/json')
    return parse(schema, parseJson(this.text))
  }

  /** The fields of a form body. @throws {Invalid} */
  form<T>(schema: z.ZodType<T>): T {
    if (this.type !== 'application/x-www-form-urlencoded')
      throw new Invalid('type', 'content-type', 'Must be application/x-www-form-urlencoded')
    return parse(schema, onlyOnce(new URLSearchParams(this.text)))
  }

  /** The parameters of the URL. @throws {Invalid} */
  search<T>(schema: z.ZodType<T>): T {
    return parse(schema, onlyOnce(this.query))
  }

  /** The text fields and files of a multipart body. @throws {Invalid} */
  async multipart(): Promise<{ fields: Record<string, string>; files: Record<string, SentFile> }> {
    if (this.type !== 'multipart/form-data') throw new Invalid('type', 'content-type', 'Must be multipart/form-data')
    const headers = { 'content-type': this.headers.get('content-type') ?? '' }
    const data = await new Response(this.bytes, { headers }).formData().catch(() => {
      throw new Invalid('type', 'body', 'Must be multipart/form-data')
    })
    const fields: Record<string, string> = {}
    const files: Record<string, SentFile> = {}
    for (const [field, value] of data.entries()) {
      if (field in fields || field in files) throw new Invalid('type', field, 'Must be sent once')
      if (isFile(value)) files[field] = { name: value.name, type: value.type, bytes: await value.bytes() }
      else fields[field] = value
    }
    return { fields, files }
  }
}

const isFile = (value: unknown): value is File => value instanceof File

/** Why a request breaks the documented format; each network answers it in its own shape. */
export class Invalid extends Error {
  readonly reason: 'missing' | 'unknown' | 'type'
  readonly field: string

  constructor(reason: 'missing' | 'unknown' | 'type', field: string, message: string) {
    super(message)
    this.reason = reason
    this.field = field
  }
}

/** A response that ends the handling of a request. */
export class Refusal extends Error {
  readonly response: Response

  constructor(response: Response) {
    super(`Refused with ${response.status}`)
    this.response = response
  }
}

/** Holds a value against a schema. @throws {Invalid} for the first fault. */
export function parse<T>(schema: z.ZodType<T>, value: unknown): T {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const path = (issue?.path ?? []).map(String)
  if (issue?.code === 'unrecognized_keys')
    throw new Invalid('unknown', [...path, issue.keys[0] ?? ''].join('.'), 'Unknown field')
  const isMissing = issue?.code === 'invalid_type' && issue.message.endsWith('received undefined')
  throw new Invalid(isMissing ? 'missing' : 'type', path.join('.') || 'body', issue?.message ?? 'Invalid')
}

/** @throws {Invalid} */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw new Invalid('type', 'body', 'Must be JSON')
  }
}

function onlyOnce(params: URLSearchParams): Record<string, string> {
  const found: Record<string, string> = {}
  for (const [name, value] of params) {
    if (name in found) throw new Invalid('type', name, 'Must be sent once')
    found[name] = value
  }
  return found
}
