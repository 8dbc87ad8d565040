import type { Call } from '#lib/call.ts'
import { invalid } from '#lib/errors.ts'
import { OutboundError } from '#lib/outbound.ts'
import { maxBytes } from './input.ts'

/** For redirects and the body together. */
const timeoutMs = 15_000

/** Downloads a file from a URL that a person entered. @throws {Problem} 422 naming the field `url` */
export async function download({ outbound, signal }: Pick<Call, 'outbound' | 'signal'>, url: string): Promise<File> {
  try {
    const response = await outbound.fetch(url, { signal, timeoutMs, maxBytes, headers: { accept: 'image/*' } })
    if (response.ok) return new File([await response.arrayBuffer()], nameIn(url))
    throw refused(`The server responded with ${response.status}. Check the URL.`)
  } catch (error) {
    if (error instanceof OutboundError) throw refused(error.message)
    throw error
  }
}

const refused = (message: string) => invalid([{ path: 'url', message }])

/** The last part of a URL's path. */
function nameIn(url: string): string {
  const last = new URL(url).pathname.split('/').at(-1) ?? ''
  try {
    return decodeURIComponent(last)
  } catch {
    return last
  }
}
