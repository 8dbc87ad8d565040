import { z } from 'zod'
import type { Image, Prepared } from './prepared.ts'

const Facts = z.object({
  contentType: z.enum(['image/jpeg', 'image/png', 'image/webp', 'image/gif']),
  width: z.int(),
  height: z.int(),
  bytes: z.int(),
})

/** The first line of what the drawing process answers; the images' bytes follow in this order. */
const Header = z.union([
  z.object({ refused: z.string() }),
  z.object({ animated: z.boolean(), original: Facts, thumb: Facts, preview: Facts, web: Facts.optional() }),
])
export type Header = z.output<typeof Header>

const kinds = ['original', 'thumb', 'preview', 'web'] as const

/** An image with its copies as bytes. */
export function partsOf(prepared: Prepared): Uint8Array[] {
  const images = kinds.flatMap((kind) => prepared[kind] ?? [])
  const told = kinds.flatMap((kind) => {
    const image = prepared[kind]
    return image ? [[kind, factsOf(image)]] : []
  })
  const header = JSON.stringify({ animated: prepared.animated, ...Object.fromEntries(told) })
  return [new TextEncoder().encode(`${header}\n`), ...images.map(({ data }) => data)]
}

const factsOf = ({ contentType, width, height, bytes }: Image) => ({ contentType, width, height, bytes })

/** The same read again, or why the file was refused. Throws for anything else. */
export function preparedIn(answer: Uint8Array<ArrayBuffer>): Prepared | { refused: string } {
  const end = answer.indexOf(0x0a)
  const header = Header.parse(JSON.parse(new TextDecoder().decode(answer.subarray(0, end))))
  if ('refused' in header) return header
  let at = end + 1
  const taken = (facts: z.output<typeof Facts>): Image => {
    const data = answer.slice(at, at + facts.bytes)
    at += facts.bytes
    if (data.byteLength < facts.bytes) throw new Error('The image process stopped early')
    return { ...facts, data }
  }
  const { animated, original, thumb, preview, web } = header
  return {
    animated,
    original: taken(original),
    thumb: taken(thumb),
    preview: taken(preview),
    ...(web && { web: taken(web) }),
  }
}
