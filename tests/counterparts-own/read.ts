/** A response with what tests compare of it. */
export interface Read {
  status: number
  body: unknown
  headers: Headers
}

/** Reads a response; `null` in place of an empty body. */
export async function read(response: Response | Promise<Response>): Promise<Read> {
  const { status, headers } = await response
  const text = await (await response).text()
  return { status, headers, body: text ? JSON.parse(text) : null }
}

/** The text or number at a path of names and indexes, such as `data.id`. */
export function at({ body }: Pick<Read, 'body'>, path: string): string {
  const found = path
    .split('.')
    .reduce<unknown>((inner, name) => (inner as Record<string, unknown> | undefined)?.[name], body)
  if (typeof found !== 'string' && typeof found !== 'number') throw new Error(`There is no ${path}`)
  return String(found)
}
