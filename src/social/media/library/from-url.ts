import { z } from 'zod'
import type { Actor } from '#lib/actor.ts'
import type { Call } from '#lib/call.ts'
import { invalid } from '#lib/errors.ts'
import { Id } from '#lib/ids.ts'
import { OutboundError } from '#lib/outbound.ts'
import { optionalField, plainText } from '#lib/text.ts'
import * as brands from '../../brands/brands.ts'
import type { MediaRow } from '../files.ts'
import { Alt, FileName, maxBytes } from '../input.ts'
import { upload } from '../upload.ts'

export const MediaFromUrl = z.object({
  brandId: Id,
  url: plainText(2000)
    .trim()
    .pipe(z.url({ protocol: /^https?$/, error: 'Enter a URL, such as https://example.com/latte.jpg.' })),
  name: optionalField(FileName).describe('Defaults to the last part of the URL’s path.'),
  alt: Alt.optional(),
})
type MediaFromUrl = z.output<typeof MediaFromUrl>

/** For redirects and the body together. */
export const downloadMs = 20_000

/** The type is detected from the content. @throws {Problem} 404 for the brand, 422 for the URL, and as `upload` */
export async function uploadFromUrl(call: Call<MediaFromUrl, Actor>): Promise<MediaRow> {
  const { db, actor, input, outbound, signal } = call
  await brands.get(db, actor, input.brandId)
  const bytes = await download(outbound, input.url, signal)
  const name = input.name ?? nameOf(input.url)
  return upload({ ...call, input: { brandId: input.brandId, alt: input.alt, name, file: new File([bytes], name) } })
}

async function download({ fetch }: Call['outbound'], url: string, signal: AbortSignal): Promise<ArrayBuffer> {
  try {
    const response = await fetch(url, { signal, timeoutMs: downloadMs, maxBytes, headers: { accept: 'image/*' } })
    if (response.ok) return await response.arrayBuffer()
    throw refused(`The server responded with ${response.status}. Check the URL.`)
  } catch (error) {
    if (error instanceof OutboundError) throw refused(error.message)
    throw error
  }
}

const refused = (message: string) => invalid([{ path: 'url', message }])

/** Without characters that names can't contain. */
function nameOf(url: string): string {
  const last = new URL(url).pathname.split('/').at(-1) ?? ''
  const { data } = FileName.safeParse(
    decode(last)
      .replaceAll(/\p{Cc}/gu, '')
      .slice(0, 200),
  )
  return data || 'image'
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
