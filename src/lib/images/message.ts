import { z } from 'zod'
import { imageTypes } from './image-type.ts'
import type { Image, PreparedImage } from './prepared.ts'

const ImageProperties = z.object({
  contentType: z.enum(imageTypes),
  width: z.int(),
  height: z.int(),
  bytes: z.int(),
})

/** The images' bytes follow in the order of `kinds`. */
const Header = z.union([
  z.object({ rejected: z.string() }),
  z.object({
    animation: z.object({ frames: z.int(), durationMs: z.int() }).nullable(),
    original: ImageProperties,
    thumb: ImageProperties,
    preview: ImageProperties,
    web: ImageProperties.optional(),
  }),
])
export type Header = z.output<typeof Header>

const kinds = ['original', 'thumb', 'preview', 'web'] as const

export function encodeMessage(prepared: PreparedImage): Uint8Array[] {
  const images = kinds.flatMap((kind) => prepared[kind] ?? [])
  const described = kinds.flatMap((kind) => {
    const image = prepared[kind]
    return image ? [[kind, propertiesOf(image)]] : []
  })
  const header = JSON.stringify({ animation: prepared.animation, ...Object.fromEntries(described) })
  return [new TextEncoder().encode(`${header}\n`), ...images.map(({ data }) => data)]
}

const propertiesOf = ({ contentType, width, height, bytes }: Image) => ({ contentType, width, height, bytes })

/** @throws for anything else than an image or a rejection */
export function decodeMessage(message: Uint8Array<ArrayBuffer>): PreparedImage | { rejected: string } {
  const end = message.indexOf(0x0a)
  const header = Header.parse(JSON.parse(new TextDecoder().decode(message.subarray(0, end))))
  if ('rejected' in header) return header
  let at = end + 1
  const takeImage = (facts: z.output<typeof ImageProperties>): Image => {
    const data = message.slice(at, at + facts.bytes)
    at += facts.bytes
    if (data.byteLength < facts.bytes) throw new Error('The image process stopped early')
    return { ...facts, data }
  }
  const { animation, original, thumb, preview, web } = header
  return {
    animation,
    original: takeImage(original),
    thumb: takeImage(thumb),
    preview: takeImage(preview),
    ...(web && { web: takeImage(web) }),
  }
}
