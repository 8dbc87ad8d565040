import { z } from 'zod'

/** A part of a form; in JSON its bytes as base64. `name` and `type` are for the latter. */
export const fileField = (name: string, type: string) =>
  z.union(
    [
      z.file().min(1),
      z
        .base64()
        .min(1)
        .transform((text) => new File([Uint8Array.fromBase64(text)], name, { type })),
    ],
    'Send the file as a part of a form, or as base64 in JSON.',
  )
