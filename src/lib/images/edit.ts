import { z } from 'zod'

export const aspects = ['1:1', '4:5', '2:3', '9:16', '1.91:1', '16:9'] as const

/** What is cut out of an image: a frame of this aspect, as large as possible, after the rotation. */
export const Edit = z.object({
  aspect: z.enum(aspects).optional(),
  /** Degrees, clockwise. */
  rotate: z.union([z.literal(0), z.literal(90), z.literal(180), z.literal(270)]),
  /** The part that is kept of the side that is too long. */
  keep: z.enum(['start', 'center', 'end']),
})
export type Edit = z.output<typeof Edit>

interface Size {
  width: number
  height: number
}

/** @param size Of the upright image. */
export function frameOf(size: Size, { aspect, rotate, keep }: Edit): Size & { left: number; top: number } {
  const turned = rotate % 180 === 0 ? size : { width: size.height, height: size.width }
  const [across = 1, down = 1] = aspect?.split(':').map(Number) ?? [turned.width, turned.height]
  const ratio = across / down
  const width = Math.max(1, Math.min(turned.width, Math.round(turned.height * ratio)))
  const height = Math.max(1, Math.min(turned.height, Math.round(turned.width / ratio)))
  const share = { start: 0, center: 0.5, end: 1 }[keep]
  const left = Math.round((turned.width - width) * share)
  const top = Math.round((turned.height - height) * share)
  return { left, top, width, height }
}
