import { z } from 'zod'

export const howToSend = 'Send the file as a part of a form, as the body, or as base64 in JSON.'

/** A file of a form or the body itself; in JSON its bytes as base64, within the 1 MiB of a body. */
export const uploaded = (maxBytes: number) =>
  z.union(
    [
      z.file().min(1).max(maxBytes),
      z
        .base64()
        .min(1)
        .transform((text) => new File([Uint8Array.fromBase64(text)], '')),
    ],
    howToSend,
  )
